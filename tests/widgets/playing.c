// SPDX-License-Identifier: MIT
// The transport bar in the real window, on a real cine.
#include "../helpers/test_data.h"
#include "support/support.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "widgets/diagnostics.h"
#include "widgets/windows/preferences_window.h"
#include "widgets/transport/seek_bar.h"
#include "widgets/transport/transport.h"
#include "widgets/viewport/private.h"
#include "widgets/window/parts.h"

#define CINE "pydicom/examples_ybr_color.dcm"
#define CINE_FRAMES 30

static bool
has_opened (Fixture *fixture, const void *location)
{
  return g_strcmp0 (odl_session_info (fixture->session)->location, location) == 0
         && odl_session_frame (fixture->session)
         && odl_session_n_painted (fixture->session) > 1;
}

static bool
shows_frame (Fixture *fixture, const void *index)
{
  OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && frame->index == *(const int64_t *) index;
}

// Opens the cine and pauses at frame 0; false: skip.
static bool
open_cine (Fixture *fixture)
{
  static const int64_t first = 0;
  g_autofree char *path = odl_test_data (CINE);
  if (path == NULL)
    return false;
  odl_main_window_open (fixture->window, path, NULL);
  wait_until (fixture, has_opened, path);
  odl_session_set_playing (fixture->session, false);
  activate (fixture, "first-frame", NULL);
  wait_until (fixture, shows_frame, &first);
  settle (fixture);
  return true;
}

static GtkWidget *
bar_of (Fixture *fixture)
{
  return find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_TRANSPORT);
}

// ---- the transport bar ---------------------------------------------------------------

static void
test_steps_and_numbers (Fixture *fixture, const void *data)
{
  if (!open_cine (fixture))
    return;
  GtkWidget *slider = find_widget (bar_of (fixture), ODL_TYPE_SEEK_BAR);
  GtkWidget *entry = find_widget (bar_of (fixture), GTK_TYPE_ENTRY);
  int64_t index = 3;
  for (int i = 0; i < 3; i++)
    activate (fixture, "step-frame", "1");
  wait_until (fixture, shows_frame, &index);
  settle (fixture);
  g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (slider)), ==, 3);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "4");

  // A number that was typed.
  gtk_widget_grab_focus (entry);
  gtk_editable_set_text (GTK_EDITABLE (entry), "12");
  g_signal_emit_by_name (entry, "activate");
  index = 11;
  wait_until (fixture, shows_frame, &index);
  settle (fixture);
  g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (slider)), ==, 11);
  g_assert_true (gtk_widget_has_focus (GTK_WIDGET (fixture->viewport)));

  // What is no number changes nothing, what is beyond the end goes to the end.
  gtk_editable_set_text (GTK_EDITABLE (entry), "-7 x");
  g_signal_emit_by_name (entry, "activate");
  settle (fixture);
  g_assert_true (shows_frame (fixture, &index));
  gtk_editable_set_text (GTK_EDITABLE (entry), "99999");
  g_signal_emit_by_name (entry, "activate");
  index = CINE_FRAMES - 1;
  wait_until (fixture, shows_frame, &index);
}

// Whenever somebody may look: in every turn of the main loop.
static void
test_time_is_of_the_number (Fixture *fixture, const void *data)
{
  if (!open_cine (fixture))
    return;
  OdlPlayback *playback = odl_session_playback (fixture->session);
  GtkWidget *entry = find_widget (bar_of (fixture), GTK_TYPE_ENTRY);
  GtkWidget *slider = find_widget (bar_of (fixture), ODL_TYPE_SEEK_BAR);
  GObject *time
      = gtk_widget_get_template_child (bar_of (fixture), ODL_TYPE_TRANSPORT, "time");
  odl_session_set_playing (fixture->session, true);
  const guint64 enough = odl_session_n_painted (fixture->session) + 12;
  const int64_t end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  while (odl_session_n_painted (fixture->session) < enough
         && g_get_monotonic_time () < end) {
    g_main_context_iteration (NULL, TRUE);
    const int number = atoi (gtk_editable_get_text (GTK_EDITABLE (entry)));
    g_autofree char *expected = odl_diagnostics_time (
        odl_playback_time_s (playback, number - 1), odl_playback_length_s (playback));
    g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (time)), ==, expected);
    g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (slider)), ==, number - 1);
  }
  g_assert_cmpuint (odl_session_n_painted (fixture->session), >=, enough);
}

