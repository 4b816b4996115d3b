# Stands in for gke-gcloud-auth-plugin and for `nebius`: hands out the credential of a simulated cluster, and of no other.
import json
import os
import pathlib
import sys

request = json.loads(os.environ.get("KUBERNETES_EXEC_INFO") or "{}")
server = request.get("spec", {}).get("cluster", {}).get("server")
for path in sorted((pathlib.Path(__file__).resolve().parent.parent / "clusters").glob("*/credential.json")):
    credential = json.loads(path.read_text())
    if credential.pop("server") == server:
        print(json.dumps({"apiVersion": request["apiVersion"], "kind": "ExecCredential", "status": credential}))
        break
else:
    sys.exit(f"{sys.argv[0]}: stand-in of a Skyfleet simulation; it knows no cluster at {server}")
