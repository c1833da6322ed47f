// All that CUDA source may name, in one header: precompiled once, included first in every candidate. Half precision, bfloat16 and
// cooperative groups are in namespaces of their own, which their headers open.
//
// Templates that a header's inline functions use are not precompiled: g++ instantiates them in every candidate anew. So there is no
// <memory>, which leads to all of <ostream>; and our own templates of that kind return `auto`, for which g++ instantiates them at once.
#pragma once
#ifndef REGRAPHT_RUNTIME
#include "memory_functions.h"
#endif
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <algorithm>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#ifndef REGRAPHT_RUNTIME
#include "other_memory_builtins.h"
#endif

#include "qualifiers.h"
#include "vector_types.h"
#include "abi.h"
#include "padding.h"
#include "launch.h"
#include "unwritten.h"
#include "host_api.h"
#include "pitched_memory.h"
#include "streams.h"
#include "device_queries.h"
#include "launch_api.h"
#include "host_memory.h"
#ifndef REGRAPHT_RUNTIME  // what kernels call; the runtime itself needs only the declarations above
#include "weights.h"
#include "warp.h"
#include "atomics.h"
#include "arithmetic.h"
#include "fast_functions.h"
#include "special_functions.h"
#include "rounding.h"
#include "integer_intrinsics.h"
#include "memory_intrinsics.h"
#include "async_copies.h"
#include "simd_intrinsics.h"
#include "half.h"
#include "bfloat16.h"
#include "groups.h"
#include "as_nvcc.h"
#endif