static bool
slide_to (Fixture *fixture, int64_t index)
{
  gboolean handled;
  GtkWidget *slider = find_widget (bar_of (fixture), ODL_TYPE_SEEK_BAR);
  g_signal_emit_by_name (slider, "change-value", GTK_SCROLL_JUMP, (double) index,
                         &handled);
  wait_until (fixture, shows_frame, &index);
  return true;
}

// How far the number was from that in the picture's corner at most, until the tenth
// frame.
static bool
follows (Fixture *fixture, const void *data)
{
  int64_t *worst = (int64_t *) data;
  GtkWidget *entry = find_widget (bar_of (fixture), GTK_TYPE_ENTRY);
  const char *corner
      = strstr (gtk_label_get_text (fixture->viewport->corners.lower), "Frame ");
  const int64_t number
      = g_ascii_strtoll (gtk_editable_get_text (GTK_EDITABLE (entry)), NULL, 10);
  const int64_t told
      = corner ? g_ascii_strtoll (corner + strlen ("Frame "), NULL, 10) : 0;
  if (told > 0)
    *worst = MAX (*worst, ABS (number - told));
  return told >= 10;
}

static void
test_number_while_playing (Fixture *fixture, const void *data)
{
  int64_t worst = 0;
  if (!open_cine (fixture))
    return;
  odl_session_set_playing (fixture->session, true);
  wait_until (fixture, follows, &worst);
  odl_session_set_playing (fixture->session, false);
  g_assert_cmpint (worst, ==, 0);
}

static void
test_slider_seeks (Fixture *fixture, const void *data)
{
  if (!open_cine (fixture))
    return;
  static const int64_t places[] = { 29, 4, 17, 0, 22 };
  GtkWidget *slider = find_widget (bar_of (fixture), ODL_TYPE_SEEK_BAR);
  for (size_t i = 0; i < G_N_ELEMENTS (places); i++) {
    slide_to (fixture, places[i]);
    settle (fixture);
    g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (slider)), ==, (double) places[i]);
  }
  // Of a frame that came and was dropped neither the slider nor the number tells.
  odl_playback_arrived (odl_session_playback (fixture->session), 25, false);
  odl_seek_bar_update (ODL_SEEK_BAR (slider));
  g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (slider)), ==, 22);
}

typedef struct {
  int64_t index; // shown last
  int wraps;
} Round;

// Wherever the clock is, the frame lies within the range; and it begins anew.
static bool
has_wrapped (Fixture *fixture, const void *data)
{
  Round *round = (Round *) data;
  const int64_t index = odl_session_frame (fixture->session)->index;
  g_assert_cmpint (index, >=, 5);
  g_assert_cmpint (index, <=, 9);
  round->wraps += index < round->index;
  round->index = index;
  return round->wraps >= 3;
}

static void
test_range (Fixture *fixture, const void *data)
{
  if (!open_cine (fixture))
    return;
  slide_to (fixture, 5);
  activate (fixture, "set-range", "false");
  slide_to (fixture, 9);
  activate (fixture, "set-range", "true");
  g_assert_cmpint (odl_playback_range (odl_session_playback (fixture->session)).first, ==,
                   5);
  g_assert_cmpint (odl_playback_range (odl_session_playback (fixture->session)).last, ==,
                   9);
  odl_session_set_playing (fixture->session, true);
  const Round round = { .index = 9 };
  wait_until (fixture, has_wrapped, &round);
  odl_session_set_playing (fixture->session, false);
  // An end before the beginning takes the beginning along.
  slide_to (fixture, 2);
  activate (fixture, "set-range", "true");
  g_assert_cmpint (odl_playback_range (odl_session_playback (fixture->session)).first, ==,
                   2);
  g_assert_cmpint (odl_playback_range (odl_session_playback (fixture->session)).last, ==,
                   2);
  activate (fixture, "clear-range", NULL);
  g_assert_cmpint (odl_playback_range (odl_session_playback (fixture->session)).first, ==,
                   0);
  g_assert_cmpint (odl_playback_range (odl_session_playback (fixture->session)).last, ==,
                   CINE_FRAMES - 1);
}

