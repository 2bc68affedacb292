"""Steady motions: everything turns with one constant angular velocity."""
