"""What kernels can run on besides floats: symbols (`trace`), and machine code made from such a trace."""
