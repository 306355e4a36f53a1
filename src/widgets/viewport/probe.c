// SPDX-License-Identifier: MIT
// The value under the pointer: a label in the upper right corner of the canvas.
#include <glib/gi18n-lib.h>
#include <math.h>

#include "config.h"
#include "base/text.h"
#include "filter/strength.h"
#include "session/render/offscreen.h"
#include "widgets/viewport/private.h"

#define MARGIN 10

// The value of the original, and of the result if it is in memory: results on the
// graphics card are not read back for a label.
static char *
text_at (const OdlFrame *frame, int x, int y, const char *place)
{
  const bool filtered = frame->plan->result != frame->plan->source;
  const bool comparable = frame->result && frame->plan->view == ODL_VIEW_SYNTHESIS;
  OdlProbe before, after;
  if (!odl_probe (frame->input, frame->input, x, y, &before))
    return NULL;
  g_autofree char *original = odl_probe_to_text (frame->input, &before);
  if (!filtered)
    return g_strdup_printf ("%s: %s", place, original);
  if (!comparable || !odl_probe (frame->input, frame->result, x, y, &after)
      || after.channels != before.channels)
    // Translators: column, row (and slice): the value there before the filters.
    return g_strdup_printf (_ ("%s: original %s"), place, original);
  g_autofree char *tensor = odl_viewport_tensor_values (frame, &after);
  g_autofree char *processed
      = tensor ? g_steal_pointer (&tensor) : odl_probe_to_text (frame->input, &after);
  // Translators: column, row (and slice): the value there before and after the filters.
  return g_strdup_printf (_ ("%s: %s → %s"), place, original, processed);
}

// On the other side of the filter; NULL: that fails.
static OdlImage *
compute_other (const OdlFrame *frame)
{
  const OdlEngineChoice cpu = { odl_engine_find ("cpu"), NULL };
  OdlRecipe recipe = odl_recipe_at_strength (&frame->recipe);
  recipe.view
      = recipe.view == ODL_VIEW_ANALYSIS ? ODL_VIEW_FILTERED_ANALYSIS : ODL_VIEW_ANALYSIS;
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &frame->plan->geometry, NULL);
  g_autoptr (OdlOffscreen) offscreen = plan ? odl_offscreen_open (cpu, NULL) : NULL;
  return offscreen ? odl_offscreen_process (offscreen, plan, frame->input,
                                            (OdlMoment){ 0 }, NULL)
                   : NULL;
}

static void
compute_thread (GTask *task, void *object, void *frame, GCancellable *cancellable)
{
  g_task_return_pointer (task, compute_other (frame), (GDestroyNotify) odl_image_unref);
}

void
odl_viewport_forget_other (OdlViewport *self)
{
  g_clear_pointer (&self->other.of, odl_frame_unref);
  g_clear_pointer (&self->other.image, odl_image_unref);
}

static void
computed_cb (GObject *object, GAsyncResult *result, void *data)
{
  OdlViewport *self = ODL_VIEWPORT (object);
  g_autoptr (OdlImage) image = g_task_propagate_pointer (G_TASK (result), NULL);
  self->other.at_work = false;
  if (!self->session) // it was closed meanwhile
    return;
  odl_viewport_forget_other (self);
  self->other.of = odl_frame_ref (g_task_get_task_data (G_TASK (result)));
  self->other.image = g_steal_pointer (&image);
  odl_viewport_update_probe (self);
}

// The coefficients of `frame` on the other side of the filter; borrowed. NULL: there are
// none, or not yet: another thread computes them, and updates the label then.
static const OdlImage *
other_coefficients (OdlViewport *self, const OdlFrame *frame)
{
  if (self->other.of == frame)
    return self->other.image;
  if (self->other.at_work || !odl_view_is_analysis (frame->recipe.view)
      || odl_plan_frames (frame->plan) != 1
      || (odl_playback_is_moving (odl_session_playback (self->session))
          && odl_session_playing (self->session)))
    return NULL;
  self->other.at_work = true;
  g_autoptr (GTask) task = g_task_new (self, NULL, computed_cb, NULL);
  g_task_set_source_tag (task, other_coefficients);
  g_task_set_task_data (task, odl_frame_ref ((OdlFrame *) frame),
                        (GDestroyNotify) odl_frame_unref);
  g_task_run_in_thread (task, compute_thread);
  return NULL;
}

