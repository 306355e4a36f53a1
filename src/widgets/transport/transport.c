// SPDX-License-Identifier: MIT
#include "widgets/transport/transport.h"

#include <glib/gi18n-lib.h>
#include <gtk/gtk.h>
#include <math.h>
#include <stdbool.h>

#include "widgets/diagnostics.h"
#include "widgets/panels/parameters/number_field.h"
#include "widgets/transport/seek_bar.h"

// The layout of the transport bar: one row, or two or three where it is narrow. Main
// thread.

typedef struct {
  GtkWidget *buttons;
  GtkWidget *seek; // takes what room there is
  GtkWidget *numbers;
  GtkWidget *modes;
  int spare; // pixels that rows leave for the numbers beside what these take now
} OdlTransportParts;

#define N_PARTS 4
#define N_LAYOUTS 3
#define MAX_ROWS 3

// Pixels.
#define GAP 12
#define ROW_GAP 3
#define MIN_SEEK 120 // while pictures play; shorter, it hits no frame

enum { BUTTONS, SEEK, NUMBERS, MODES, NONE = -1 };

// Rows of parts, the widest layout first. One part of each row takes the remaining width.
static const struct {
  int rows[MAX_ROWS][N_PARTS];
  int n_rows;
} layouts[N_LAYOUTS] = {
  { { { BUTTONS, SEEK, NUMBERS, MODES } }, 1 },
  { { { SEEK, NONE, NONE, NONE }, { BUTTONS, NUMBERS, MODES, NONE } }, 2 },
  { { { SEEK, NONE, NONE, NONE },
      { BUTTONS, MODES, NONE, NONE },
      { NUMBERS, NONE, NONE, NONE } },
    3 },
};

// Which part of a row stretches, the first that is in it.
static const int stretches[] = { SEEK, NUMBERS, BUTTONS };

static GtkWidget *
part (const OdlTransportParts *parts, int which)
{
  GtkWidget *const widgets[N_PARTS]
      = { parts->buttons, parts->seek, parts->numbers, parts->modes };
  GtkWidget *widget = which == NONE ? NULL : widgets[which];
  return widget && gtk_widget_get_visible (widget) ? widget : NULL;
}

static int
part_width (const OdlTransportParts *parts, int which, bool smallest)
{
  int minimum, natural;
  GtkWidget *widget = part (parts, which);
  if (!widget)
    return 0;
  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL,
                      NULL);
  if (which == SEEK && !smallest)
    return MAX (natural, MIN_SEEK);
  return smallest ? minimum : natural;
}

static int
row_width (const OdlTransportParts *parts, const int *row, bool smallest)
{
  int width = 0;
  for (int i = 0; i < N_PARTS; i++)
    if (part (parts, row[i]))
      width += part_width (parts, row[i], smallest) + (width > 0 ? GAP : 0);
  return width;
}

static int
row_height (const OdlTransportParts *parts, const int *row)
{
  int height = 0;
  for (int i = 0; i < N_PARTS; i++) {
    int minimum, natural;
    GtkWidget *widget = part (parts, row[i]);
    if (!widget)
      continue;
    gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, -1, &minimum, &natural, NULL,
                        NULL);
    height = MAX (height, natural);
  }
  return height;
}

static int
layout_width (const OdlTransportParts *parts, int layout, bool smallest)
{
  int width = 0;
  for (int i = 0; i < layouts[layout].n_rows; i++) {
    const int *row = layouts[layout].rows[i];
    int spare = 0;
    for (int k = 0; k < N_PARTS && !smallest; k++)
      spare += row[k] == NUMBERS ? parts->spare : 0;
    width = MAX (width, row_width (parts, row, smallest) + spare);
  }
  return width;
}

static int
choose_layout (const OdlTransportParts *parts, int width)
{
  int layout = 0;
  while (layout < N_LAYOUTS - 1 && layout_width (parts, layout, false) > width)
    layout++;
  return layout;
}

// As GtkWidgetClass.measure.
static void
odl_transport_layout_measure (const OdlTransportParts *parts,
                              GtkOrientation orientation,
                              int for_size,
                              int *minimum,
                              int *natural)
{
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = layout_width (parts, N_LAYOUTS - 1, true);
    *natural = MAX (*minimum, layout_width (parts, 1, false));
    return;
  }
  const int layout = choose_layout (parts, for_size < 0 ? 0 : for_size);
  int height = 0;
  for (int i = 0; i < layouts[layout].n_rows; i++) {
    const int row = row_height (parts, layouts[layout].rows[i]);
    if (row > 0)
      height += row + (height > 0 ? ROW_GAP : 0);
  }
  *minimum = *natural = height;
}

