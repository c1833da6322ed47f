#pragma once
#include "emulated/everything.h"
