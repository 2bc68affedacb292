"""Kane, Lagrange, Newton, Routh: equations of motion as formulas, by each method."""