static int
stretching_part (const OdlTransportParts *parts, const int *row)
{
  for (size_t k = 0; k < G_N_ELEMENTS (stretches); k++)
    for (int i = 0; i < N_PARTS; i++)
      if (row[i] == stretches[k] && part (parts, row[i]))
        return row[i];
  return NONE;
}

// One row at `y`; mirrored for scripts from right to left.
static void
allocate_row (const OdlTransportParts *parts,
              const int *row,
              int width,
              GtkAllocation at,
              bool mirrored)
{
  const bool smallest = row_width (parts, row, false) > width;
  const int spare = MAX (width - row_width (parts, row, smallest), 0);
  const int stretching = stretching_part (parts, row);
  for (int i = 0; i < N_PARTS; i++) {
    GtkWidget *widget = part (parts, row[i]);
    if (!widget)
      continue;
    GtkAllocation place = at;
    place.width = part_width (parts, row[i], smallest);
    if (row[i] == stretching)
      place.width += spare;
    at.x += place.width + GAP;
    if (mirrored)
      place.x = width - place.x - place.width;
    gtk_widget_size_allocate (widget, &place, -1);
  }
}

static void
odl_transport_layout_allocate (const OdlTransportParts *parts, int width, bool mirrored)
{
  const int layout = choose_layout (parts, width);
  GtkAllocation at = { 0 };
  for (int i = 0; i < layouts[layout].n_rows; i++) {
    const int *row = layouts[layout].rows[i];
    at.height = row_height (parts, row);
    if (at.height == 0)
      continue;
    allocate_row (parts, row, width, at, mirrored);
    at.y += at.height + ROW_GAP;
  }
}

#define UPDATE_INTERVAL_US (G_USEC_PER_SEC / 10)
#define PAUSE_INTERVAL_MS 250

// Longer ones are shortened where rows are full.
#define USUAL_RATE 30
#define USUAL_DROPPED 8

struct _OdlTransport {
  GtkWidget parent_instance;
  OdlSession *session;
  OdlTransportParts parts;
  GtkButton *play;
  GtkWidget *steps; // controls that a capture does not have
  GtkWidget *step_next;
  GtkWidget *frame_box;
  GtkLabel *frame_word;
  GtkEditable *frame;
  GtkLabel *total;
  GtkLabel *time;
  GtkButton *skip; // what is left of a long pause
  guint pause_id; // counts it down
  // Since when the frame of this number stays, as it plays at this speed; 0: it does not.
  guint64 staying;
  double staying_speed;
  int64_t staying_since_us;
  GtkLabel *rate;
  GtkWidget *live_rate;
  GtkMenuButton *speed;
  GtkButton *repeat;
  GtkWidget *clear_range;
  int64_t updated_us;
  bool updating;
};

G_DEFINE_FINAL_TYPE (OdlTransport, odl_transport, GTK_TYPE_WIDGET)

// ---- what is shown -------------------------------------------------------------------

static void
set_name (GtkWidget *widget, const char *name, const char *tip)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
  gtk_widget_set_tooltip_text (widget, tip);
}

static void
update_play (OdlTransport *self)
{
  const bool playing = odl_session_playing (self->session);
  const char *name = playing ? _ ("Pause") : _ ("Play");
  gtk_button_set_icon_name (self->play, playing ? "media-playback-pause-symbolic"
                                                : "media-playback-start-symbolic");
  g_autofree char *tip = g_strdup_printf (_ ("%s (Space)"), name);
  set_name (GTK_WIDGET (self->play), name, tip);
}

static void
update_repeat (OdlTransport *self)
{
  static const struct {
    const char *icon;
    const char *tip;
  } repeats[ODL_N_REPEATS] = {
    [ODL_REPEAT_LOOP] = { "media-playlist-repeat-symbolic",
                          N_ ("Loop: from the last frame to the first (L)") },
    [ODL_REPEAT_SWEEP]
    = { "odl-sweep-symbolic", N_ ("Sweep: forward and backward in turn (L)") },
    [ODL_REPEAT_ONCE]
    = { "media-playlist-consecutive-symbolic", N_ ("Once: stop at the last frame (L)") },
  };
  const OdlRepeat repeat
      = odl_playback_mode (odl_session_playback (self->session))->repeat;
  const char *tip = _ (repeats[repeat].tip);
  gtk_button_set_icon_name (self->repeat, repeats[repeat].icon);
  set_name (GTK_WIDGET (self->repeat), tip, tip);
}

