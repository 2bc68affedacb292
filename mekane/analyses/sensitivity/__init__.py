"""Exact derivatives of motions, equilibria and eigenvalues by any number of a model."""
