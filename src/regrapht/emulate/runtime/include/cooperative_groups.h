#pragma once
#include "emulated/everything.h"
namespace cooperative_groups {
using namespace emulated_groups;
}
