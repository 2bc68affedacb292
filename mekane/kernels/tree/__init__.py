"""The equations of a tree as functions of a state: forces from accelerations, accelerations from forces, mass matrix."""
