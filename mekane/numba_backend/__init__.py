"""Everything that touches Numba's private side: kernels and their cache, dual numbers, views of memory. Guarded in one
place."""
