"""One GPU: what it is, who may use it when, whether it is healthy, and the processes that run programs on it."""
