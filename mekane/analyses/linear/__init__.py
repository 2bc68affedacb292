"""Linearized motion: state matrices, modes, root loci."""
