// SPDX-License-Identifier: MIT
#include "widgets/seek_bar.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "config.h"
#include "session/frame_cache.h"
#include "widgets/diagnostics.h"

// Frames are read ahead while nothing else moves.
#define MARKS_INTERVAL_MS 300
#define MAX_MARKS 400

// Pixels.
#define LINE 2
#define RANGE_TICK 5

struct _OdlSeekBar {
  GtkScale parent_instance;
  OdlSession *session;
  bool held; // by the pointer
  bool resume; // playing when it was taken
  int64_t first, last; // the range as it is drawn
  int n_marks;
  uint8_t marks[MAX_MARKS];
  guint marks_id;
};

G_DEFINE_FINAL_TYPE (OdlSeekBar, odl_seek_bar, GTK_TYPE_SCALE)

// ---- what is shown -------------------------------------------------------------------

static void
describe (OdlSeekBar *self, int64_t index, int64_t n)
{
  g_autofree char *frame = odl_diagnostics_frame (index, n, false);
  g_autofree char *time = odl_diagnostics_time (odl_session_time_s (self->session, index),
                                                odl_session_length_s (self->session));
  g_autofree char *text = g_strdup_printf ("%s, %s", frame, time);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

static void
update_marks (OdlSeekBar *self)
{
  uint8_t marks[MAX_MARKS];
  const int64_t n = odl_session_n_frames (self->session);
  int n_marks = (int) MIN (MIN (n, MAX_MARKS), gtk_widget_get_width (GTK_WIDGET (self)));
  if (n_marks < 1 || !odl_session_mark (self->session, n_marks, marks))
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

void
odl_seek_bar_update (OdlSeekBar *self)
{
  GtkAdjustment *adjustment = gtk_range_get_adjustment (GTK_RANGE (self));
  const int64_t n = odl_session_n_frames (self->session);
  const int64_t first = odl_session_range_first (self->session);
  const int64_t last = odl_session_range_last (self->session);
  if (n < 1)
    return;
  if (gtk_adjustment_get_upper (adjustment) != (double) (n - 1)) {
    gtk_adjustment_set_upper (adjustment, (double) (n - 1));
    gtk_adjustment_set_page_increment (adjustment, (double) MAX (n / 10, 1));
  }
  if (!self->held) {
    const int64_t index = odl_session_position (self->session);
    gtk_adjustment_set_value (adjustment, (double) index);
    describe (self, index, n);
  }
  if (first != self->first || last != self->last) {
    self->first = first;
    self->last = last;
    gtk_widget_queue_draw (GTK_WIDGET (self));
  }
}

void
odl_seek_bar_set_session (OdlSeekBar *self, OdlSession *session)
{
  g_set_object (&self->session, session);
}

// ---- drawing -------------------------------------------------------------------------

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

static void
draw_range (OdlSeekBar *self, GtkSnapshot *snapshot, const Track *track, GdkRGBA *colour)
{
  const int64_t n = odl_session_n_frames (self->session);
  if (n < 2 || (self->first <= 0 && self->last >= n - 1))
    return;
  const float x0 = track->origin + track->length * self->first / (n - 1);
  const float x1 = track->origin + track->length * self->last / (n - 1);
  const float top = track->top - RANGE_TICK;
  fill (snapshot, colour, x0, x1, top, LINE);
  fill (snapshot, colour, x0 - LINE / 2, x0 + LINE / 2, top, RANGE_TICK);
  fill (snapshot, colour, x1 - LINE / 2, x1 + LINE / 2, top, RANGE_TICK);
}

static void
odl_seek_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  OdlSeekBar *self = ODL_SEEK_BAR (widget);
  GtkStyleContext *style = gtk_widget_get_style_context (widget);
  GdkRGBA text, accent, error;
  GTK_WIDGET_CLASS (odl_seek_bar_parent_class)->snapshot (widget, snapshot);
  gtk_style_context_get_color (style, &text);
  if (!gtk_style_context_lookup_color (style, "accent_color", &accent))
    accent = text;
  if (!gtk_style_context_lookup_color (style, "error_color", &error))
    error = text;
  const Track track = track_of (self);
  draw_marks (self, snapshot, &track, &text, &error);
  draw_range (self, snapshot, &track, &accent);
}

// ---- pointer and keys ----------------------------------------------------------------

static gboolean
odl_seek_bar_change_value (GtkRange *range, GtkScrollType scroll, double value)
{
  OdlSeekBar *self = ODL_SEEK_BAR (range);
  const int64_t n = odl_session_n_frames (self->session);
  const int64_t index = CLAMP ((int64_t) (value + 0.5), 0, MAX (n - 1, 0));
  if (index != odl_session_position (self->session))
    odl_session_seek (self->session, index);
  if (self->held)
    describe (self, index, n);
  return GTK_RANGE_CLASS (odl_seek_bar_parent_class)->change_value (range, scroll, value);
}

// Nothing plays on while the slider is held, or the picture would leave the pointer.
static void
set_held (OdlSeekBar *self, bool held)
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

static gboolean
event_cb (OdlSeekBar *self, GdkEvent *event)
{
  switch (gdk_event_get_event_type (event)) {
  case GDK_BUTTON_PRESS:
    if (gdk_button_event_get_button (event) == GDK_BUTTON_PRIMARY)
      set_held (self, true);
    break;
  case GDK_TOUCH_BEGIN:
    set_held (self, true);
    break;
  case GDK_BUTTON_RELEASE:
  case GDK_TOUCH_END:
  case GDK_TOUCH_CANCEL:
  case GDK_GRAB_BROKEN:
    set_held (self, false);
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
  set_held (self, false);
  GTK_WIDGET_CLASS (odl_seek_bar_parent_class)->unmap (widget);
}

static void
odl_seek_bar_dispose (GObject *object)
{
  OdlSeekBar *self = ODL_SEEK_BAR (object);
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
  widget_class->snapshot = odl_seek_bar_snapshot;
  widget_class->map = odl_seek_bar_map;
  widget_class->unmap = odl_seek_bar_unmap;
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
  // Sees presses and releases that the slider's own gesture keeps for itself.
  GtkEventController *events = gtk_event_controller_legacy_new ();
  gtk_event_controller_set_propagation_phase (events, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (events, "event", G_CALLBACK (event_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), events);
}
