// SPDX-License-Identifier: MIT
// What waits for archives and goes by itself, searches that are cancelled at any moment
// or beside a window that never rests, and Debian's Orthanc from found to sent back.
#include "../helpers/folder.h"
#include "support/archives.h"

#include "base/error.h"
#include "session/archive/nodes.h"
#include "session/archive/outgoing.h"
#include "session/archive/search.h"
#include "widgets/archive/queue_group.h"
#include "widgets/window/parts.h"

// ---- The queue -----------------------------------------------------------------------

// Nothing waits from a case before.
static void
set_up (Fixture *fixture, const void *data)
{
  g_autoptr (GPtrArray) waiting = odl_waiting_list ();

  for (guint i = 0; i < waiting->len; i++)
    g_assert_true (odl_waiting_remove (waiting->pdata[i], NULL));
  archives_set_up (fixture, data);
}

static OdlOutgoing *
outgoing (Fixture *fixture)
{
  return odl_queue_outgoing (odl_main_window_parts (fixture->window));
}

static bool
does_anything_wait (void)
{
  g_autoptr (GPtrArray) waiting = odl_waiting_list ();

  return waiting->len > 0;
}

static bool
waits_for_nobody (Fixture *fixture, const void *data)
{
  return !does_anything_wait () && !has_label (sender (), "Copies on this machine");
}

// A picture that its node, which is not there, did not take.
static void
let_one_wait (Fixture *fixture)
{
  g_autofree char *path = write_slice_of (fixture, &erika, 1, 1);

  open_and_wait (fixture, path);
  activate (fixture, "send-archive", NULL);
  click (sender (), "_Send…");
  answer (fixture, "answers no query", "send");
  wait_for (fixture, sender, "0 of 1 files sent; 1 waits on this machine");
}

static void
test_by_itself (Fixture *fixture, const void *data)
{
  Node archive = start_archive (fixture);
  const guint port = archive.port;

  name_node (fixture, &archive);
  end_node (&archive);
  let_one_wait (fixture);
  // To whom, how many, why, and when it is tried again.
  wait_for (fixture, sender, "1 file waits; not sent: the association with ARCHIVE was");
  wait_for (fixture, sender, "nobody answers there");
  wait_for (fixture, sender, "next try at ");
  g_assert_true (has_label (sender (), "Test"));
  archive = start_archive_at (fixture, port);
  // Nobody does anything, and the pause is over.
  g_autoptr (GPtrArray) waiting = odl_waiting_list ();
  g_assert_cmpint (waiting->len, ==, 1);
  OdlWaiting *one = waiting->pdata[0];
  g_assert_cmpint (one->n_tries, ==, 1);
  one->tried_s = 0;
  g_assert_true (odl_waiting_note (one, one->why, NULL));
  odl_outgoing_look (outgoing (fixture));
  wait_until (fixture, has_toast, "1 file that waited was sent; Test has it");
  wait_until (fixture, waits_for_nobody, NULL);
  g_assert_cmpint (count_files (archive.storage), ==, 2);
  // Nor does the window say any more that something waits.
  g_assert_false (has_label (sender (), "waits on this machine"));
  g_assert_false (has_label (sender (), "file from before waits"));
  g_autofree char *note = g_strconcat (one->folder, ".note", NULL);
  g_assert_false (g_file_test (note, G_FILE_TEST_EXISTS));
  gtk_window_destroy (GTK_WINDOW (sender ()));
  end_node (&archive);
}

static bool
was_tried_twice (Fixture *fixture, const void *data)
{
  g_autoptr (GPtrArray) waiting = odl_waiting_list ();

  return waiting->len == 1 && ((OdlWaiting *) waiting->pdata[0])->n_tries == 2
         && gtk_widget_get_sensitive (button (sender (), "Send _Now"));
}

static void
test_buttons (Fixture *fixture, const void *data)
{
  Node archive = start_archive (fixture);
  const guint port = archive.port;

  name_node (fixture, &archive);
  end_node (&archive);
  let_one_wait (fixture);
  click (sender (), "Send _Now");
  wait_until (fixture, was_tried_twice, NULL);
  archive = start_archive_at (fixture, port);
  click (sender (), "Send _Now");
  wait_until (fixture, has_toast, "1 file that waited was sent; Test has it");
  wait_until (fixture, waits_for_nobody, NULL);
  end_node (&archive);
  gtk_window_destroy (GTK_WINDOW (sender ()));
  // What is not to be sent any more.
  let_one_wait (fixture);
  wait_for (fixture, sender, "1 file waits");
  GtkWidget *gone = find_where (sender (), has_tooltip, "Remove");
  g_signal_emit_by_name (gone, "clicked");
  answer (fixture, "1 file was not sent to Test", "cancel");
  g_assert_true (does_anything_wait ());
  g_signal_emit_by_name (gone, "clicked");
  answer (fixture, "not sent any more", "remove");
  wait_until (fixture, waits_for_nobody, NULL);
  gtk_window_destroy (GTK_WINDOW (sender ()));
}

