"""Whether a task may be judged on at all, examined before any verdict on it."""
