#pragma once
#include "../cooperative_groups.h"
#include "../emulated/group_algorithms.h"
namespace cooperative_groups {
using namespace emulated_groups_operators;
using namespace emulated_groups_scan;
}
