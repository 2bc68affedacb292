"""Kernels over lanes: several runs of one model at once, one vector element each."""
