"""Elementary functions as code on vectors of doubles: the same bits on any number of lanes and any processor."""