static void
test_modes (Fixture *fixture, const void *data)
{
  if (!open_cine (fixture))
    return;
  static const OdlRepeat repeats[]
      = { ODL_REPEAT_SWEEP, ODL_REPEAT_ONCE, ODL_REPEAT_LOOP };
  for (size_t i = 0; i < G_N_ELEMENTS (repeats); i++) {
    activate (fixture, "cycle-repeat", NULL);
    g_assert_cmpint (odl_playback_mode (odl_session_playback (fixture->session))->repeat,
                     ==, repeats[i]);
  }
  activate (fixture, "speed", "0.25");
  g_assert_cmpfloat (odl_playback_mode (odl_session_playback (fixture->session))->speed,
                     ==, 0.25);
  g_autoptr (GVariant) state
      = g_action_group_get_action_state (G_ACTION_GROUP (fixture->window), "speed");
  g_assert_cmpfloat (g_variant_get_double (state), ==, 0.25);
}

static bool
has_painted (Fixture *fixture, const void *n)
{
  return odl_session_n_painted (fixture->session) >= *(const guint64 *) n;
}

static char *
speed_label (Fixture *fixture)
{
  GtkWidget *menu = find_widget (bar_of (fixture), GTK_TYPE_MENU_BUTTON);
  return g_strdup (gtk_menu_button_get_label (GTK_MENU_BUTTON (menu)));
}

static bool
line_says (Fixture *fixture, const void *words)
{
  GtkLabel *line = odl_window_child (odl_main_window_parts (fixture->window), "line");
  return strstr (gtk_label_get_text (line), words) != NULL;
}

// The F key; what is shown says so, and a picture at rest does not.
static void
test_fast (Fixture *fixture, const void *data)
{
  static const char location[] = "phantom:64x64";
  odl_main_window_open (fixture->window, location, NULL);
  wait_until (fixture, has_opened, location);
  OdlPlayback *playback = odl_session_playback (fixture->session);
  activate (fixture, "fast", NULL);
  g_assert_true (odl_playback_is_fast (playback));
  const guint64 enough = odl_session_n_painted (fixture->session) + 200;
  wait_until (fixture, has_painted, &enough);
  g_autofree char *label = speed_label (fixture);
  g_assert_cmpstr (label, ==, "Max");
  g_assert_true (odl_session_frame (fixture->session)->fast);
  wait_until (fixture, line_says, "as fast as possible");
  odl_session_set_playing (fixture->session, false);
  settle (fixture);
  g_assert_false (odl_session_frame (fixture->session)->fast);
  activate (fixture, "fast", NULL);
  g_assert_cmpfloat (odl_playback_mode (playback)->speed, ==, 1);
}

// Only what can act is there: a phantom has no end, but a rate.
static void
test_phantom_has_its_controls (Fixture *fixture, const void *data)
{
  static const char location[] = "phantom:64x64";
  odl_main_window_open (fixture->window, location, NULL);
  wait_until (fixture, has_opened, location);
  settle (fixture);
  GtkWidget *slider = find_widget (bar_of (fixture), ODL_TYPE_SEEK_BAR);
  GtkWidget *rate = find_widget (bar_of (fixture), GTK_TYPE_SPIN_BUTTON);
  g_assert_false (gtk_widget_get_visible (slider));
  g_assert_true (gtk_widget_get_visible (rate));
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (rate)), ==, 25);
  // What is being typed stays while the numbers beside it run.
  gtk_editable_set_text (GTK_EDITABLE (rate), "12");
  wait_for_frames (fixture, 15);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (rate)), ==, "12");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (rate), 100);
  g_assert_cmpfloat (odl_playback_frame_rate (odl_session_playback (fixture->session)),
                     ==, 100);
  g_assert_false (
      g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), "set-range"));
  g_assert_true (
      g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), "step-frame"));
}

