// SPDX-License-Identifier: MIT
#include "cli/process/present.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "cli/verb.h"
#include "output/graphics.h"
#include "source/dicom/dicom.h"

bool
odl_process_read_state (const OdlProcessOptions *options,
                        OdlProcess *task,
                        GError **error)
{
  const char *path = options->presentation_state;

  if (path == NULL)
    return true;
  if (!task->work.format->shows || task->work.format->write == NULL
      || task->work.numbered)
    return odl_usage_error (
        error, _ ("--presentation-state is for single pictures as they are shown: name a "
                  "PNG, JPEG or WebP file after -o; --frame N takes one of several."));
  task->work.state = odl_presentation_read (path, NULL, error);
  task->work.window_said = options->window != NULL;
  task->work.orientation_said = options->orient != NULL;
  if (task->work.state == NULL || odl_presentation_applies (task->work.state))
    return task->work.state != NULL;
  g_autofree char *shown = g_filename_display_name (path);
  return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                        _ ("the presentation state %s is not one of grey levels (but of "
                           "colours or blending, for instance), and cannot be applied"),
                        shown);
}

// A quarter turn clockwise each, without and with left and right exchanged after it.
static const char *const orientations[4][2] = {
  { "0", "flip-h" },
  { "90", "transpose" },
  { "180", "flip-v" },
  { "270", "transverse" },
};

bool
odl_process_find_turn (const char *name, int *quarter_turns, bool *flip)
{
  for (int i = 0; i < 8; i++)
    if (g_str_equal (name, orientations[i / 2][i % 2])) {
      *quarter_turns = i / 2;
      *flip = i % 2;
      return true;
    }
  return false;
}

static bool
is_orientation (const OdlOrientation *orientation, const char *name)
{
  OdlOrientation other;

  return odl_orientation_find (name, &other) && other.swap == orientation->swap
         && other.from_right == orientation->from_right
         && other.from_bottom == orientation->from_bottom;
}

// Turns and crops, unless the options say how.
static void
arrange (const OdlProcess *task,
         const OdlPresentation *state,
         const OdlExtent *extent,
         OdlArrangement *into)
{
  if (!task->work.orientation_said)
    odl_orientation_find (orientations[state->quarter_turns][state->flip],
                          &into->orientation);
  const int left = MAX (state->left, 0), right = MIN (state->right, extent->x);
  const int top = MAX (state->top, 0), bottom = MIN (state->bottom, extent->y);
  if (into->width > 0 || !state->has_area || left >= right || top >= bottom)
    return;
  into->x = left;
  into->y = top;
  into->width = right - left;
  into->height = bottom - top;
}

// Words can be read as the picture will be turned.
static OdlOverlay *
draw (const OdlGraphics *graphics, const OdlExtent *extent, const OdlOrientation *turn)
{
  for (int i = 0; i < 4; i++)
    for (int flip = 0; flip < 2; flip++)
      if (is_orientation (turn, orientations[i][flip]))
        return odl_graphics_to_overlay (graphics, extent->x, extent->y, i, flip);
  return NULL;
}

static void
lay_over (OdlStill *still, const OdlGraphics *graphics)
{
  OdlImageInfo info = *odl_image_info (still->image);
  OdlImage *before = still->image;
  OdlOverlay *drawn = graphics != NULL ? draw (graphics, &info.extent,
                                               &still->shape.arrangement.orientation)
                                       : NULL;

  if (still->state->pixel_aspect > 0)
    info.pixel_aspect = still->state->pixel_aspect;
  info.overlay = odl_graphics_join_overlays (info.overlay, drawn);
  if (graphics != NULL && graphics->shutter != NULL) {
    info.shutter = graphics->shutter;
    info.shutter_level = graphics->shutter_level;
  }
  still->image = odl_image_with_info (before, &info);
  odl_overlay_unref (info.overlay);
  odl_overlay_unref (drawn);
  odl_image_unref (before);
}

bool
odl_process_present (const OdlProcess *task,
                     const OdlJob *job,
                     OdlStill *still,
                     GError **error)
{
  bool is_partial = false;

  still->window = task->work.window;
  still->shape = task->work.shape;
  if (task->work.state == NULL)
    return true;
  const OdlImageInfo *info = odl_image_info (still->image);
  g_autofree char *header = odl_dicom_read_header (job->input, NULL, NULL);
  g_autofree char *uid = odl_presentation_value (header ? header : "", "(0008,0018)");
  still->state = odl_presentation_parse (task->work.state, uid, task->work.frame);
  if (still->state == NULL)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("the presentation state is for other pictures or frames; "
                             "“info” names those that it is for"));
  if (odl_presentation_is_of_other (task->work.state, header))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("the presentation state has the number of another patient "
                             "than the picture, and is not applied"));
  if (!task->work.window_said)
    odl_presentation_window (still->state, &info->value_map, &still->window);
  still->window.invert ^= task->work.window.invert;
  arrange (task, still->state, &info->extent, &still->shape.arrangement);
  g_autoptr (OdlGraphics) graphics = odl_presentation_graphics (
      still->state, info->extent.x, info->extent.y, info->pixel_aspect, &is_partial);
  lay_over (still, graphics);
  if (is_partial || still->state->is_partial)
    odl_report_note (job->input,
                     _ ("the presentation state asks for more, which is not shown: such "
                        "as masks, the true size or damaged drawings"));
  return true;
}
