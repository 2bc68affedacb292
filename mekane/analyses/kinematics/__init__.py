"""Positions without forces: assembly, sweeps, inverse kinematics, mobility, topology."""
