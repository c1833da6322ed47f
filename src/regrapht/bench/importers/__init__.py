"""Problems of public benchmarks, read from a user's own checkout and written as tasks; nothing of theirs is in this package."""
