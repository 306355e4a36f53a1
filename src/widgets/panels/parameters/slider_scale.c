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
odl_slider_value (const OdlParameter *p, double position)
{
  const double value
      = p->minimum + (p->maximum - p->minimum) * position * position * position;
  const double parts = round (1 / odl_slider_fine_step (p, value));

  return parts >= 1 ? round (value * parts) / parts : value;
}

double
odl_slider_fine_step (const OdlParameter *p, double value)
{
  if (!(value > 0))
    return p->step;
  return MIN (p->step, pow (10, floor (log10 (MAX (value, 1e-6))) - 1));
}
