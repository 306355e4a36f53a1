// SPDX-License-Identifier: MIT
// What a rule leaves of a coefficient: OdlShrinkingRule has the formulas. Any thread.
#pragma once

#include "filter/filter.h"

double odl_shrink (double x, double threshold, OdlShrinkingRule rule);
