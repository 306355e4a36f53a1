// SPDX-License-Identifier: MIT
// Grey levels of a measured screen, on the canvas alone: what is saved, copied or
// recorded is for other screens, too.
#include "widgets/viewport/private.h"

void
odl_viewport_set_screen (OdlViewport *self, const OdlMonitor *screen)
{
  odl_viewport_clear_screen (self);
  if (screen) {
    self->screen = *screen;
    self->screen_curve = odl_monitor_curve (screen);
  }
  odl_viewport_redraw (self);
  odl_viewport_changed (self);
}

void
odl_viewport_clear_screen (OdlViewport *self)
{
  for (size_t i = 0; i < G_N_ELEMENTS (self->on_screen); i++) {
    odl_curve_unref (self->on_screen[i].from);
    odl_curve_unref (self->on_screen[i].to);
    self->on_screen[i] = (OdlOnScreen){ 0 };
  }
  g_clear_pointer ((OdlCurve **) &self->screen_curve, odl_curve_unref);
}

const OdlMonitor *
odl_viewport_screen (OdlViewport *self)
{
  return self->screen_curve ? &self->screen : NULL;
}

// The two displays of a scene each have a table of their own.
void
odl_viewport_calibrate (OdlViewport *self,
                        const OdlImageInfo *info,
                        bool original,
                        OdlDisplay *display)
{
  OdlOnScreen *known = &self->on_screen[original];
  if (!self->screen_curve || self->capture || info->channels != 1 || display->map
      || display->details.levels > 0)
    return;
  if (!known->to || known->from != display->curve || known->invert != display->invert) {
    OdlCurve *to
        = odl_curve_on_monitor (display->curve, display->invert, self->screen_curve);
    const OdlCurve *from = odl_curve_ref (display->curve);
    odl_curve_unref (known->from);
    odl_curve_unref (known->to);
    *known = (OdlOnScreen){ from, to, display->invert };
  }
  display->curve = known->to;
}
