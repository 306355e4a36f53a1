// SPDX-License-Identifier: MIT
#include "widgets/transport/seek_bar.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "session/player/frame_cache.h"
#include "widgets/diagnostics.h"
#include "widgets/transport/range_handle.h"

// Frames are read ahead while nothing else moves.
#define MARKS_INTERVAL_MS 300
#define MAX_MARKS 400

// Pixels.
#define LINE 2
#define SEAM 1 // between the handles of a range of one frame

enum { FIRST, LAST, N_ENDS };

enum { SIGNAL_RANGE_CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

struct _OdlSeekBar {
  GtkScale parent_instance;
  OdlSession *session;
  gboolean held; // the slider or a handle is held by the pointer
  bool grabbed; // the slider is held by the pointer and stays there
  bool resume; // was playing when the drag began
  GtkWidget *handles[N_ENDS]; // of the range
  int64_t first, last, n; // the range as it is drawn, and frames in all
  int n_marks;
  uint8_t marks[MAX_MARKS];
  guint marks_id;
};

G_DEFINE_FINAL_TYPE (OdlSeekBar, odl_seek_bar, GTK_TYPE_SCALE)

// ---- what is shown -------------------------------------------------------------------

// The bar goes along time: of volumes over time by volumes, else by frames.
static OdlPlayback *
playback_of (OdlSeekBar *self)
{
  return odl_session_playback (self->session);
}

static int64_t
count_of (OdlSeekBar *self)
{
  OdlPlayback *playback = playback_of (self);
  return odl_playback_n_frames (playback) / odl_playback_group (playback);
}

// Of the picture on screen, as the number says; of the one that was asked for until it is
// there.
static int64_t
position_of (OdlSeekBar *self)
{
  OdlPlayback *playback = playback_of (self);
  const OdlFrame *frame = odl_session_frame (self->session);
  const int64_t index = frame && !odl_playback_is_seeking (playback)
                            ? frame->index
                            : odl_playback_position (playback);
  return index / odl_playback_group (playback);
}

char *
odl_seek_bar_place (OdlSession *session, int64_t index)
{
  const OdlSourceInfo *info = odl_session_info (session);
  const bool slices = odl_session_counts_slices (session);
  OdlPlayback *playback = odl_session_playback (session);
  const OdlRecipe *recipe = odl_session_recipe (session);
  // Coefficients of a volume lie where their bands are, and not in the patient.
  if (slices && odl_view_is_analysis (recipe->view) && odl_recipe_is_volumetric (recipe))
    return g_strdup ("");
  // Where the file gives no speed, times would be invented.
  if (!slices && !info->is_stack)
    return odl_playback_uses_default_rate (playback) ? g_strdup ("") : NULL;
  const OdlSlicePlaces *places = slices ? odl_session_slice_places (session) : NULL;
  return places && index >= 0 && index < places->n
             ? g_strdup_printf (_ ("%.1f mm"), places->along[index])
             : g_strdup ("");
}

static char *
text_of (OdlSeekBar *self, int64_t index, int64_t n)
{
  const int64_t group = odl_playback_group (playback_of (self));
  g_autofree char *frame
      = group > 1
            ? odl_diagnostics_volume (index, n)
            : odl_diagnostics_frame (index, n, odl_session_counts_slices (self->session));
  g_autofree char *place = odl_seek_bar_place (self->session, index * group);
  if (place && *place == '\0')
    return g_steal_pointer (&frame);
  g_autofree char *time = odl_diagnostics_time (
      odl_playback_time_s (playback_of (self), index * group),
      odl_playback_length_s (odl_session_playback (self->session)));
  return g_strdup_printf ("%s, %s", frame, place ? place : time);
}

static void
describe (OdlSeekBar *self, int64_t index, int64_t n)
{
  g_autofree char *text = text_of (self, index, n);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

static void
update_marks (OdlSeekBar *self)
{
  uint8_t marks[MAX_MARKS];
  const int64_t n = count_of (self);
  int n_marks = (int) MIN (MIN (n, MAX_MARKS), gtk_widget_get_width (GTK_WIDGET (self)));
  if (n_marks < 1
      || !odl_playback_mark (odl_session_playback (self->session), n_marks, marks))
    n_marks = 0;
  if (n_marks == self->n_marks && memcmp (marks, self->marks, (size_t) n_marks) == 0)
    return;
  self->n_marks = n_marks;
  memcpy (self->marks, marks, (size_t) n_marks);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
marks_cb (void *data)
{
  update_marks (data);
  return G_SOURCE_CONTINUE;
}

// Where values lie: the middle of the slider goes from `origin` to origin + length, which
// is negative from right to left.
typedef struct {
  float origin, length;
  float top, bottom; // of the trough
} Track;

// The slider overhangs the trough's rounded ends, so that its middle goes from the middle
// of one round to that of the other. (In GTK 4.8 gtk_range_get_slider_range says
// otherwise.)
static Track
track_of (OdlSeekBar *self)
{
  GdkRectangle trough;
  gtk_range_get_range_rect (GTK_RANGE (self), &trough);
  Track track = {
    .origin = trough.x + trough.height / 2.0f,
    .length = MAX (trough.width - trough.height, 1),
    .top = trough.y,
    .bottom = trough.y + trough.height,
  };
  if (gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL) {
    track.origin += track.length;
    track.length = -track.length;
  }
  return track;
}

static bool
is_whole (const OdlSeekBar *self)
{
  return self->first <= 0 && self->last >= self->n - 1;
}

// Updates the limits of the handles immediately, since keys may arrive faster than
// layouts.
static void
update_handles (OdlSeekBar *self)
{
  const Track track = track_of (self);
  for (int end = 0; end < N_ENDS; end++) {
    const OdlRangeHandleState state = {
      .lowest = end == FIRST ? 0 : self->first,
      .highest = end == FIRST ? self->last : self->n - 1,
      .frame = end == FIRST ? self->first : self->last,
      .n = self->n,
      .origin = track.origin,
      .length = track.length,
    };
    g_autofree char *text = text_of (self, state.frame, self->n);
    odl_range_handle_update (ODL_RANGE_HANDLE (self->handles[end]), &state, text);
    if (is_whole (self))
      gtk_widget_remove_css_class (self->handles[end], "set");
    else
      gtk_widget_add_css_class (self->handles[end], "set");
  }
}

void
odl_seek_bar_update (OdlSeekBar *self)
{
  GtkAdjustment *adjustment = gtk_range_get_adjustment (GTK_RANGE (self));
  const int64_t n = count_of (self);
  const int64_t group = odl_playback_group (playback_of (self));
  const int64_t first = odl_playback_range (playback_of (self)).first / group;
  const int64_t last = odl_playback_range (playback_of (self)).last / group;
  if (n < 1)
    return;
  if (gtk_adjustment_get_upper (adjustment) != (double) (n - 1)) {
    gtk_adjustment_set_upper (adjustment, (double) (n - 1));
    gtk_adjustment_set_page_increment (adjustment, (double) MAX (n / 10, 1));
  }
  if (!self->grabbed) {
    const int64_t index = position_of (self);
    gtk_adjustment_set_value (adjustment, (double) index);
    describe (self, index, n);
  }
  if (first != self->first || last != self->last || n != self->n) {
    self->first = first;
    self->last = last;
    self->n = n;
    update_handles (self);
    gtk_widget_queue_allocate (GTK_WIDGET (self)); // the handles move
  }
}

void
odl_seek_bar_set_session (OdlSeekBar *self, OdlSession *session)
{
  g_set_object (&self->session, session);
}

// ---- drawing -------------------------------------------------------------------------

static void
fill (GtkSnapshot *snapshot, const GdkRGBA *colour, float x0, float x1, float y, float h)
{
  graphene_rect_t rect;
  graphene_rect_init (&rect, MIN (x0, x1), y, MAX (ABS (x1 - x0), LINE), h);
  gtk_snapshot_append_color (snapshot, colour, &rect);
}

static void
draw_marks (OdlSeekBar *self,
            GtkSnapshot *snapshot,
            const Track *track,
            const GdkRGBA *text,
            const GdkRGBA *error)
{
  GdkRGBA cached = *text;
  cached.alpha *= 0.4f;
  for (int begin = 0; begin < self->n_marks;) {
    int end = begin + 1;
    while (end < self->n_marks && self->marks[end] == self->marks[begin])
      end++;
    const float x0 = track->origin + track->length * begin / self->n_marks;
    const float x1 = track->origin + track->length * end / self->n_marks;
    if (self->marks[begin] & ODL_MARK_DAMAGED)
      fill (snapshot, error, x0, x1, track->bottom, 2 * LINE);
    else if (self->marks[begin] & ODL_MARK_CACHED)
      fill (snapshot, &cached, x0, x1, track->bottom, LINE);
    begin = end;
  }
}

static float
place_of (const OdlSeekBar *self, const Track *track, int64_t frame)
{
  return track->origin + track->length * (float) frame / (float) MAX (self->n - 1, 1);
}

static void
draw_range (OdlSeekBar *self, GtkSnapshot *snapshot, const Track *track, GdkRGBA *colour)
{
  if (!is_whole (self))
    fill (snapshot, colour, place_of (self, track, self->first),
          place_of (self, track, self->last), track->top - LINE, LINE);
}

// A line across the trough where slices are missing or their distance changes.
static void
draw_gaps (OdlSeekBar *self, GtkSnapshot *snapshot, const Track *track, GdkRGBA *colour)
{
  double around[2];
  for (int64_t i = 0; i < self->n && odl_session_slice_places (self->session); i++) {
    const float at = place_of (self, track, i);
    if (odl_session_is_uneven (self->session, i, around)
        || odl_session_lacks_frame (self->session, i))
      fill (snapshot, colour, at - LINE / 2.0f, at + LINE / 2.0f, track->top - 2 * LINE,
            track->bottom - track->top + 4 * LINE);
  }
}

// The start handle is placed before its frame and the end handle after it, so that both
// can be dragged if the range is one frame.
static void
allocate_handle (OdlSeekBar *self, const Track *track, int end)
{
  GtkRequisition size;
  gtk_widget_get_preferred_size (self->handles[end], &size, NULL);
  const float at = place_of (self, track, end == FIRST ? self->first : self->last);
  const bool left = (end == FIRST) == (track->length > 0);
  const GtkAllocation place = {
    .x = left ? (int) at - size.width : (int) at + SEAM,
    .y = (int) track->top - size.height,
    .width = size.width,
    .height = size.height,
  };
  gtk_widget_size_allocate (self->handles[end], &place, -1);
}

static void
odl_seek_bar_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  OdlSeekBar *self = ODL_SEEK_BAR (widget);
  GTK_WIDGET_CLASS (odl_seek_bar_parent_class)
      ->size_allocate (widget, width, height, baseline);
  if (!self->session)
    return;
  const Track track = track_of (self);
  for (int end = 0; end < N_ENDS; end++)
    allocate_handle (self, &track, end);
  update_handles (self);
}

static void
odl_seek_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  OdlSeekBar *self = ODL_SEEK_BAR (widget);
  GtkStyleContext *style = gtk_widget_get_style_context (widget);
  GdkRGBA text, accent, error, warning;
  GTK_WIDGET_CLASS (odl_seek_bar_parent_class)->snapshot (widget, snapshot);
  gtk_style_context_get_color (style, &text);
  if (!gtk_style_context_lookup_color (style, "accent_color", &accent))
    accent = text;
  if (!gtk_style_context_lookup_color (style, "error_color", &error))
    error = text;
  if (!gtk_style_context_lookup_color (style, "warning_color", &warning))
    warning = text;
  const Track track = track_of (self);
  draw_marks (self, snapshot, &track, &text, &error);
  draw_range (self, snapshot, &track, &accent);
  draw_gaps (self, snapshot, &track, &warning);
}

// ---- pointer and keys ----------------------------------------------------------------

static gboolean
odl_seek_bar_change_value (GtkRange *range, GtkScrollType scroll, double value)
{
  OdlSeekBar *self = ODL_SEEK_BAR (range);
  const int64_t n = count_of (self);
  const int64_t index = CLAMP ((int64_t) (value + 0.5), 0, MAX (n - 1, 0));
  if (index != position_of (self))
    odl_playback_seek_group (playback_of (self), index);
  if (self->grabbed)
    describe (self, index, n);
  return GTK_RANGE_CLASS (odl_seek_bar_parent_class)->change_value (range, scroll, value);
}

// Playback pauses while the slider or a handle is held; otherwise the picture would not
// follow the pointer.
static void
set_held (OdlSeekBar *self, gboolean held)
{
  if (held == self->held)
    return;
  self->held = held;
  if (held) {
    self->resume = odl_session_playing (self->session);
    odl_session_set_playing (self->session, false);
  } else if (self->resume) {
    odl_session_set_playing (self->session, true);
  }
}

static void
grab (OdlSeekBar *self, bool grabbed)
{
  if (grabbed == self->grabbed)
    return;
  self->grabbed = grabbed;
  set_held (self, grabbed);
}

// Handles have their own gestures.
static bool
is_on_handle (OdlSeekBar *self, GdkEvent *event)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkNative *native = gtk_widget_get_native (widget);
  double x, y, left, top;
  if (!gdk_event_get_position (event, &x, &y))
    return false;
  gtk_native_get_surface_transform (native, &left, &top);
  gtk_widget_translate_coordinates (GTK_WIDGET (native), widget, x - left, y - top, &x,
                                    &y);
  GtkWidget *under = gtk_widget_pick (widget, x, y, GTK_PICK_DEFAULT);
  return under && ODL_IS_RANGE_HANDLE (under);
}

