"""Exact derivatives of a model: Jacobians of its equations, by state and by parameters."""
