"""Reading C++ and CUDA text: tokens, a hash without layout, similarity, and the functions and structs that a file defines."""
