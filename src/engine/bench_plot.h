// SPDX-License-Identifier: MIT
// The benchmark as a picture.
#pragma once

#include "engine/bench.h"

G_BEGIN_DECLS

// An SVG of two diagrams over the side of square grey pictures, logarithmic axes:
// elements per microsecond and milliseconds of a frame in 32 bits, with the figures of
// others. NULL when no square grey picture was measured. Transfer full.
char *odl_bench_to_svg (const OdlBenchResult *result);

G_END_DECLS
