"""Geometry of bodies: shapes with their mass properties, solids to draw."""
