"""The result as a pull request can hold it: sources named after the user's function, a build, a test, a patch."""
