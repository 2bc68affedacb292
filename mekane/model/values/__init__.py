"""What a user may give where the physics wants a number: units, expressions, parameters, orientations, inertias."""
