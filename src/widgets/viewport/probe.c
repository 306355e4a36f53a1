// SPDX-License-Identifier: MIT
// The value under the pointer: a label in the upper right corner of the canvas.
#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/viewport/private.h"

#define MARGIN 10

// The value of the original, and that of the result.
static char *
text_at (OdlViewport *self, const OdlFrame *frame, int x, int y, const char *place)
{
  const bool filtered = frame->plan->result != frame->plan->source;
  const bool known = frame->result && frame->plan->view == ODL_VIEW_SYNTHESIS;
  const OdlBeforeAfter shown
      = { .before = known ? odl_frame_before (frame) : frame->input,
          .after = frame->result };
  // Where coefficients lie beside the original, they have no value of its pixels.
  const bool sought = filtered && !known && !odl_view_is_analysis (frame->recipe.view)
                      && !odl_frame_compares (frame);
  const OdlBeforeAfter *found = sought ? odl_viewport_before_after (self, frame) : NULL;
  const OdlBeforeAfter *pair = found ? found : &shown;
  OdlProbe before, after;
  if (!odl_probe (frame->input, pair->before, x, y, &before))
    return NULL;
  before.unit = odl_units_of (self->session);
  g_autofree char *original = odl_probe_to_text (frame->input, &before);
  if (!filtered)
    return g_strdup_printf ("%s: %s", place, original);
  if (sought && odl_viewport_why_no_before_after (frame))
    return g_strdup_printf (_ ("%s: %s → %s"), place, original,
                            odl_viewport_why_no_before_after (frame));
  if ((!known && !found) || !odl_probe (frame->input, pair->after, x, y, &after)
      || after.channels != before.channels)
    // Translators: column, row (and slice): the value there before the filters.
    return g_strdup_printf (_ ("%s: original %s"), place, original);
  after.unit = before.unit;
  g_autofree char *tensor = odl_viewport_tensor_values (frame, &after);
  const bool tensor_is_shown = tensor != NULL;
  g_autofree char *processed
      = tensor ? g_steal_pointer (&tensor) : odl_probe_to_text (frame->input, &after);
  if (frame->plan->view == ODL_VIEW_RESIDUAL && !tensor_is_shown) {
    g_autofree char *taken = odl_probe_residual_to_text (frame->input, &before, &after);
    // Translators: column, row (and slice): what the filters take away there, which is
    // shown, and the value before and after them.
    return g_strdup_printf (_ ("%s: taken away %s (%s → %s)"), place, taken, original,
                            processed);
  }
  // Translators: column, row (and slice): the value there before and after the filters.
  return g_strdup_printf (_ ("%s: %s → %s"), place, original, processed);
}

// A value of the picture of coefficients, in the unit of the file, of colours one for
// each channel. NULL: there is none.
static char *
coefficient_at (OdlViewport *self,
                const OdlFrame *frame,
                const OdlImage *image,
                OdlPoint at,
                bool is_detail)
{
  OdlProbe probe;
  if (!image
      || !odl_probe (frame->input, image, (int) floor (at.x), (int) floor (at.y), &probe))
    return NULL;
  probe.unit = odl_units_of (self->session);
  return is_detail ? odl_probe_difference_to_text (frame->input, &probe)
                   : odl_probe_to_text (frame->input, &probe);
}

// Where a picture is compared with its coefficients, which have one column of it. The
// keyboard's cursor stands beside in both: there the coefficient is told.
static bool
points_at_original (OdlViewport *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const int width = gtk_widget_get_width (widget);
  const int second = odl_viewport_panes (self, width).second;
  if (!self->beside && !self->wipe)
    return false;
  if (!self->annotating.has_cursor)
    return self->pointer.x < (second > 0 ? second : self->wipe_position * width);
  const int scale = gtk_widget_get_scale_factor (widget);
  const OdlPoint cursor = odl_view_to_canvas (&self->view, width * scale,
                                              gtk_widget_get_height (widget) * scale,
                                              self->annotating.cursor);
  return second == 0 && cursor.x < self->wipe_position * width * scale;
}

