// SPDX-License-Identifier: MIT
// Pointer and wheel where the picture is three planes of a volume.
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "image/volume/oblique.h"
#include "widgets/diagnostics.h"
#include "widgets/viewport/private.h"
#include "widgets/viewport/wipe.h"

// Logical pixels: the two lines about what is under the pointer.
#define BELOW_VALUES 56
#define LINE 22 // of words
#define USUAL_BELOW 48 // two lines of a badge

OdlPlaneKind
odl_viewport_find_plane (OdlViewport *self, OdlPoint at, OdlVoxel *voxel)
{
  OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  if (!frame || !frame->planes || frame->source_serial != self->view_serial)
    return ODL_N_PLANES;
  const OdlPlanes planes = odl_planes_of (odl_image_info (frame->volume));
  *voxel = frame->voxel;
  const OdlPlaneKind plane = odl_planes_find (&planes, at.x, at.y, voxel);
  const OdlPlanesLook look = { .voxel = frame->voxel, .oblique = frame->oblique };
  const bool turned = frame->oblique.turned && plane == frame->oblique.plane;
  return !turned || odl_oblique_find (&planes, &look, at.x, at.y, voxel) ? plane
                                                                         : ODL_N_PLANES;
}

void
odl_viewport_point_at (OdlViewport *self, OdlPoint at)
{
  OdlVoxel voxel;
  if (odl_viewport_find_plane (self, at, &voxel) != ODL_N_PLANES)
    odl_session_set_voxel (self->session, &voxel);
}

bool
odl_viewport_step_plane (OdlViewport *self, int by)
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  OdlVoxel voxel;
  if (!frame || !frame->planes || !odl_session_shows_planes (self->session))
    return false;
  const OdlPlaneKind pointed
      = self->pointer_inside ? odl_viewport_find_plane (
            self, odl_viewport_to_image (self, self->pointer.x, self->pointer.y), &voxel)
                             : ODL_N_PLANES;
  if (pointed != ODL_N_PLANES)
    self->plane = pointed;
  const OdlOblique oblique = odl_session_oblique (self->session);
  const OdlPlanes planes = odl_planes_of (odl_image_info (frame->volume));
  int axis = planes.planes[self->plane].through, sign = planes.leads[axis];
  // Along the axis that it is most nearly across, so that as many steps back lead back.
  if (oblique.turned && oblique.plane == self->plane)
    axis = odl_oblique_through (&planes, &oblique, &sign);
  // Slices as they are stored go the way that the bar counts them.
  odl_session_step_voxel (self->session, axis, axis == 2 ? by : sign * by);
  return true;
}

// Slices are counted as they are stored. The text names the plane that they lie in, if
// the file says how the patient lies.
static char *
slice_text (const OdlFrame *frame)
{
  static const char *const names[]
      = { N_ ("Axial slice"), N_ ("Coronal slice"), N_ ("Sagittal slice") };
  const OdlImageInfo *volume = odl_image_info (frame->volume);
  const OdlPlanes planes = odl_planes_of (volume);
  int plane = 0;
  while (plane < ODL_N_PLANES - 1 && planes.planes[plane].through != 2)
    plane++;
  if (volume->patient_axes[2] == 0)
    return odl_diagnostics_frame (frame->voxel.at[2], volume->extent.z, true);
  return g_strdup_printf ("%s %d/%d", _ (names[plane]), frame->voxel.at[2] + 1,
                          volume->extent.z);
}

// The number that the file of a slice has in its series; NULL: none. Transfer full.
static char *
instance_of (OdlViewport *self, int64_t index)
{
  const char *numbers = odl_session_detail (self->session, "instance-numbers");
  while (numbers && index-- > 0 && (numbers = strchr (numbers, '\\')))
    numbers++;
  const size_t length = numbers ? strcspn (numbers, "\\") : 0;
  return length > 0 ? g_strndup (numbers, length) : NULL;
}

// Of a stack whose files have numbers: that of the slice, and where it stands.
static char *
stack_text (OdlViewport *self, const OdlFrame *frame, bool slices)
{
  OdlPlayback *playback = odl_session_playback (self->session);
  const int64_t group = odl_playback_group (playback);
  const int64_t n = group > 1 ? group : odl_playback_n_frames (playback);
  const int64_t first = group > 1 ? frame->index / group * group : 0;
  const int64_t at = frame->planes ? frame->voxel.at[2] : frame->index - first;
  g_autofree char *instance = instance_of (self, first + at);
  g_autofree char *plane = frame->planes ? slice_text (frame) : NULL;
  if (!instance)
    return plane ? g_steal_pointer (&plane) : odl_diagnostics_frame (at, n, slices);
  g_autofree char *image
      = odl_diagnostics_instance (instance, plane ? 0 : at + 1, (int) n);
  return plane ? g_strjoin (" · ", image, plane, NULL) : g_steal_pointer (&image);
}

