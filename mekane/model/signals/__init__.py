"""What expressions and results have besides the state: inputs, discrete variables, markers, outputs."""