// Somebody has removed the node from the preferences.
static void
test_unknown (Fixture *fixture, const void *data)
{
  Node archive = start_archive (fixture);

  name_node (fixture, &archive);
  end_node (&archive);
  let_one_wait (fixture);
  gtk_window_destroy (GTK_WINDOW (sender ()));
  odl_settings_set_string (fixture->settings, ODL_ARCHIVE_NODES_KEY, "");
  activate (fixture, "send-archive", NULL);
  wait_for (fixture, sender, "no node of the preferences has this address");
  g_assert_true (has_label (sender (), "ARCHIVE@127.0.0.1:"));
  g_assert_false (gtk_widget_get_sensitive (button (sender (), "Send _Now")));
  gtk_window_destroy (GTK_WINDOW (sender ()));
}

static void
test_pauses (Fixture *fixture, const void *data)
{
  static const guint pauses[] = { 0, 10, 20, 40, 80, 160, 320, 600, 600 };
  OdlWaiting waiting = { .n_tries = 3 };

  for (guint i = 0; i < G_N_ELEMENTS (pauses); i++)
    g_assert_cmpint (odl_waiting_pause (i), ==, pauses[i]);
  g_assert_cmpint (odl_waiting_pause (G_MAXUINT), ==, 600);
  // At the epoch it was due; a clock that was set back makes nobody wait.
  g_assert_cmpint (odl_waiting_is_due_in (&waiting), ==, 0);
  waiting.tried_s = G_MAXINT64 / 2;
  g_assert_cmpint (odl_waiting_is_due_in (&waiting), ==, 0);
}

// ---- Searches ------------------------------------------------------------------------

typedef struct {
  bool ended;
  bool cancelled;
} Ended;

static void
found_cb (const GPtrArray *some, void *data)
{
}

static void
ended_cb (const GError *error, const GPtrArray *notes, void *data)
{
  Ended *self = data;

  self->ended = true;
  self->cancelled = g_error_matches (error, ODL_ERROR, ODL_ERROR_CANCELLED);
}

static bool
has_ended (Fixture *fixture, const void *data)
{
  return ((const Ended *) data)->ended;
}

static OdlArchiveWork *
search (Fixture *fixture, Ended *ended)
{
  g_autofree char *text
      = odl_settings_get_string (fixture->settings, ODL_ARCHIVE_NODES_KEY);
  g_autoptr (GPtrArray) nodes = odl_archive_nodes_parse (text);
  g_autoptr (GError) error = NULL;

  *ended = (Ended){ 0 };
  OdlArchiveWork *work
      = odl_archive_search_start (&(OdlArchiveSearchParams){ .node = nodes->pdata[0],
                                                             .level = ODL_LEVEL_STUDY,
                                                             .found = found_cb,
                                                             .ended = ended_cb,
                                                             .data = ended },
                                  &error);
  g_assert_no_error (error);
  return work;
}

// Before its thread runs, while the helper starts, while it connects, while the node says
// nothing: a cancelled search ends, and soon.
static void
test_any_moment (Fixture *fixture, const void *data)
{
  Node silent = start_rogue ("silent", NULL);
  g_autoptr (GRand) dice = g_rand_new_with_seed (39);
  Ended ended;

  name_node (fixture, &silent);
  for (int i = 0; i < 60; i++) {
    OdlArchiveWork *work = search (fixture, &ended);
    g_usleep (i % 3 == 0 ? 0 : (gulong) g_rand_int_range (dice, 0, 1 << (i % 18)));
    odl_archive_work_cancel (work);
    wait_until (fixture, has_ended, &ended);
    g_assert_true (ended.cancelled);
    odl_archive_work_drop (work);
  }
  end_node (&silent);
}

static gboolean
paint_cb (void *data)
{
  g_usleep (20000);
  return G_SOURCE_CONTINUE;
}