char *
odl_viewport_picture_text (OdlViewport *self, const OdlFrame *frame)
{
  OdlPlayback *playback = odl_session_playback (self->session);
  const char *instance = odl_session_detail (self->session, "instance-number");
  const int64_t group = odl_playback_group (playback);
  if (group > 1) {
    g_autofree char *slice = stack_text (self, frame, true);
    g_autofree char *volume = odl_diagnostics_volume (
        frame->index / group, odl_playback_n_frames (playback) / group);
    return g_strjoin (" · ", slice, volume, NULL);
  }
  if (frame->planes || odl_playback_is_moving (playback))
    return stack_text (self, frame, odl_session_counts_slices (self->session));
  return instance && *instance ? odl_diagnostics_instance (instance, 0, 0) : NULL;
}

// ---- places -------------------------------------------------------------------------

// The room of a usual badge is kept without one, so that planes do not move when a filter
// or a mark comes. Less than a line of words more or less moves nothing: where they are
// narrow, words take more lines, which makes room for them.
void
odl_viewport_keep_below (OdlViewport *self, int height)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  GtkWidget *words = GTK_WIDGET (self->corners.lower);
  int top = self->badge.rgba ? self->badge_y / scale : height;
  if (gtk_widget_get_visible (words)) {
    GtkAllocation place;
    gtk_widget_get_allocation (words, &place);
    top = MIN (top, place.y);
  }
  const int below = MAX (height - top, MIN (USUAL_BELOW, height / 8)) * scale;
  // Recordings, which have no words, show the same part.
  if (self->capture
      || (below <= self->words_below && below > self->words_below - LINE * scale))
    return;
  self->words_below = below;
  odl_viewport_place_corners_again (self);
}

// ---- the wipe ------------------------------------------------------------------------

// Columns of the canvas that planes lie in, from left to right, as far as they are seen;
// how many there are.
static int
find_columns (const OdlFrame *frame,
              const OdlView *view,
              int width,
              int height,
              double columns[2][2])
{
  const OdlPlanes planes = odl_planes_of (odl_image_info (frame->volume));
  int n = 0;
  for (int p = 0; p < ODL_N_PLANES; p++) {
    const OdlPlanePlace *at = &planes.planes[p];
    const double a
        = odl_view_to_canvas (view, width, height, (OdlPoint){ at->x, at->y }).x;
    const double b
        = odl_view_to_canvas (view, width, height,
                              (OdlPoint){ at->x + at->width, at->y + at->height })
              .x;
    const double from = CLAMP (MIN (a, b), 0, width), end = CLAMP (MAX (a, b), 0, width);
    if (end - from < 1 || (n > 0 && from < columns[n - 1][1] && end > columns[n - 1][0])
        || (n == 2 && from < columns[0][1] && end > columns[0][0]))
      continue;
    const int place = n > 0 && from < columns[0][0] ? 0 : n;
    if (place < n)
      memcpy (columns[1], columns[0], sizeof columns[1]);
    columns[place][0] = from;
    columns[place][1] = end;
    n++;
  }
  return n;
}

// Three planes share an edge with each other, so no more than two columns are found.
static int
wipe_columns (OdlViewport *self, int width, int height, double columns[2][2])
{
  const OdlFrame *frame = self->session ? odl_session_frame (self->session) : NULL;
  OdlView view = self->view;
  odl_viewport_layout (self, &view, width, height);
  memset (columns, 0, 2 * sizeof columns[0]);
  const int n = frame && frame->planes && frame->source_serial == self->view_serial
                    ? find_columns (frame, &view, width, height, columns)
                    : 0;
  if (n > 0)
    return n;
  columns[0][0] = 0;
  columns[0][1] = width;
  return 1;
}

void
odl_viewport_place_wipe (OdlViewport *self, int width, int height, OdlScene *scene)
{
  double columns[2][2];
  const int n = wipe_columns (self, width, height, columns);
  int at[2] = { 0 };
  if (memcmp (columns, self->wipe_columns, sizeof columns) != 0)
    odl_viewport_place_corners_again (self);
  for (int i = 0; i < n; i++)
    at[i] = (int) round (columns[i][0]
                         + self->wipe_position * (columns[i][1] - columns[i][0]));
  scene->wipe_x = CLAMP (at[0], 1, width);
  if (n < 2)
    return;
  scene->again[0] = (int) floor (columns[1][0]);
  scene->again[1] = MAX (at[1], scene->again[0]);
}

