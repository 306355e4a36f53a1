// SPDX-License-Identifier: MIT
// Bivariate shrinkage of the decimated transform's details (plan/step.h).
#pragma once

#include "engine/cpu/steps/work.h"

void odl_cpu_bivariate_rows (const OdlCpuWork *work, int channel, int from, int to);