// Moves an end of the range; the picture shows its frame, unless it plays.
static void
moved_cb (OdlSeekBar *self, gint64 frame, GtkWidget *handle)
{
  const bool last = handle == self->handles[LAST];
  const int64_t group = odl_playback_group (playback_of (self));
  const OdlPlayRange range = odl_playback_range (playback_of (self));
  const int64_t from = last ? range.first / group : frame;
  const int64_t to = last ? frame : range.last / group;
  odl_playback_set_range (playback_of (self), from * group,
                          to >= self->n - 1 ? G_MAXINT64 : to * group + group - 1);
  if (!odl_session_playing (self->session) && frame != position_of (self))
    odl_playback_seek_group (playback_of (self), frame);
  odl_seek_bar_update (self);
  g_signal_emit (self, signals[SIGNAL_RANGE_CHANGED], 0);
}

static gboolean
event_cb (OdlSeekBar *self, GdkEvent *event)
{
  switch (gdk_event_get_event_type (event)) {
  case GDK_BUTTON_PRESS:
    if (gdk_button_event_get_button (event) == GDK_BUTTON_PRIMARY
        && !is_on_handle (self, event))
      grab (self, true);
    break;
  case GDK_TOUCH_BEGIN:
    grab (self, !is_on_handle (self, event));
    break;
  case GDK_BUTTON_RELEASE:
  case GDK_TOUCH_END:
  case GDK_TOUCH_CANCEL:
  case GDK_GRAB_BROKEN:
    grab (self, false);
    break;
  default:
    break;
  }
  return GDK_EVENT_PROPAGATE;
}