int
odl_viewport_divider_end (OdlViewport *self, int x)
{
  GtkWidget *widget = GTK_WIDGET (self);
  return odl_viewport_panes (self, gtk_widget_get_width (widget)).second > 0
             ? gtk_widget_get_height (widget)
             : odl_viewport_badge_top (self, x - 1, x + 1);
}

// Where the second divider begins and ends, in device pixels: beside what its column
// shows, so that it crosses neither the value under the pointer nor the words below.
static void
find_second_reach (OdlViewport *self,
                   int width,
                   int height,
                   const double column[2],
                   int reach[2])
{
  const OdlFrame *frame = odl_session_frame (self->session);
  const OdlPlanes planes = odl_planes_of (odl_image_info (frame->volume));
  OdlView view = self->view;
  double top = height, bottom = 0;
  odl_viewport_layout (self, &view, width, height);
  for (int p = 0; p < ODL_N_PLANES; p++) {
    const OdlPlanePlace *at = &planes.planes[p];
    const OdlPoint a
        = odl_view_to_canvas (&view, width, height, (OdlPoint){ at->x, at->y });
    const OdlPoint b = odl_view_to_canvas (
        &view, width, height, (OdlPoint){ at->x + at->width, at->y + at->height });
    // The rendered view is as high as the planes beside it.
    if (!frame->renders && (a.x + b.x) / 2 < column[0])
      continue;
    top = fmin (top, fmin (a.y, b.y));
    bottom = fmax (bottom, fmax (a.y, b.y));
  }
  const int least = BELOW_VALUES * gtk_widget_get_scale_factor (GTK_WIDGET (self));
  reach[0] = (int) CLAMP (top, MIN (least, height), height);
  reach[1] = (int) CLAMP (bottom, reach[0], height);
}

// A plain divider, or the columns of planes, each of which has one; logical pixels. How
// many there are; *position is −1 where nothing is divided.
static int
find_dividers (OdlViewport *self,
               int width,
               int height,
               double columns[2][2],
               int reach[2],
               double *position)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const int pane = odl_viewport_panes (self, width).second;
  int n = 1;
  *position = self->show_original ? -1
              : pane > 0          ? (double) pane / width
                                  : self->wipe_position;
  columns[0][0] = reach[0] = 0;
  columns[0][1] = width;
  reach[1] = height * scale;
  if (!(self->wipe || self->beside) || *position < 0 || pane > 0)
    return n;
  n = wipe_columns (self, width * scale, height * scale, columns);
  if (n > 1)
    find_second_reach (self, width * scale, height * scale, columns[1], reach);
  memcpy (self->wipe_columns, columns, 2 * sizeof columns[0]);
  for (int i = 0; i < 2 * n; i++)
    columns[i / 2][i % 2] /= scale;
  return n;
}

int
odl_viewport_divider (OdlViewport *self, int width, int height)
{
  double columns[2][2] = { { 0 } }, position;
  int reach[2];
  find_dividers (self, width, height, columns, reach, &position);
  return (self->wipe || self->beside) && position >= 0
             ? (int) (columns[0][0] + position * (columns[0][1] - columns[0][0]))
             : 0;
}

void
odl_viewport_allocate_wipe (OdlViewport *self, int width, int height, int top)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  double columns[2][2] = { { 0 } }, position;
  int reach[2], ends[2];
  if (!self->wipe && !self->beside)
    return;
  const int n = find_dividers (self, width, height, columns, reach, &position);
  for (int i = 0; i < 2; i++)
    ends[i] = odl_viewport_divider_end (
        self, (int) (columns[i][0] + position * (columns[i][1] - columns[i][0])));
  odl_wipe_set_columns (self->wipe_bar, columns, n);
  const int starts[2] = { 0, reach[0] / scale };
  ends[1] = MIN (ends[1], reach[1] / scale);
  odl_wipe_set_ends (self->wipe_bar, starts, ends);
  odl_wipe_allocate (self->wipe_bar, width, height, position, top);
}

// ---- marks ---------------------------------------------------------------------------

// Translators: each voxel shown is the mean (or …) of those in a slab about the plane.
static char *
slab_text (OdlSlabKind kind, bool in_mm, double n)
{
  switch (kind) {
  case ODL_SLAB_MEAN:
    return g_strdup_printf (in_mm ? _ ("MEAN OF %g mm") : _ ("MEAN OF %g SLICES"), n);
  case ODL_SLAB_MAXIMUM:
    return g_strdup_printf (in_mm ? _ ("MAXIMUM OF %g mm") : _ ("MAXIMUM OF %g SLICES"),
                            n);
  case ODL_SLAB_MINIMUM:
    return g_strdup_printf (in_mm ? _ ("MINIMUM OF %g mm") : _ ("MINIMUM OF %g SLICES"),
                            n);
  default:
    return NULL;
  }
}