static void
update_modes (OdlTransport *self, bool sequence, bool live)
{
  const bool whole = odl_playback_range (odl_session_playback (self->session)).whole;
  const bool capture = odl_session_info (self->session)->capture;
  g_autofree char *speed = odl_diagnostics_speed (
      odl_playback_mode (odl_session_playback (self->session))->speed);
  gtk_widget_set_visible (GTK_WIDGET (self->speed), !capture);
  gtk_widget_set_visible (GTK_WIDGET (self->repeat), sequence);
  gtk_widget_set_visible (self->clear_range, sequence && !whole);
  gtk_widget_set_visible (self->live_rate, live && !capture);
  gtk_widget_set_visible (self->parts.modes, !capture);
  if (g_strcmp0 (gtk_menu_button_get_label (self->speed), speed) != 0)
    gtk_menu_button_set_label (self->speed, speed);
  // Setting the same value would undo what is being typed.
  if (live
      && gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->live_rate))
             != odl_playback_frame_rate (odl_session_playback (self->session)))
    gtk_spin_button_set_value (
        GTK_SPIN_BUTTON (self->live_rate),
        odl_playback_frame_rate (odl_session_playback (self->session)));
  update_repeat (self);
}

// Text that is being typed is not overwritten.
static bool
is_typing (OdlTransport *self)
{
  return gtk_widget_has_focus (GTK_WIDGET (gtk_editable_get_delegate (self->frame)));
}

static void
update_frame (OdlTransport *self, int64_t index, int64_t n)
{
  g_autofree char *number = g_strdup_printf ("%" G_GINT64_FORMAT, index + 1);
  g_autofree char *total = n > 0 ? g_strdup_printf ("/%" G_GINT64_FORMAT, n) : NULL;
  if (!is_typing (self))
    gtk_editable_set_text (self->frame, number);
  gtk_label_set_text (self->total, total ? total : "");
  const bool volumes = odl_playback_group (odl_session_playback (self->session)) > 1;
  gtk_label_set_text (self->frame_word, volumes ? _ ("Volume")
                                        : odl_session_counts_slices (self->session)
                                            ? _ ("Slice")
                                            : _ ("Frame"));
  const int width = MAX (n > 0 ? (int) strlen (total) - 1 : 5, 3);
  gtk_editable_set_width_chars (self->frame, width);
  gtk_editable_set_max_width_chars (self->frame, width);
}

static void
update_time (OdlTransport *self, int64_t index)
{
  OdlPlayback *playback = odl_session_playback (self->session);
  const OdlSourceInfo *info = odl_session_info (self->session);
  const bool given = !odl_playback_uses_default_rate (playback);
  g_autofree char *time = odl_diagnostics_time (odl_playback_time_s (playback, index),
                                                odl_playback_length_s (playback));
  // Slices beside each other have no times, unless they play at a speed that is given,
  // but places.
  g_autofree char *place = given && odl_session_playing (self->session)
                               ? NULL
                               : odl_seek_bar_place (self->session, index);
  const char *interval = odl_session_detail (self->session, "volume-interval-s");
  g_autofree char *apart
      // Translators: volumes that are so many seconds apart, too many to be played so.
      = interval ? g_strdup_printf (_ ("%s s apart"), interval) : NULL;
  const char *shown = place ? place : time;
  if (!given && !info->is_stack && *shown == '\0')
    // Translators: in place of the time of a frame, where a file says no times.
    shown = apart ? apart : _ ("speed not given");
  gtk_label_set_text (self->time, shown);
}

// Seconds that are left of a pause that the file makes while it plays; 0: none.
static int
pause_left_s (OdlTransport *self)
{
  const OdlFrame *frame = odl_session_frame (self->session);
  OdlPlayback *playback = odl_session_playback (self->session);
  const bool stays = frame && odl_session_playing (self->session);
  const guint64 staying = stays ? frame->arrival : 0;
  const double speed = odl_playback_mode (playback)->speed;
  const int64_t now_us = g_get_monotonic_time ();

  if (staying != self->staying || speed != self->staying_speed) {
    self->staying = staying;
    self->staying_speed = speed;
    self->staying_since_us = now_us;
  }
  if (!stays)
    return 0;
  const double passed_s = (double) (now_us - self->staying_since_us) / G_USEC_PER_SEC;
  return (int) MAX (ceil (odl_playback_pause_s (playback, frame->index) - passed_s), 0);
}