// A value of the picture of coefficients, in the unit of the file.
static char *
coefficient_at (const OdlFrame *frame, const OdlImage *image, OdlPoint at, bool is_detail)
{
  const OdlImageInfo *info = odl_image_info (frame->input);
  g_autofree float *row = g_new (float, (size_t) odl_image_info (image)->extent.x);
  odl_image_scaled_row (image, 0, (int) floor (at.y), 0, 0, row);
  const double fraction = (double) row[(int) floor (at.x)];
  const double range = info->stored_max - info->stored_min;
  const double value = fraction * range * info->value_map.slope;
  return is_detail ? odl_text_with_minus (g_strdup_printf ("%.4g", value))
                   : odl_probe_fraction_to_text (frame->input, fraction);
}

// Where pictures are not compared: level, band and place of the coefficient, and its
// value before and after the filter, if it is in memory. NULL: there are none.
static char *
coefficient_text (OdlViewport *self, const OdlFrame *frame, OdlPoint at)
{
  bool is_detail = false;
  g_autofree char *place = self->beside || self->wipe
                               ? NULL
                               : odl_viewport_place_in_band (self, at, &is_detail);
  const OdlImage *result = frame->result;
  if (!place || !result || odl_image_info (result)->channels > 1)
    return g_steal_pointer (&place);
  g_autofree char *text = coefficient_at (frame, result, at, is_detail);
  const OdlImage *other = other_coefficients (self, frame);
  if (!other || odl_image_info (other)->extent.x != odl_image_info (result)->extent.x
      || odl_image_info (other)->extent.y != odl_image_info (result)->extent.y)
    return g_strdup_printf ("%s: %s", place, text);
  g_autofree char *counterpart = coefficient_at (frame, other, at, is_detail);
  const bool before = frame->recipe.view == ODL_VIEW_ANALYSIS;
  return g_strdup_printf (_ ("%s: %s → %s"), place, before ? text : counterpart,
                          before ? counterpart : text);
}

// The voxel at a point of the picture; of a slice in its own plane. False: none.
static bool
find_voxel (OdlViewport *self, const OdlFrame *frame, OdlPoint at, OdlVoxel *voxel)
{
  const int64_t slices = MAX (odl_session_info (self->session)->n_slices, 1);
  *voxel = (OdlVoxel){ { (int) floor (at.x), (int) floor (at.y),
                         (int) (frame->index % slices) } };
  return !frame->planes || odl_viewport_find_plane (self, at, voxel) != ODL_N_PLANES;
}

// Where a voxel of a volume lies in the patient, and when, as far as the file says.
static char *
patient_place (OdlViewport *self, const OdlFrame *frame, OdlPoint at)
{
  const char *stands = odl_session_detail (self->session, "stands-on");
  const OdlImageInfo *info
      = odl_image_info (frame->planes ? frame->volume : frame->input);
  OdlVoxel voxel;
  if (!odl_session_is_volume (self->session) || !find_voxel (self, frame, at, &voxel))
    return NULL;
  const double place[] = { voxel.at[0], voxel.at[1], voxel.at[2] };
  // Quadrupeds have other words.
  const bool biped = !stands || !*stands || g_str_equal (stands, "BIPED");
  g_autofree char *where
      = biped ? odl_directions_place (
            odl_session_detail (self->session, "image-position"),
            odl_session_detail (self->session, "image-orientation"),
            odl_session_detail (self->session, "slice-step"), info->spacing_mm, place)
              : NULL;
  OdlPlayback *playback = odl_session_playback (self->session);
  if (odl_playback_group (playback) == 1 || odl_playback_uses_default_rate (playback))
    return g_steal_pointer (&where);
  g_autofree char *when
      = g_strdup_printf ("%.2f s", odl_playback_time_s (playback, frame->index));
  return where ? g_strdup_printf ("%s · %s", where, when) : g_steal_pointer (&when);
}

// Column and row; in three planes column, row and slice of the voxel, and of volumes over
// time always that and the volume. NULL: none.
static char *
place_of (OdlViewport *self, const OdlFrame *frame, OdlPoint at)
{
  const int64_t slices = odl_playback_group (odl_session_playback (self->session));
  const int volume = (int) (frame->index / slices);
  OdlVoxel voxel;
  if (!find_voxel (self, frame, at, &voxel))
    return NULL;
  if (!frame->planes && slices == 1)
    return g_strdup_printf ("%d, %d", voxel.at[0], voxel.at[1]);
  return slices == 1
             ? g_strdup_printf ("%d, %d, %d", voxel.at[0], voxel.at[1], voxel.at[2])
             : g_strdup_printf ("%d, %d, %d, %d", voxel.at[0], voxel.at[1], voxel.at[2],
                                volume);
}

