"""Contact laws at one instant: impacts, and which modes they are in from there on. Small and dense: an event is no step."""
