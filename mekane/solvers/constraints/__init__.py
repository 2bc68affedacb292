"""Constraints outside the kernels: assembly, projection onto the constraints, coordinate partitioning, embedding."""
