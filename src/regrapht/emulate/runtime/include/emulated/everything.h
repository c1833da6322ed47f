// All that CUDA source may name, in one header: precompiled once, included first in every candidate.
#pragma once
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

#include "qualifiers.h"
#include "vector_types.h"
#include "abi.h"
#include "launch.h"
#include "host_api.h"
#ifndef REGRAPHT_RUNTIME  // what kernels call; the runtime itself needs only the declarations above
#include "warp.h"
#include "atomics.h"
#include "arithmetic.h"
#include "integer_intrinsics.h"
#include "../cuda_fp16.h"
#include "../cuda_bf16.h"
#include "../cooperative_groups.h"
#endif
