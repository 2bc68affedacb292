"""Equations of motion as expressions: by Kane, Lagrange and Newton; printed, compared, exported."""
