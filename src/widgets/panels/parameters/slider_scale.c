// SPDX-License-Identifier: MIT
#include "widgets/panels/parameters/slider_scale.h"

#include <math.h>

#define CURVED_BELOW 0.2

bool
odl_slider_is_curved (const OdlParameter *p)
{
  return p->kind != ODL_PARAMETER_INTEGER
         && p->default_value - p->minimum < CURVED_BELOW * (p->maximum - p->minimum);
}

double
odl_slider_position (const OdlParameter *p, double value)
{
  return cbrt ((value - p->minimum) / (p->maximum - p->minimum));
}

double
odl_slider_value (const OdlParameter *p, double position, double scale)
{
  const double value
      = p->minimum + (p->maximum - p->minimum) * position * position * position;
  const double step = odl_slider_fine_step (p, value, scale) * scale;
  const double parts = round (1 / step), shown = value * scale;
  const double rounded = parts >= 1   ? round (shown * parts) / parts
                         : scale != 1 ? round (shown / step) * step
                                      : shown;

  return CLAMP (rounded / scale, p->minimum, p->maximum);
}

// A power of ten where the parameter's own step is no round number.
static double
whole_step (const OdlParameter *p, double scale)
{
  return scale == 1 ? p->step : pow (10, floor (log10 (p->step * scale) + 1e-9));
}

double
odl_slider_fine_step (const OdlParameter *p, double value, double scale)
{
  const double most = whole_step (p, scale);

  if (!(value > 0))
    return most / scale;
  return MIN (most, pow (10, floor (log10 (MAX (value, 1e-6) * scale)) - 1)) / scale;
}
