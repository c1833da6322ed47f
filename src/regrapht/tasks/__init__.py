"""Tasks: reading `task.toml`, writing it, and inferring it from a bare function."""
