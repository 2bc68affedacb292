"""Places in the array that describes a series of steps by hand."""

# the series of equal steps that a step belongs to: where it began, its step, steps so far; settings: tolerances, the
# largest step (0: none; negative: that share of dt); where the present step began: time, evaluations, steps
N_SERIES = 9
BEGIN, EQUAL, COUNT, SERIES_RTOL, SERIES_ATOL, LARGEST, T_BEFORE, EVALUATIONS_BEFORE, STEPS_BEFORE = range(N_SERIES)
NO_TIME = -1  # outcome: dt is so small that the time stays
