"""What a cluster needs beside Kueue: pure functions from the definition to objects, one module a noun, and `manifests/<cluster>.yaml`."""
