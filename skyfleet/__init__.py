"""One definition of a GPU fleet; everything that must agree with it is generated from it or reads it."""
