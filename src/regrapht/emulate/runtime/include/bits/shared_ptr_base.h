// In the way of libstdc++'s header of this name, which uses the attribute __noinline__: CUDA has a macro of that name.
#pragma once
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