// Twelve numbered pictures in the folder; opens the first.
static void
open_numbered (Fixture *fixture)
{
  for (int i = 12; i >= 1; i--) {
    g_autofree char *name = g_strdup_printf ("slice%d.png", i);
    g_autofree char *path = write_png (fixture, name, 40, 30, false);
    if (i == 1)
      open_and_wait (fixture, path);
  }
}

static bool
is_moving (Fixture *fixture, const void *data)
{
  return odl_playback_is_moving (odl_session_playback (fixture->session))
         && !odl_session_opening (fixture->session);
}

// Frames that are on their way when counting begins.
#define ON_THEIR_WAY 4

static bool
has_come_to (Fixture *fixture, const void *n)
{
  return odl_session_n_painted (fixture->session) + odl_session_dropped (fixture->session)
         >= *(const guint64 *) n;
}

// A machine may be late, but the clock is never ahead of time: so many frames, shown or
// dropped, take as long as the rate says.
static void
assert_takes_its_time (Fixture *fixture, double rate)
{
  // The clock begins anew with the rate; what it had counted before is told by then.
  wait_for_frames (fixture, ON_THEIR_WAY);
  const guint64 n = odl_session_n_painted (fixture->session)
                    + odl_session_dropped (fixture->session) + ON_THEIR_WAY + 8;
  const int64_t begin = g_get_monotonic_time ();
  wait_until (fixture, has_come_to, &n);
  const double seconds = (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;
  g_test_message ("%d frames in %.2f s", ON_THEIR_WAY + 8, seconds);
  g_assert_cmpfloat (seconds, >=, 7 / rate);
}

// What states no rate has that of the preferences, also while it plays.
static void
test_rate_of_the_preferences (Fixture *fixture, const void *data)
{
  open_numbered (fixture);
  activate (fixture, "play-sequence", NULL);
  wait_until (fixture, is_moving, NULL);
  // The file gives no times: none are made up.
  g_assert_true (has_label (bar_of (fixture), "speed not given"));
  g_assert_false (has_label (bar_of (fixture), "0:0"));
  g_assert_cmpfloat (odl_playback_frame_rate (odl_session_playback (fixture->session)),
                     ==, 25);
  GtkWindow *window = odl_preferences_window_present (fixture->window);
  GtkWidget *entry = find_widget (GTK_WIDGET (window), GTK_TYPE_SPIN_BUTTON);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (entry)), ==, 25);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (entry), 5);
  g_assert_cmpint (odl_settings_get_int (fixture->settings, "sequence-rate"), ==, 5);
  g_assert_cmpfloat (odl_playback_frame_rate (odl_session_playback (fixture->session)),
                     ==, 5);
  g_assert_cmpfloat_with_epsilon (
      odl_playback_length_s (odl_session_playback (fixture->session)), 12.0 / 5, 1e-9);
  assert_takes_its_time (fixture, 5);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (entry), 25);
  g_assert_cmpfloat_with_epsilon (
      odl_playback_length_s (odl_session_playback (fixture->session)), 12.0 / 25, 1e-9);
  assert_takes_its_time (fixture, 25);
  gtk_window_destroy (window);

  // What states one keeps it.
  if (open_cine (fixture)) {
    g_assert_true (has_label (bar_of (fixture), "0:00.00 / "));
    g_assert_false (has_label (bar_of (fixture), "speed not given"));
    const double rate = odl_playback_frame_rate (odl_session_playback (fixture->session));
    odl_playback_set_default_rate (odl_session_playback (fixture->session), 7);
    g_assert_cmpfloat (odl_playback_frame_rate (odl_session_playback (fixture->session)),
                       ==, rate);
  }
}