char *
odl_viewport_slab_mark (const OdlFrame *frame)
{
  const OdlSlab *slab = &frame->slab;
  if (!frame->planes || slab->kind == ODL_SLAB_SLICE)
    return NULL;
  const double mm = odl_planes_of (odl_image_info (frame->volume)).spacing_mm;
  char number[G_ASCII_DTOSTR_BUF_SIZE]; // three digits are enough
  g_ascii_formatd (number, sizeof number, "%.3g", slab->thickness * (mm > 0 ? mm : 1));
  return slab_text (slab->kind, mm > 0, g_ascii_strtod (number, NULL));
}

char *
odl_viewport_tilt_mark (OdlViewport *self, const OdlFrame *frame)
{
  const char *degrees = odl_session_detail (self->session, "gantry-tilt");
  return frame->planes && degrees && odl_session_is_of_source (self->session, frame)
             ? g_strdup_printf (_ ("GANTRY TILT %.1f°"), g_ascii_strtod (degrees, NULL))
             : NULL;
}

// Beside a gap, and where slices begin to lie closer or farther apart, for as long as one
// looks at it: what lies between is not seen.
char *
odl_viewport_gap_mark (OdlViewport *self, const OdlFrame *frame)
{
  double around[2];
  if (frame->planes || !odl_session_is_of_source (self->session, frame)
      || !odl_session_is_uneven (self->session, frame->index, around))
    return NULL;
  if (isnan (around[0]))
    return g_strdup_printf (_ ("SLICE DISTANCE CHANGES: %.1f mm AFTER"), around[1]);
  if (isnan (around[1]))
    return g_strdup_printf (_ ("SLICE DISTANCE CHANGES: %.1f mm BEFORE"), around[0]);
  // Translators: from this slice to the one before it, and to the one after it.
  return g_strdup_printf (_ ("SLICE DISTANCE CHANGES: %.1f mm BEFORE, %.1f mm AFTER"),
                          around[0], around[1]);
}

// ---- directions ----------------------------------------------------------------------

static void
fill_letters (const OdlPlanePlace *place,
              const OdlOblique *plane,
              const double axes[3][3],
              const OdlView *view,
              int width,
              int height,
              OdlPlaneLetters *out)
{
  const double end_x = place->x + place->width, end_y = place->y + place->height;
  const OdlPoint a
      = odl_view_to_canvas (view, width, height, (OdlPoint){ place->x, place->y });
  const OdlPoint b = odl_view_to_canvas (view, width, height, (OdlPoint){ end_x, end_y });
  const OdlPoint from = odl_view_to_image (view, width, height, (OdlPoint){ 0, 0 });
  double cosines[6];
  odl_oblique_cosines (plane, axes, cosines);
  *out = (OdlPlaneLetters){ MIN (a.x, b.x),   MIN (a.y, b.y), fabs (b.x - a.x),
                            fabs (b.y - a.y), { "" },         0 };
  for (int edge = 0; edge < ODL_N_EDGES; edge++) {
    const OdlPoint to = odl_view_to_image (view, width, height, odl_edge_steps[edge]);
    odl_directions_letters (cosines, (OdlPoint){ to.x - from.x, to.y - from.y },
                            out->letters[edge]);
  }
}

int
odl_viewport_plane_letters (OdlViewport *self,
                            const OdlFrame *frame,
                            const OdlRenderScene *render,
                            const OdlView *view,
                            int width,
                            int height,
                            OdlPlaneLetters letters[ODL_N_PLANES + 1])
{
  double axes[3][3] = { { 0 } };
  if (!frame->planes || !self->shows_corners
      || !odl_session_is_of_source (self->session, frame))
    return 0;
  const OdlPlanes planes = odl_planes_of (odl_image_info (frame->volume));
  const int known = odl_session_axes (self->session, axes);
  const int n = known == 3 ? ODL_N_PLANES : known == 2 ? 1 : 0;
  for (int p = 0; p < n; p++) {
    const bool turned = frame->oblique.turned && p == (int) frame->oblique.plane;
    const OdlOblique plane
        = turned ? frame->oblique : odl_oblique_straight (&planes, (OdlPlaneKind) p);
    fill_letters (&planes.planes[p], &plane, axes, view, width, height, &letters[p]);
  }
  if (!render || known < 3)
    return n;
  const OdlRenderPlace *place = &render->place;
  letters[n]
      = (OdlPlaneLetters){ place->x, place->y, place->width, place->height, { "" }, 0 };
  odl_render_letters (render, axes, letters[n].letters);
  return n + 1;
}
