// SPDX-License-Identifier: MIT
// What the colours of a colour map mean, as a bar with values; and the bands of a view of
// coefficients.
#include "config.h"
#include "widgets/viewport/private.h"

static char *
value_text (const OdlImageInfo *info, double value)
{
  const char *unit = info->value_map.unit;
  const bool bare = !unit || !*unit;
  return g_strdup_printf ("%.4g%s%s", value, bare ? "" : " ", bare ? "" : unit);
}

void
odl_viewport_make_legend (OdlViewport *self,
                          const OdlFrame *frame,
                          const OdlDisplay *display,
                          OdlLegend *legend)
{
  const OdlImageInfo *info = odl_image_info (frame->input);
  double centre, width;
  *legend = (OdlLegend){ 0 };
  if (odl_viewport_shows_surface (self))
    return;
  const bool has_bands = self->shows_corners && !self->show_original;
  legend->details = has_bands ? display->details : ODL_NO_DETAILS;
  legend->width = info->extent.x;
  legend->height = info->extent.y;
  if (!display->map
      || (!self->show_original && odl_details_are_residual (&display->details)))
    return;
  odl_display_window (info, &self->window, &centre, &width);
  legend->display = *display;
  legend->low = value_text (info, centre - width / 2);
  legend->high = value_text (info, centre + width / 2);
}

void
odl_legend_clear (OdlLegend *legend)
{
  g_clear_pointer (&legend->low, g_free);
  g_clear_pointer (&legend->high, g_free);
}
