// SPDX-License-Identifier: MIT
// What becomes of one scaled value on its way to the screen; the GL canvas holds the same
// lines.
#pragma once

#include "image/display.h"

// NaN gives 0.
static inline float
odl_display_clamp (float value)
{
  value = value > 0.0f ? value : 0.0f;
  return value < 1.0f ? value : 1.0f;
}

static inline float
odl_display_picture (const OdlDisplay *display, float scaled)
{
  float shown = odl_display_clamp (scaled * display->gain + display->offset);

  return display->invert ? 1.0f - shown : shown;
}

static inline float
odl_display_detail (const OdlDisplay *display, float scaled)
{
  return odl_display_clamp (0.5f + scaled * display->detail_gain);
}