static gboolean
update_pause_cb (void *data)
{
  OdlTransport *self = data;
  const int left = pause_left_s (self);

  // In the place of what does not change meanwhile, so that no row comes or goes.
  if (gtk_widget_get_visible (GTK_WIDGET (self->skip)) != (left > 0)) {
    gtk_widget_set_visible (GTK_WIDGET (self->skip), left > 0);
    gtk_widget_set_visible (GTK_WIDGET (self->time), left <= 0);
    gtk_widget_set_visible (GTK_WIDGET (self->rate), left <= 0);
  }
  if (left <= 0) {
    self->pause_id = 0;
    return G_SOURCE_REMOVE;
  }
  // Translators: on a button that skips a long pause within a film; minutes, seconds.
  g_autofree char *text = g_strdup_printf (_ ("Pause %d:%02d »"), left / 60, left % 60);
  gtk_button_set_label (self->skip, text);
  return G_SOURCE_CONTINUE;
}

static void
update_pause (OdlTransport *self)
{
  g_clear_handle_id (&self->pause_id, g_source_remove);
  if (update_pause_cb (self) == G_SOURCE_CONTINUE)
    self->pause_id = g_timeout_add (PAUSE_INTERVAL_MS, update_pause_cb, self);
}

static void
update_rate (OdlTransport *self, double frames_per_second)
{
  OdlPlayback *playback = odl_session_playback (self->session);
  g_autofree char *rate
      = odl_diagnostics_rate (frames_per_second, odl_session_dropped (self->session));
  g_autofree char *timing = odl_diagnostics_timing (
      odl_playback_frame_rate (playback), odl_session_info (self->session)->timing,
      !odl_playback_uses_default_rate (playback));
  gtk_label_set_text (self->rate, rate);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->time), timing);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->rate), timing);
}

void
odl_transport_update (OdlTransport *self, double frames_per_second, bool now)
{
  const int64_t us = g_get_monotonic_time ();
  OdlFrame *frame = odl_session_frame (self->session);
  const bool playing = odl_session_playing (self->session);
  const bool live = odl_session_info (self->session)->live;
  const bool capture = odl_session_info (self->session)->capture;
  const int64_t n
      = live ? 0 : odl_playback_n_frames (odl_session_playback (self->session));
  const int64_t group = odl_playback_group (odl_session_playback (self->session));
  const int64_t index = frame ? frame->index : 0;
  // Number, time and place are those of the picture at all times, as in its corner.
  self->updating = true;
  update_frame (self, index / group, n / group);
  update_time (self, index);
  update_pause (self);
  odl_seek_bar_update (ODL_SEEK_BAR (self->parts.seek));
  self->updating = false;
  if (!now && playing && us - self->updated_us < UPDATE_INTERVAL_US)
    return;
  self->updated_us = us;
  self->updating = true;
  update_play (self);
  update_modes (self, n > 1, live);
  update_rate (self, playing ? frames_per_second : 0);
  gtk_widget_set_visible (self->parts.seek, n > 1);
  gtk_widget_set_visible (self->steps, !capture);
  gtk_widget_set_visible (self->step_next, !capture);
  gtk_widget_set_visible (self->frame_box, !capture);
  gtk_widget_set_visible (GTK_WIDGET (self->time),
                          !capture && !gtk_widget_get_visible (GTK_WIDGET (self->skip)));
  self->updating = false;
}

bool
odl_transport_in_use (OdlTransport *self)
{
  GtkPopover *menu = gtk_menu_button_get_popover (self->speed);
  return is_typing (self) || (menu && gtk_widget_get_visible (GTK_WIDGET (menu)));
}

// ---- what is done --------------------------------------------------------------------

// Returns the focus to the picture, so that its keys work.
static void
leave (OdlTransport *self)
{
  GtkWidget *root = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (self)));
  gtk_widget_activate_action (root, "win.focus-picture", NULL);
}

static void
frame_activate_cb (OdlTransport *self)
{
  const char *text = gtk_editable_get_text (self->frame);
  const int64_t n = odl_session_info (self->session)->live
                        ? 0
                        : odl_playback_n_frames (odl_session_playback (self->session));
  OdlPlayback *playback = odl_session_playback (self->session);
  const int64_t group = odl_playback_group (playback);
  const double most = n > 0 ? (double) (n / group) : G_MAXINT;
  const OdlNumberRange range = { .least = 1, .most = most, .whole = true };
  double number = (double) (odl_playback_position (playback) / group) + 1, typed = 0;
  // Numbers beyond the end mean the end.
  const bool beyond = odl_diagnostics_read_number (text, &typed) && typed > range.most;
  g_autofree char *reason
      = beyond ? NULL : odl_diagnostics_take_number (text, &range, &number);
  if (reason)
    g_signal_emit_by_name (self->session, "message", reason);
  else
    odl_playback_seek_group (playback, (int64_t) (beyond ? range.most : number) - 1);
  leave (self);
}

