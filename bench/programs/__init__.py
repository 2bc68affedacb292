"""What is timed, one program per engine and mechanism. Each runs in a process of its own and prints its numbers as one
line of JSON."""
