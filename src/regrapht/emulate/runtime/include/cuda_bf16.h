#pragma once
#include "emulated/everything.h"
using namespace emulated_bf16;