static gboolean
frame_key_cb (OdlTransport *self, guint key)
{
  if (key != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  leave (self);
  return GDK_EVENT_STOP;
}

// Text that was typed but not entered is discarded.
static void
frame_leave_cb (OdlTransport *self)
{
  odl_transport_update (self, 0, true);
}

static void
live_rate_cb (OdlTransport *self)
{
  if (!self->updating)
    odl_playback_set_frame_rate (
        odl_session_playback (self->session),
        gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->live_rate)));
}

static void
range_changed_cb (OdlTransport *self)
{
  const bool live = odl_session_info (self->session)->live;
  self->updating = true;
  update_modes (self,
                !live && odl_playback_n_frames (odl_session_playback (self->session)) > 1,
                live);
  self->updating = false;
}

void
odl_transport_set_session (OdlTransport *self, OdlSession *session)
{
  g_set_object (&self->session, session);
  odl_number_field_set_up (GTK_SPIN_BUTTON (self->live_rate), session, false);
  odl_seek_bar_set_session (ODL_SEEK_BAR (self->parts.seek), session);
}

// ---- widget --------------------------------------------------------------------------

static GtkSizeRequestMode
odl_transport_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

// What the rate usually takes less what it takes now, so that no row comes or goes with
// it, and the picture stays where it is when it begins to play.
static int
spare_of (OdlTransport *self)
{
  g_autofree char *usual = odl_diagnostics_rate (USUAL_RATE, USUAL_DROPPED);
  g_autoptr (PangoLayout) layout
      = gtk_widget_create_pango_layout (GTK_WIDGET (self->rate), usual);
  int wanted, now;
  pango_layout_get_pixel_size (layout, &wanted, NULL);
  gtk_widget_measure (GTK_WIDGET (self->rate), GTK_ORIENTATION_HORIZONTAL, -1, NULL, &now,
                      NULL, NULL);
  return wanted - now;
}

static void
odl_transport_measure (GtkWidget *widget,
                       GtkOrientation orientation,
                       int for_size,
                       int *minimum,
                       int *natural,
                       int *minimum_baseline,
                       int *natural_baseline)
{
  OdlTransport *self = ODL_TRANSPORT (widget);
  self->parts.spare = spare_of (self);
  odl_transport_layout_measure (&self->parts, orientation, for_size, minimum, natural);
}

static void
odl_transport_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  OdlTransport *self = ODL_TRANSPORT (widget);
  self->parts.spare = spare_of (self);
  odl_transport_layout_allocate (&self->parts, width,
                                 gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL);
}

static void
odl_transport_dispose (GObject *object)
{
  OdlTransport *self = ODL_TRANSPORT (object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_handle_id (&self->pause_id, g_source_remove);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (odl_transport_parent_class)->dispose (object);
}

static void
odl_transport_class_init (OdlTransportClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = odl_transport_dispose;
  widget_class->get_request_mode = odl_transport_get_request_mode;
  widget_class->measure = odl_transport_measure;
  widget_class->size_allocate = odl_transport_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "transport");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  g_type_ensure (ODL_TYPE_SEEK_BAR);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/org/ondelette/Ondelette/ui/transport.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, OdlTransport, name)
#define BIND_PART(name) \
  gtk_widget_class_bind_template_child_full ( \
      widget_class, #name, FALSE, \
      G_STRUCT_OFFSET (OdlTransport, parts) + G_STRUCT_OFFSET (OdlTransportParts, name))
  BIND_PART (buttons);
  BIND_PART (seek);
  BIND_PART (numbers);
  BIND_PART (modes);
  BIND (play);
  BIND (steps);
  BIND (step_next);
  BIND (frame_box);
  BIND (frame_word);
  BIND (frame);
  BIND (total);
  BIND (time);
  BIND (skip);
  BIND (rate);
  BIND (live_rate);
  BIND (speed);
  BIND (repeat);
  BIND (clear_range);
#undef BIND_PART
#undef BIND
}

static void
odl_transport_init (OdlTransport *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (self->frame, "activate", G_CALLBACK (frame_activate_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->parts.seek, "range-changed",
                           G_CALLBACK (range_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->live_rate, "value-changed", G_CALLBACK (live_rate_cb),
                           self, G_CONNECT_SWAPPED);
  GtkEventController *keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (frame_key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->frame), keys);
  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (frame_leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->frame), focus);
}