// A picture that moves, on a machine that is slower than it: there is always something to
// paint, and what comes from a node is told all the same.
static void
test_beside_painting (Fixture *fixture, const void *data)
{
  Node rogue = start_rogue ("abort", NULL);
  Ended ended;

  name_node (fixture, &rogue);
  const guint painting = g_idle_add_full (GDK_PRIORITY_REDRAW, paint_cb, NULL, NULL);
  OdlArchiveWork *work = search (fixture, &ended);
  wait_until (fixture, has_ended, &ended);
  g_source_remove (painting);
  odl_archive_work_drop (work);
  end_node (&rogue);
}

// ---- Orthanc -------------------------------------------------------------------------

static char *
gdcm_plugin (void)
{
  static const char folder[] = "/usr/lib/orthanc";
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, "libOrthancGdcm.so"))
      return g_build_filename (folder, name, NULL);
  return NULL;
}

// Found, got, shown, and sent back as a study of somebody else.
static void
walk_with_orthanc (Fixture *fixture, const char *plugin)
{
  g_autofree char *program = g_find_program_in_path ("Orthanc");
  if (program == NULL || !has_archive_tools ()) {
    g_test_skip ("Orthanc, or DCMTK's storescu, is not installed");
    return;
  }
  Node orthanc = start_orthanc (fixture, plugin);

  put_series (fixture, &orthanc, &erika, 1, 5);
  put_series (fixture, &orthanc, &otto, 1, 1);
  name_node (fixture, &orthanc);
  open_finder (fixture);
  click (finder (), "_Find");
  wait_for (fixture, finder, "2 studies");
  wait_for_study (fixture, 0, &erika);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (studies ()), 0, TRUE);
  wait_until (fixture, has_series, GINT_TO_POINTER (2));
  click (finder (), "_Get and Show");
  wait_until (fixture, has_toast, "5 pictures arrived, which are all there are");
  wait_until (fixture, shows_stack, GINT_TO_POINTER (5));
  settle (fixture);
  gtk_window_destroy (GTK_WINDOW (finder ()));
  g_autofree char *path = write_slice_of (fixture, &erika_before, 1, 1);
  open_and_wait (fixture, path);
  activate (fixture, "send-archive", NULL);
  click (sender (), "_Send…");
  answer (fixture, "Muster, Erika · 4711 · 1960-01-02", "send");
  wait_for (fixture, sender, "1 file sent; Test has it");
  gtk_window_destroy (GTK_WINDOW (sender ()));
  activate (fixture, "find-priors", NULL);
  wait_for (fixture, finder, "2 studies");
  wait_for_study (fixture, 1, &erika_before);
  gtk_window_destroy (GTK_WINDOW (finder ()));
  end_node (&orthanc);
}

static void
test_orthanc (Fixture *fixture, const void *data)
{
  walk_with_orthanc (fixture, NULL);
}

static void
test_orthanc_with_gdcm (Fixture *fixture, const void *data)
{
  g_autofree char *plugin = gdcm_plugin ();

  if (plugin == NULL)
    g_test_skip ("orthanc-gdcm is not installed");
  else
    walk_with_orthanc (fixture, plugin);
}

#define ADD_CASE(path, test) \
  g_test_add (path, Fixture, NULL, set_up, test, fixture_tear_down)

int
main (int argc, char **argv)
{
  char *home = g_dir_make_tmp ("ondelette-XXXXXX", NULL);
  g_autofree char *cache = g_build_filename (home, "cache", NULL);
  g_autofree char *state = g_build_filename (home, "state", NULL);

  // Its own spool and queue.
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  need_display (&argc, &argv);
  ADD_CASE ("/archive-queue/pauses-grow-and-are-bounded", test_pauses);
  ADD_CASE ("/archive-queue/a-search-ends-whenever-it-is-cancelled", test_any_moment);
  ADD_CASE ("/archive-queue/what-comes-is-told-beside-a-window-that-always-paints",
            test_beside_painting);
  if (has_archive_tools ()) {
    ADD_CASE ("/archive-queue/what-waits-goes-by-itself", test_by_itself);
    ADD_CASE ("/archive-queue/it-goes-at-once-or-not-at-all", test_buttons);
    ADD_CASE ("/archive-queue/whose-node-is-not-named-any-more", test_unknown);
  }
  ADD_CASE ("/archive-queue/found-got-and-sent-back-with-orthanc", test_orthanc);
  ADD_CASE ("/archive-queue/found-got-and-sent-back-with-orthanc-and-gdcm",
            test_orthanc_with_gdcm);
  return odl_test_run_in (home);
}
