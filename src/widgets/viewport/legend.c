// SPDX-License-Identifier: MIT
// What the colours of a colour map mean, or the greys of a result that has a window of
// its own, as a bar with values; and the bands of a view of coefficients.
#include <math.h>

#include "base/text.h"
#include "plan/result_window.h"
#include "widgets/viewport/legend.h"
#include "widgets/viewport/private.h"

#define LEAST_SHARE 5e-4 // less is 0

static char *
value_text (const OdlImageInfo *info, double value)
{
  const char *unit = info->value_map.unit;
  const bool bare = !unit || !*unit;
  return odl_text_with_minus (
      g_strdup_printf ("%.4g%s%s", value, bare ? "" : " ", bare ? "" : unit));
}

static const char *
tensor_output (const OdlFrame *frame)
{
  return frame->difference ? NULL : odl_result_tensor_output (&frame->recipe);
}

// Whether it is of a kernel whose sum is 0.
static bool
swings (const OdlFrame *frame)
{
  return !frame->difference
         && odl_result_swing (&frame->recipe, frame->plan->geometry.operands) > 0;
}

// Its results are no values in the unit of the file, but shares of full scale; cosine and
// sine of twice the direction in which samples change, which arrows show, from −1 to 1.
static char *
tensor_text (const OdlImageInfo *info, const char *output, double value)
{
  static const struct {
    const char *output, *below, *above;
  } directions[] = { { "cosine", "↕", "↔" }, { "sine", "↗", "↘" } };
  const OdlValueMap *map = &info->value_map;
  const double stored = (value - map->intercept) / map->slope;
  const double exact
      = (stored - info->stored_min) / (info->stored_max - info->stored_min);
  // Where a file's least value is 1, a black of 0 would be a share just below 0.
  const double share = fabs (exact) < LEAST_SHARE ? 0 : exact;
  for (size_t i = 0; i < G_N_ELEMENTS (directions); i++)
    if (g_str_equal (output, directions[i].output))
      return odl_text_with_minus (
          g_strdup_printf ("%.2g %s", 2 * share - 1,
                           share < 0.5 ? directions[i].below : directions[i].above));
  return g_strdup_printf ("%.2g", share);
}

bool
odl_viewport_shows_tensor (OdlViewport *self)
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  return frame && !self->show_original && tensor_output (frame);
}

bool
odl_viewport_has_own_window (OdlViewport *self)
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  return frame && !self->show_original && (tensor_output (frame) || swings (frame));
}

OdlWindow
odl_viewport_result_window (OdlViewport *self, const OdlFrame *frame)
{
  return frame->difference
             ? self->window
             : odl_result_window (&frame->recipe, frame->plan->geometry.operands,
                                  odl_image_info (frame->input), &self->window);
}

OdlDetailMeasuring *
odl_viewport_details (OdlViewport *self, const OdlRecipe *recipe)
{
  OdlFrame *frame = odl_session_frame (self->session);
  return frame ? odl_detail_meter_measuring (self->detail_meter, frame, recipe) : NULL;
}

char *
odl_viewport_tensor_values (const OdlFrame *frame, const OdlProbe *probe)
{
  const char *tensor = tensor_output (frame);
  if (!tensor)
    return NULL;
  GString *text = g_string_new (NULL);
  for (int i = 0; i < probe->channels; i++) {
    g_autofree char *value
        = tensor_text (odl_image_info (frame->input), tensor, probe->values[i]);
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", value);
  }
  return g_string_free (text, false);
}

void
odl_viewport_make_legend (OdlViewport *self,
                          const OdlFrame *frame,
                          const OdlDisplay *display,
                          OdlLegend *legend)
{
  const OdlImageInfo *info = odl_image_info (frame->input);
  double black, white;
  *legend = (OdlLegend){ 0 };
  if (odl_viewport_shows_surface (self))
    return;
  const bool has_bands = self->shows_corners && !self->show_original;
  legend->details = has_bands ? display->details : ODL_NO_DETAILS;
  legend->of_volume = odl_plan_has_octants (frame->plan);
  legend->width = info->extent.x;
  legend->height = info->extent.y;
  const char *tensor = self->show_original ? NULL : tensor_output (frame);
  if ((!display->map && !tensor && (self->show_original || !swings (frame)))
      || (!self->show_original && odl_details_are_residual (&display->details)))
    return;
  const OdlWindow window = odl_viewport_result_window (self, frame);
  odl_display_ends (info, self->show_original ? &self->window : &window, &black, &white);
  legend->display = *display;
  legend->low = tensor ? tensor_text (info, tensor, black) : value_text (info, black);
  legend->high = tensor ? tensor_text (info, tensor, white) : value_text (info, white);
}

void
odl_legend_clear (OdlLegend *legend)
{
  g_clear_pointer (&legend->low, g_free);
  g_clear_pointer (&legend->high, g_free);
}