static bool
says (Fixture *fixture, const void *text)
{
  GtkWidget *label
      = find_where (GTK_WIDGET (odl_main_window_parts (fixture->window)->filter_panel),
                    is_label_with, text);
  return label && gtk_widget_get_mapped (label);
}

static bool
says_not (Fixture *fixture, const void *text)
{
  return !says (fixture, text);
}

// A filter over time says so where it cannot do anything.
static void
test_filter_over_time_on_a_still (Fixture *fixture, const void *data)
{
  GtkWidget *panel = GTK_WIDGET (odl_main_window_parts (fixture->window)->filter_panel);
  static const char said[] = "no frames before it";
  open_numbered (fixture);
  set_filters (fixture, "gaussian recursive-average");
  card_of (fixture, 1); // is looked at
  wait_until (fixture, says, said);
  odl_session_set_keep_recipe (fixture->session, true);
  activate (fixture, "play-sequence", NULL);
  wait_until (fixture, is_moving, NULL);
  g_assert_true (odl_recipe_is_temporal (odl_session_recipe (fixture->session)));
  wait_until (fixture, says_not, said);
  g_assert_nonnull (find_where (panel, is_label_with, said));
  set_filters (fixture, "gaussian");
  g_assert_null (find_where (panel, is_label_with, said));
}

