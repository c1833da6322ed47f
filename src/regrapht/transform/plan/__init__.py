"""Which nests of loops become kernels: the plan of an analysed function, what is known of its nests, and what is decided for them."""
