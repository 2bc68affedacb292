"""Parameter studies: sweeps over grids, Monte Carlo, sensitivity indices; labelled results, files, several machines."""
