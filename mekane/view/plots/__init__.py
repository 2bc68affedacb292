"""Plots of a run over time, frequency and phase."""
