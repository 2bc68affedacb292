"""Best parameters, for a purpose or to fit measurements."""