static void
test_narrow (Fixture *fixture, const void *data)
{
  if (!open_cine (fixture))
    return;
  GtkWidget *bar = bar_of (fixture);
  int one, two, three, minimum;
  gtk_widget_measure (bar, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  gtk_widget_measure (bar, GTK_ORIENTATION_VERTICAL, 1400, &one, NULL, NULL, NULL);
  gtk_widget_measure (bar, GTK_ORIENTATION_VERTICAL, 650, &two, NULL, NULL, NULL);
  gtk_widget_measure (bar, GTK_ORIENTATION_VERTICAL, 360, &three, NULL, NULL, NULL);
  g_test_message ("at least %d wide; %d, %d, %d high", minimum, one, two, three);
  g_assert_cmpint (minimum, <=, 360);
  g_assert_cmpint (one, <, two);
  g_assert_cmpint (two, <, three);
  g_assert_cmpint (three, <, 150);
}

// The rate that comes, and frames that were dropped, make no more rows, whatever the
// width.
static void
test_rows_stay (Fixture *fixture, const void *data)
{
  if (!open_cine (fixture))
    return;
  GtkLabel *rate = GTK_LABEL (
      gtk_widget_get_template_child (bar_of (fixture), ODL_TYPE_TRANSPORT, "rate"));
  static const guint64 dropped[] = { 0, 11, 123456 };
  int heights[G_N_ELEMENTS (dropped)][80];
  for (size_t k = 0; k < G_N_ELEMENTS (dropped); k++) {
    g_autofree char *text = odl_diagnostics_rate (k > 0 ? 27 : 0, dropped[k]);
    gtk_label_set_text (rate, text);
    for (int i = 0; i < 80; i++)
      gtk_widget_measure (bar_of (fixture), GTK_ORIENTATION_VERTICAL, 360 + 13 * i,
                          &heights[k][i], NULL, NULL, NULL);
    g_assert_cmpmem (heights[0], sizeof heights[0], heights[k], sizeof heights[k]);
  }
  g_assert_cmpint (heights[0][0], >, heights[0][79]);
}

// ---- never blocked -------------------------------------------------------------------

// Sends a signal to the helpers of this process, and says how many there are.
static int
signal_helpers (int number)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc", 0, NULL);
  const char *name;
  int n = 0;
  while ((name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename ("/proc", name, "stat", NULL);
    g_autofree char *stat = NULL;
    if (!g_ascii_isdigit (*name) || !g_file_get_contents (path, &stat, NULL, NULL))
      continue;
    const char *end = strrchr (stat, ')');
    char state;
    int parent;
    if (!end || !strstr (stat, "(ondelette-decod")
        || sscanf (end + 1, " %c %d", &state, &parent) != 2 || parent != getpid ()
        || state == 'Z')
      continue;
    n += kill ((pid_t) g_ascii_strtoll (name, NULL, 10), number) == 0;
  }
  return n;
}

static gboolean
beat_cb (void *beats)
{
  ++*(int *) beats;
  return G_SOURCE_CONTINUE;
}

// Has the helpers stand still while a frame is wanted that only it can read, and changes
// filters. How often the loop had its turn before one of them was killed for taking
// too long.
static int
count_beats (Fixture *fixture, int enough)
{
  static const char *const filters[] = { "shrinkage:levels=3", "gaussian:sigma=3", "" };
  if (!open_cine (fixture))
    return -1;
  int beats = 0;
  const guint id = g_timeout_add (1, beat_cb, &beats);
  const int n = signal_helpers (SIGSTOP);
  for (size_t i = 0; n > 0 && beats < enough && signal_helpers (0) == n; i++) {
    OdlRecipe recipe;
    odl_recipe_init (&recipe);
    odl_recipe_parse (&recipe, filters[i % G_N_ELEMENTS (filters)], NULL);
    odl_playback_seek (odl_session_playback (fixture->session), 20 + (int64_t) i % 10);
    odl_session_set_recipe (fixture->session, &recipe, NULL);
    for (int k = 0; k < 10; k++)
      g_main_context_iteration (NULL, FALSE);
  }
  g_source_remove (id);
  // Who stands still outlives a test that fails.
  if (beats < enough)
    signal_helpers (SIGCONT);
  return beats;
}

// Who waited for the helper would find it killed each time. How long the loop is kept
// from its turns is measured by the bench.
static void
test_never_blocks (Fixture *fixture, const void *data)
{
  const int enough = 20;
  int beats = 0;
  // Frames are not kept, so that each is read anew.
  odl_playback_set_cache_bytes (odl_session_playback (fixture->session), 1);
  for (int i = 0; i < 20 && beats >= 0 && beats < enough; i++)
    beats = count_beats (fixture, enough);
  if (beats < 0)
    return;
  g_test_message ("%d turns", beats);
  g_assert_cmpint (beats, >=, enough);
  // Another source in the middle of it all.
  g_autofree char *video = odl_test_data ("imageio-binaries/realshort.mp4");
  odl_main_window_open (fixture->window, video, NULL);
  odl_main_window_open (fixture->window, "phantom:128x128", NULL);
  wait_until (fixture, has_opened, "phantom:128x128");
  signal_helpers (SIGCONT);
}

static const struct {
  const char *name;
  void (*test) (Fixture *fixture, const void *data);
} tests[] = {
  { "steps-and-typed-numbers-choose-the-frame", test_steps_and_numbers },
  { "time-and-place-are-of-the-number", test_time_is_of_the_number },
  { "the-slider-seeks", test_slider_seeks },
  { "a-range-is-played-and-cleared", test_range },
  { "speed-and-repeat-are-the-sessions", test_modes },
  { "as-fast-as-possible-is-said", test_fast },
  { "a-phantom-has-a-rate-and-no-slider", test_phantom_has_its_controls },
  { "the-preferences-say-the-rate-of-numbered-pictures", test_rate_of_the_preferences },
  { "filters-over-time-say-that-a-still-stays", test_filter_over_time_on_a_still },
  { "the-number-is-the-pictures-while-it-plays", test_number_while_playing },
  { "it-fits-a-narrow-window", test_narrow },
  { "its-rows-stay-while-it-plays", test_rows_stay },
  { "the-main-loop-is-never-blocked", test_never_blocks },
};

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree char *path = g_strconcat ("/playing/", tests[i].name, NULL);
    ADD (path, tests[i].test);
  }
  return g_test_run ();
}
