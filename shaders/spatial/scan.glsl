// SPDX-License-Identifier: MIT
// A picture of beam data, or the other way.
SAMPLE scan_at (ivec2 p)
{
  return texelFetch (source, p, 0);
}

#define SCAN_SAMPLE SAMPLE
#include "include/scan.glsl"

SAMPLE filtered (ivec2 p)
{
  return scanned (p, SAMPLE (-bias));
}
