"""Functions of projects: their files read by Clang, one function taken out as a file that stands alone, its signature made flat."""
