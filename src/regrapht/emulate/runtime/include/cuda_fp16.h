#pragma once
#include "emulated/everything.h"
using namespace emulated_fp16;
