"""What a candidate is called with: numpy arrays of element types, the values that they are drawn from, and one call's inputs."""
