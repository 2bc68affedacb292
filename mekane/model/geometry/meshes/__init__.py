"""Meshes of triangles in files: read, checked for defects, integrated, made coarser."""