// ---- widget --------------------------------------------------------------------------

static void
odl_seek_bar_map (GtkWidget *widget)
{
  OdlSeekBar *self = ODL_SEEK_BAR (widget);
  GTK_WIDGET_CLASS (odl_seek_bar_parent_class)->map (widget);
  self->marks_id = g_timeout_add (MARKS_INTERVAL_MS, marks_cb, self);
}

static void
odl_seek_bar_unmap (GtkWidget *widget)
{
  OdlSeekBar *self = ODL_SEEK_BAR (widget);
  g_clear_handle_id (&self->marks_id, g_source_remove);
  self->grabbed = false;
  set_held (self, false);
  GTK_WIDGET_CLASS (odl_seek_bar_parent_class)->unmap (widget);
}

static void
odl_seek_bar_dispose (GObject *object)
{
  OdlSeekBar *self = ODL_SEEK_BAR (object);
  for (int end = 0; end < N_ENDS; end++)
    g_clear_pointer (&self->handles[end], gtk_widget_unparent);
  g_clear_handle_id (&self->marks_id, g_source_remove);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (odl_seek_bar_parent_class)->dispose (object);
}

static void
odl_seek_bar_class_init (OdlSeekBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = odl_seek_bar_dispose;
  GTK_RANGE_CLASS (klass)->change_value = odl_seek_bar_change_value;
  widget_class->size_allocate = odl_seek_bar_size_allocate;
  widget_class->snapshot = odl_seek_bar_snapshot;
  widget_class->map = odl_seek_bar_map;
  widget_class->unmap = odl_seek_bar_unmap;
  signals[SIGNAL_RANGE_CHANGED]
      = g_signal_new ("range-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                      NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
odl_seek_bar_init (OdlSeekBar *self)
{
  GtkAdjustment *adjustment = gtk_adjustment_new (0, 0, 1, 1, 10, 0);
  gtk_range_set_adjustment (GTK_RANGE (self), adjustment);
  gtk_range_set_round_digits (GTK_RANGE (self), 0);
  gtk_scale_set_draw_value (GTK_SCALE (self), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Position"), -1);
  for (int end = 0; end < N_ENDS; end++) {
    self->handles[end] = odl_range_handle_new (end == LAST);
    gtk_widget_set_parent (self->handles[end], GTK_WIDGET (self));
    g_signal_connect_object (self->handles[end], "moved", G_CALLBACK (moved_cb), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (self->handles[end], "held", G_CALLBACK (set_held), self,
                             G_CONNECT_SWAPPED);
  }
  // Receives presses and releases that the slider's own gesture consumes.
  GtkEventController *events = gtk_event_controller_legacy_new ();
  gtk_event_controller_set_propagation_phase (events, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (events, "event", G_CALLBACK (event_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), events);
}