// The keyboard's cursor takes precedence over the pointer.
static OdlPoint
pointed_at (OdlViewport *self)
{
  return self->annotating.has_cursor
             ? self->annotating.cursor
             : odl_viewport_to_image (self, self->pointer.x, self->pointer.y);
}

char *
odl_viewport_probe (OdlViewport *self, OdlPoint *pixel)
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  const OdlAnnotating *annotating = &self->annotating;
  if (!self->shows_values || !(self->pointer_inside || annotating->has_cursor) || !frame
      || frame->source_serial != self->view_serial || odl_viewport_shows_surface (self))
    return NULL;
  const OdlPoint at = pointed_at (self);
  *pixel = (OdlPoint){ floor (at.x) + 0.5, floor (at.y) + 0.5 };
  char *coefficient = coefficient_text (self, frame, at);
  if (coefficient)
    return coefficient;
  g_autofree char *place = place_of (self, frame, at);
  const int x = (int) floor (at.x), y = (int) floor (at.y);
  g_autofree char *text = place ? text_at (frame, x, y, place) : NULL;
  const OdlScale scale = odl_scale_of (odl_image_info (frame->input));
  g_autofree char *row = text ? odl_scale_row_text (&scale, x, y) : NULL;
  return row ? g_strconcat (text, " · ", row, NULL) : g_steal_pointer (&text);
}

// In captures the canvas draws it with its position, since they do not show the pointer.
void
odl_viewport_update_probe (OdlViewport *self)
{
  OdlPoint pixel;
  g_autofree char *value = odl_viewport_probe (self, &pixel);
  g_autofree char *place
      = value ? patient_place (self, odl_session_frame (self->session), pointed_at (self))
              : NULL;
  g_autofree char *text
      = place ? g_strconcat (value, "\n", place, NULL) : g_steal_pointer (&value);
  const bool other = g_strcmp0 (text ? text : "", gtk_label_get_text (self->probe)) != 0;
  gtk_widget_set_visible (GTK_WIDGET (self->probe), text && !self->capture);
  if (other)
    gtk_label_set_text (self->probe, text ? text : "");
  // Beside each other, both pictures have a cross there.
  if (other && (self->capture || self->beside))
    odl_viewport_redraw (self);
}

void
odl_viewport_move_pointer (OdlViewport *self, bool inside, double x, double y)
{
  OdlAnnotating *annotating = &self->annotating;
  const bool moved = inside && (x != self->pointer.x || y != self->pointer.y);
  const bool takes_over = moved && annotating->has_cursor && !annotating->drafting;
  self->pointer_inside = inside;
  self->pointer = (OdlPoint){ x, y };
  annotating->has_cursor &= !takes_over;
  odl_viewport_update_probe (self);
  if (self->magnifies)
    odl_viewport_update_lenses (self);
  if (takes_over || self->magnifies)
    odl_viewport_redraw (self);
}

void
odl_viewport_set_shows_values (OdlViewport *self, bool shows)
{
  self->shows_values = shows;
  odl_viewport_update_probe (self);
  odl_viewport_changed (self);
}

bool
odl_viewport_shows_values (OdlViewport *self)
{
  return self->shows_values;
}

void
odl_viewport_add_probe (OdlViewport *self)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_widget_add_css_class (label, "half");
  gtk_widget_add_css_class (label, "numeric");
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_RIGHT);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_can_target (label, FALSE);
  gtk_widget_set_visible (label, FALSE);
  gtk_widget_set_parent (label, GTK_WIDGET (self));
  self->probe = GTK_LABEL (label);
  self->shows_values = true;
}

void
odl_viewport_allocate_probe (OdlViewport *self, int width)
{
  GtkWidget *label = GTK_WIDGET (self->probe);
  int wanted, height;
  if (!gtk_widget_get_visible (label))
    return;
  gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &wanted, NULL, NULL);
  wanted = MIN (wanted, MAX (width - 2 * MARGIN, 1));
  gtk_widget_measure (label, GTK_ORIENTATION_VERTICAL, wanted, NULL, &height, NULL, NULL);
  gtk_widget_size_allocate (
      label, &(GtkAllocation){ width - MARGIN - wanted, MARGIN, wanted, height }, -1);
}