// Of the picture that is pointed at: level, band and place of the coefficient, and its
// value before and after the filter. NULL: there are none.
static char *
coefficient_text (OdlViewport *self, const OdlFrame *frame, OdlPoint at)
{
  bool is_detail = false;
  g_autofree char *place = points_at_original (self)
                               ? NULL
                               : odl_viewport_place_in_band (self, at, &is_detail);
  if (!place)
    return NULL;
  const OdlBeforeAfter *pair = odl_viewport_before_after (self, frame);
  const bool first = !odl_view_is_filtered (frame->recipe.view);
  g_autofree char *shown = coefficient_at (self, frame, frame->result, at, is_detail);
  g_autofree char *before
      = pair ? coefficient_at (self, frame, pair->before, at, is_detail) : NULL;
  g_autofree char *after
      = pair ? coefficient_at (self, frame, pair->after, at, is_detail) : NULL;
  const char *unknown = odl_viewport_why_no_before_after (frame);
  if (before && after)
    return g_strdup_printf (_ ("%s: %s → %s"), place, before, after);
  if (shown && unknown)
    return g_strdup_printf (_ ("%s: %s → %s"), place, first ? shown : unknown,
                            first ? unknown : shown);
  const char *single = shown ? shown : unknown;
  return single ? g_strdup_printf ("%s: %s", place, single) : g_steal_pointer (&place);
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
  // Coefficients lie where their bands are, and not in the patient.
  const bool elsewhere
      = odl_view_is_analysis (frame->plan->view) && !points_at_original (self);
  if (elsewhere || !odl_session_is_volume (self->session)
      || !find_voxel (self, frame, at, &voxel))
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

// Column and row, from 0; in three planes also the slice, and of volumes over time always
// slice and volume, from 1 as in the corner. NULL: none.
static char *
place_of (OdlViewport *self, const OdlFrame *frame, OdlPoint at)
{
  const int64_t slices = odl_playback_group (odl_session_playback (self->session));
  OdlVoxel voxel;
  if (!find_voxel (self, frame, at, &voxel))
    return NULL;
  if (!frame->planes && slices == 1)
    return g_strdup_printf ("%d, %d", voxel.at[0], voxel.at[1]);
  // Translators: column and row of a voxel, and its slice.
  g_autofree char *place = g_strdup_printf (_ ("%d, %d, slice %d"), voxel.at[0],
                                            voxel.at[1], voxel.at[2] + 1);
  return slices == 1
             ? g_steal_pointer (&place)
             // Translators: a voxel, and the number of its volume among those over time.
             : g_strdup_printf (_ ("%s, volume %d"), place,
                                (int) (frame->index / slices) + 1);
}

// The keyboard's cursor takes precedence over the pointer.
static OdlPoint
pointed_at (OdlViewport *self)
{
  return self->annotating.has_cursor
             ? self->annotating.cursor
             : odl_viewport_to_image (self, self->pointer.x, self->pointer.y);
}

// Of a pixel of a PET picture as it came. NULL: it is none, or the file does not say all
// that is needed.
static char *
suv_text (OdlViewport *self, const OdlFrame *frame, int x, int y)
{
  const double factor = odl_viewport_suv_factor (self);
  OdlProbe probe;
  if (factor == 0 || !odl_probe (frame->input, frame->input, x, y, &probe)
      || probe.channels != 1)
    return NULL;
  return g_strdup_printf ("SUVbw %.4g", factor * probe.values[0]);
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
  g_autofree char *text = place ? text_at (self, frame, x, y, place) : NULL;
  const OdlScale scale = odl_scale_of (odl_image_info (frame->input));
  g_autofree char *suv = text ? suv_text (self, frame, x, y) : NULL;
  if (suv)
    return g_strconcat (text, " · ", suv, NULL);
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
  GtkWidget *widget = GTK_WIDGET (self);
  OdlPoint *in_window = &self->pointer_in_window;
  self->pointer_inside = inside;
  self->pointer = (OdlPoint){ x, y };
  if (inside && gtk_widget_get_root (widget))
    gtk_widget_translate_coordinates (widget, GTK_WIDGET (gtk_widget_get_root (widget)),
                                      x, y, &in_window->x, &in_window->y);
  annotating->has_cursor &= !takes_over;
  odl_viewport_update_probe (self);
  if (self->magnifies)
    odl_viewport_update_lenses (self);
  if (takes_over || self->magnifies)
    odl_viewport_redraw (self);
}

static gboolean
find_pointer_cb (void *data)
{
  OdlViewport *self = data;
  GtkWidget *widget = GTK_WIDGET (self);
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (widget));
  OdlPoint at;

  self->pointer_id = 0;
  if (!self->pointer_inside || !window
      || !gtk_widget_translate_coordinates (window, widget, self->pointer_in_window.x,
                                            self->pointer_in_window.y, &at.x, &at.y)
      || (at.x == self->pointer.x && at.y == self->pointer.y))
    return G_SOURCE_REMOVE;
  self->pointer = at;
  self->pointer_inside = gtk_widget_contains (widget, at.x, at.y);
  odl_viewport_changed (self);
  return G_SOURCE_REMOVE;
}

// Of a pointer that rests there is no event where a panel or a row of words comes or
// goes.
void
odl_viewport_find_pointer (OdlViewport *self)
{
  if (self->pointer_inside && !self->pointer_id)
    self->pointer_id = g_idle_add_full (G_PRIORITY_DEFAULT, find_pointer_cb, self, NULL);
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
odl_viewport_set_saves_values (OdlViewport *self, bool saves)
{
  self->saves_values = saves;
  odl_viewport_changed (self);
}

bool
odl_viewport_saves_values (OdlViewport *self)
{
  return self->saves_values;
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
