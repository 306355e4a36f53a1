// SPDX-License-Identifier: MIT
// Archives in the real window: nodes in the preferences, what is found, got and sent,
// held against DCMTK's dcmqrscp, and against nodes that do what none should.
#include "../helpers/folder.h"
#include "support/archives.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "../unit/source/dicom_writer.h"
#include "session/archive/nodes.h"
#include "session/archive/parcel.h"
#include "session/archive/spool.h"
#include "widgets/archive/arrivals.h"
#include "widgets/viewport/private.h"
#include "widgets/window/parts.h"

#define N_SLICES 12

// Types into the fields: name, number, date, modality, description.
static void
type (int field, const char *text)
{
  GtkWidget *entry = find_nth (finder (), GTK_TYPE_ENTRY, field);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
}

// ---- The tests -----------------------------------------------------------------------

static GtkWidget *
editor (void)
{
  return window_with ("odl-node");
}

static GtkWidget *
preferences (void)
{
  return window_with ("preferences");
}

static void
enter (int field, const char *text)
{
  GtkWidget *row = find_nth (editor (), ADW_TYPE_ENTRY_ROW, field);

  gtk_editable_set_text (GTK_EDITABLE (row), text);
}

static void
open_preferences (Fixture *fixture)
{
  activate (fixture, "preferences", NULL);
  adw_preferences_window_set_visible_page_name (ADW_PREFERENCES_WINDOW (preferences ()),
                                                "archives");
}

static void
test_nodes (Fixture *fixture, const void *data)
{
  Node archive = start_archive (fixture);
  g_autofree char *port = g_strdup_printf ("%u", archive.port);
  g_autofree char *address = g_strdup_printf ("ARCHIVE@127.0.0.1:%u", archive.port);

  open_preferences (fixture);
  wait_for (fixture, preferences, "No node yet");
  click (preferences (), "_Add…");
  // What cannot be called is not kept.
  enter (0, "Hospital");
  enter (1, "A TITLE THAT IS TOO LONG");
  click (editor (), "_Save");
  g_assert_true (has_label (editor (), "The title of a node has 1 to 16"));
  enter (1, "ARCHIVE");
  enter (2, "127.0.0.1");
  enter (3, "70000");
  click (editor (), "_Save");
  g_assert_true (has_label (editor (), "Ports are numbers from 1 to 65535"));
  g_autofree char *none
      = odl_settings_get_string (fixture->settings, ODL_ARCHIVE_NODES_KEY);
  g_assert_cmpstr (none, ==, "");
  enter (3, port);
  click (editor (), "_Test");
  wait_for (fixture, editor,
            "It is there: answers queries (C-FIND), gives pictures (C-GET), takes "
            "pictures (C-STORE).");
  click (editor (), "_Save");
  wait_for (fixture, preferences, address);
  g_assert_null (editor ());
  click (preferences (), "_Test");
  wait_for (fixture, preferences, "It is there");
  // What listens no more.
  end_node (&archive);
  click (preferences (), "_Test");
  wait_for (fixture, preferences, "nobody answers there");
  g_assert_true (has_label (preferences (), "\nThe association with "));
  g_autofree char *text
      = odl_settings_get_string (fixture->settings, ODL_ARCHIVE_NODES_KEY);
  g_autoptr (GPtrArray) nodes = odl_archive_nodes_parse (text);
  g_assert_cmpint (nodes->len, ==, 1);
  const OdlArchiveNode *node = nodes->pdata[0];
  g_assert_cmpstr (node->name, ==, "Hospital");
  g_assert_cmpstr (node->host, ==, "127.0.0.1");
  g_assert_false (node->encrypted);
  // Whose certificate it is counts unless somebody says that it does not.
  g_assert_false (node->any_host);
  gtk_window_destroy (GTK_WINDOW (preferences ()));
}

static bool
is_about_certificates (GtkWidget *widget, const void *data)
{
  return GTK_IS_LABEL (widget)
         && g_str_has_prefix (gtk_label_get_text (GTK_LABEL (widget)), "Choose the file");
}

// Keys of nodes that are encrypted, and their removal.
static void
test_certificates (Fixture *fixture, const void *data)
{
  const Node node = { .port = 11112 };
  g_autofree char *key = path_in (fixture, "key.pem");
  g_autofree char *plain = path_in (fixture, "plain.pem");

  g_assert_true (
      g_file_set_contents (key, "-----BEGIN ENCRYPTED PRIVATE KEY-----\n", -1, NULL));
  g_assert_true (g_file_set_contents (plain, "-----BEGIN CERTIFICATE-----\n", -1, NULL));
  name_node (fixture, &node);
  open_preferences (fixture);
  g_signal_emit_by_name (find_where (preferences (), has_tooltip, "Edit"), "clicked");
  GtkWidget *toggle = find_widget (editor (), GTK_TYPE_SWITCH);
  gtk_switch_set_active (GTK_SWITCH (toggle), TRUE);
  click (editor (), "_Save");
  g_assert_true (has_label (editor (), "Choose the file of certificates"));
  // What is wrong is seen, however far the fields go down.
  GtkWidget *told = find_where (editor (), is_about_certificates, NULL);
  g_assert_null (gtk_widget_get_ancestor (told, GTK_TYPE_SCROLLED_WINDOW));
  enter (5, plain);
  enter (6, plain);
  click (editor (), "_Save");
  g_assert_true (has_label (editor (), "and its key, or neither"));
  // Nobody is asked for a password, and none is kept.
  enter (7, key);
  click (editor (), "_Save");
  g_assert_true (has_label (editor (), "keys with a password are not read"));
  enter (7, plain);
  enter (2, " [::1] ");
  click (editor (), "_Save");
  wait_for (fixture, preferences, "encrypted (TLS)");
  g_autofree char *text
      = odl_settings_get_string (fixture->settings, ODL_ARCHIVE_NODES_KEY);
  g_assert_nonnull (strstr (text, "tls=true"));
  g_assert_nonnull (strstr (text, "host=::1\n"));
  g_assert_nonnull (strstr (text, "tls-any-host=false"));
  g_signal_emit_by_name (find_where (preferences (), has_tooltip, "Remove"), "clicked");
  wait_until (fixture, asks, NULL);
  adw_message_dialog_response (find_dialog (), "remove");
  wait_for (fixture, preferences, "No node yet");
  gtk_window_destroy (GTK_WINDOW (preferences ()));
}

static void
test_find (Fixture *fixture, const void *data)
{
  Node archive = start_archive (fixture);

  put_series (fixture, &archive, &erika, 1, 3);
  put_series (fixture, &archive, &erika, 2, 1);
  put_series (fixture, &archive, &otto, 1, 1);
  put_series (fixture, &archive, &erika_before, 1, 1);
  open_finder (fixture);
  g_assert_true (has_label (finder (), "No Archive Yet"));
  name_node (fixture, &archive);
  gtk_window_destroy (GTK_WINDOW (finder ()));
  open_finder (fixture);
  // Newest first.
  click (finder (), "_Find");
  wait_for (fixture, finder, "3 studies");
  wait_for_study (fixture, 0, &erika);
  wait_for_study (fixture, 1, &otto);
  wait_for_study (fixture, 2, &erika_before);
  wait_for (fixture, finder, "Muster, Erika");
  wait_for (fixture, finder, "4711 · 1960-01-02");
  // A study, and then its series; from the fields by a key.
  gtk_widget_grab_focus (find_nth (finder (), GTK_TYPE_ENTRY, 1));
  press_in (finder (), GDK_KEY_Down);
  g_assert_true (gtk_selection_model_is_selected (GTK_SELECTION_MODEL (studies ()), 0));
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (finder ())),
                                         find_widget (finder (), GTK_TYPE_COLUMN_VIEW)));
  wait_until (fixture, has_series, GINT_TO_POINTER (3));
  wait_for (fixture, finder, "Series 2 · CT");
  // Each of what can be typed.
  static const struct {
    int field;
    const char *text;
    int n;
  } cases[] = { { 0, "muster", 2 },    { 0, "beispiel", 1 }, { 1, "4712", 1 },
                { 2, "2021-2023", 1 }, { 2, "2020", 1 },     { 4, "*horax", 2 } };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    type (cases[i].field, cases[i].text);
    click (finder (), "_Find");
    wait_until (fixture, has_studies, GINT_TO_POINTER (cases[i].n));
    wait_for (fixture, finder, cases[i].n == 1 ? "1 study" : "2 studies");
    type (cases[i].field, "");
  }
  // What cannot be asked for is said, and the list stays.
  type (2, "yesterday");
  click (finder (), "_Find");
  g_assert_true (has_label (finder (), "takes a date"));
  g_assert_true (has_studies (fixture, GINT_TO_POINTER (2)));
  // Names are hidden here, too.
  activate (fixture, "mask-names", NULL);
  wait_for (fixture, finder, "Patient 1");
  g_assert_false (has_label (finder (), "Muster"));
  g_assert_false (has_label (finder (), "4711"));
  activate (fixture, "mask-names", NULL);
  wait_for (fixture, finder, "Muster, Erika");
  end_node (&archive);
  type (2, "");
  click (finder (), "_Find");
  wait_for (fixture, finder, "nobody answers there");
  g_assert_true (has_studies (fixture, GINT_TO_POINTER (2)));
  gtk_window_destroy (GTK_WINDOW (finder ()));
}

// Rows that are added in one turn of the main loop.
static void
added_cb (GListModel *model, guint at, guint removed, guint added, guint *most)
{
  *most = MAX (*most, added);
}

static bool
shows_first (Fixture *fixture, const void *data)
{
  GtkWidget *list = find_widget (finder (), GTK_TYPE_COLUMN_VIEW);
  GtkAdjustment *place = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (list));

  return gtk_adjustment_get_value (place) < 1
         && gtk_adjustment_get_upper (place) > gtk_adjustment_get_page_size (place);
}

static void
test_many (Fixture *fixture, const void *data)
{
  Node rogue = start_rogue ("many", "10000");
  guint most = 0;

  name_node (fixture, &rogue);
  open_finder (fixture);
  GtkSortListModel *sorted = GTK_SORT_LIST_MODEL (
      gtk_single_selection_get_model (GTK_SINGLE_SELECTION (studies ())));
  g_signal_connect (gtk_sort_list_model_get_model (sorted), "items-changed",
                    G_CALLBACK (added_cb), &most);
  click (finder (), "_Find");
  wait_until (fixture, has_studies, GINT_TO_POINTER (10000));
  wait_for (fixture, finder, "10000 studies");
  wait_until (fixture, shows_first, NULL);
  g_assert_cmpint (most, >, 0);
  g_assert_cmpint (most, <=, 200);
  gtk_window_destroy (GTK_WINDOW (finder ()));
  end_node (&rogue);
}

static bool
has_some (Fixture *fixture, const void *data)
{
  return g_list_model_get_n_items (studies ()) > 0;
}

// A node that is no good: a sentence, and what was there stays.
static void
test_rogues (Fixture *fixture, const void *data)
{
  static const struct {
    const char *kind, *words;
  } cases[] = { { "abort", "aborted by the other side" }, { "refuse", "rejected" } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    Node rogue = start_rogue (cases[i].kind, NULL);
    name_node (fixture, &rogue);
    open_finder (fixture);
    click (finder (), "_Find");
    wait_for (fixture, finder, cases[i].words);
    gtk_window_destroy (GTK_WINDOW (finder ()));
    end_node (&rogue);
  }
  // One that never answers, until Escape.
  Node silent = start_rogue ("silent", NULL);
  name_node (fixture, &silent);
  open_finder (fixture);
  click (finder (), "_Find");
  wait_for (fixture, finder, "Asking…");
  wait_for (fixture, finder, "No answer for 5 s: the node is slow, or hangs");
  press_in (finder (), GDK_KEY_Escape);
  wait_for (fixture, finder, "Stopped; it had not answered yet");
  // The window may go while it is asked.
  click (finder (), "_Find");
  gtk_window_destroy (GTK_WINDOW (finder ()));
  run_cycles (fixture, 3);
  end_node (&silent);
  // One that never stops, until the button.
  Node endless = start_rogue ("forever", NULL);
  name_node (fixture, &endless);
  open_finder (fixture);
  click (finder (), "_Find");
  wait_until (fixture, has_some, NULL);
  if (gtk_widget_get_visible (button (finder (), "_Stop")))
    click (finder (), "_Stop");
  wait_for (fixture, finder, "s");
  gtk_window_destroy (GTK_WINDOW (finder ()));
  end_node (&endless);
}

static bool
is_marked (Fixture *fixture)
{
  g_autofree char *marks = odl_viewport_file_marks (fixture->viewport);

  return marks != NULL && strstr (marks, "INCOMPLETE") != NULL;
}

static bool
is_out_of_the_way (Fixture *fixture, const void *data)
{
  return !gtk_widget_get_visible (finder ());
}

static void
test_get (Fixture *fixture, const void *data)
{
  Node archive = start_archive (fixture);
  g_autofree char *spool = odl_spool_path ();
  struct stat status;

  put_series (fixture, &archive, &erika, 1, N_SLICES);
  put_series (fixture, &archive, &erika, 2, 3);
  name_node (fixture, &archive);
  open_finder (fixture);
  click (finder (), "_Find");
  wait_for (fixture, finder, "1 study");
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (studies ()), 0, TRUE);
  wait_until (fixture, has_series, GINT_TO_POINTER (3));
  click (finder (), "_Get and Show");
  wait_until (fixture, has_toast, "15 pictures arrived, which are all there are");
  settle (fixture);
  // The picture is seen, and the window comes again as it was.
  wait_until (fixture, is_out_of_the_way, NULL);
  open_finder (fixture);
  g_assert_true (gtk_widget_get_visible (finder ()));
  g_assert_true (has_studies (fixture, GINT_TO_POINTER (1)));
  g_assert_nonnull (strstr (odl_session_file (fixture->session), spool));
  g_assert_false (is_marked (fixture));
  // What is made of it is not offered to lie where all is cleared away.
  g_autoptr (GFile) place
      = odl_files_save_folder (odl_main_window_parts (fixture->window));
  g_assert_nonnull (place);
  g_assert_null (strstr (g_file_peek_path (place), spool));
  activate (fixture, "save-measures-beside", NULL);
  wait_until (fixture, has_toast, "removed after some days, and all beside it");
  g_assert_false (has_label (GTK_WIDGET (fixture->window), "got-"));
  // The user's alone, and out of the way of what indexes files.
  g_assert_cmpint (stat (spool, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0700);
  static const char *const signs[] = { ".trackerignore", ".nomedia", "CACHEDIR.TAG" };
  for (gsize i = 0; i < G_N_ELEMENTS (signs); i++) {
    g_autofree char *sign = g_build_filename (spool, signs[i], NULL);
    g_assert_true (g_file_test (sign, G_FILE_TEST_EXISTS));
  }
  // One series of it.
  for (guint i = 0; i < 3; i++)
    if (g_str_equal (value_at (series (), i, ODL_KEY_SERIES_NUMBER), "1"))
      gtk_selection_model_select_item (GTK_SELECTION_MODEL (series ()), i, TRUE);
  click (finder (), "_Get and Show");
  wait_until (fixture, has_toast, "12 pictures arrived, which are all there are");
  wait_until (fixture, shows_stack, GINT_TO_POINTER (N_SLICES));
  settle (fixture);
  g_assert_false (is_marked (fixture));
  wait_until (fixture, is_out_of_the_way, NULL);
  gtk_window_destroy (GTK_WINDOW (finder ()));
  end_node (&archive);
}

static bool
shows_patient (Fixture *fixture, const void *number)
{
  return odl_session_opening (fixture->session) == NULL
         && g_strcmp0 (odl_session_detail (fixture->session, "patient-id"), number) == 0;
}

static void
get_all (Fixture *fixture)
{
  open_finder (fixture);
  click (finder (), "_Find");
  wait_for (fixture, finder, "1 study");
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (studies ()), 0, TRUE);
  wait_until (fixture, has_series, GINT_TO_POINTER (2));
  click (finder (), "_Get and Show");
}

// What is more than the folder may hold: what came is shown, and marked.
static void
test_too_much (Fixture *fixture, const void *data)
{
  Node archive = start_archive (fixture);
  OdlArrivals *arrivals = odl_arrivals_of (odl_main_window_parts (fixture->window));

  put_series (fixture, &archive, &erika, 1, N_SLICES);
  name_node (fixture, &archive);
  odl_arrivals_set_most (arrivals, 2 * odl_spool_bytes () + 2500);
  get_all (fixture);
  wait_until (fixture, has_toast, "KiB); get series by series");
  g_assert_true (has_toast (fixture, "it is more than the folder for pictures of nodes"));
  settle (fixture);
  g_assert_true (is_marked (fixture));
  gtk_window_destroy (GTK_WINDOW (finder ()));
  // What is open is not cleared away.
  odl_arrivals_set_most (arrivals, odl_spool_bytes () + 1500);
  get_all (fixture);
  wait_until (fixture, has_toast, "end the program to have that removed");
  gtk_window_destroy (GTK_WINDOW (finder ()));
  end_node (&archive);
}

// Enter gets what is selected, and nobody else's: rows change their places when the list
// is sorted, and the one that has the focus goes along.
static void
test_enter (Fixture *fixture, const void *data)
{
  Node archive = start_archive (fixture);

  put_series (fixture, &archive, &otto, 1, 1);
  put_series (fixture, &archive, &erika_before, 1, 1);
  put_series (fixture, &archive, &erika, 1, 2);
  name_node (fixture, &archive);
  open_finder (fixture);
  click (finder (), "_Find");
  wait_for (fixture, finder, "3 studies");
  wait_for_study (fixture, 0, &erika);
  wait_for_study (fixture, 1, &otto);
  run_cycles (fixture, 3);
  gtk_widget_grab_focus (find_nth (finder (), GTK_TYPE_ENTRY, 0));
  press_in (finder (), GDK_KEY_Down);
  wait_until (fixture, has_series, GINT_TO_POINTER (2));
  g_assert_true (gtk_widget_activate (gtk_window_get_focus (GTK_WINDOW (finder ()))));
  wait_until (fixture, has_toast, "2 pictures arrived, which are all there are");
  wait_until (fixture, shows_patient, erika.number);
  // One that has the focus alone is selected, and seen, first.
  GtkWidget *list = find_widget (finder (), GTK_TYPE_COLUMN_VIEW);
  g_signal_emit_by_name (list, "activate", 1u);
  g_assert_true (gtk_selection_model_is_selected (GTK_SELECTION_MODEL (studies ()), 1));
  g_assert_false (has_label (finder (), "Asking for the pictures"));
  g_signal_emit_by_name (list, "activate", 1u);
  wait_until (fixture, has_toast, "1 picture arrived, which is all there is");
  wait_until (fixture, shows_patient, otto.number);
  gtk_window_destroy (GTK_WINDOW (finder ()));
  end_node (&archive);
}

// Takes a picture away behind the archive's back.
static void
lose_one (const char *storage)
{
  g_autoptr (GDir) dir = g_dir_open (storage, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    if (!g_str_has_suffix (name, ".dat")) {
      g_autofree char *path = g_build_filename (storage, name, NULL);
      g_assert_cmpint (g_unlink (path), ==, 0);
      return;
    }
  g_assert_not_reached ();
}

// What does not come is counted, named, and to be seen in the picture.
static void
test_missing (Fixture *fixture, const void *data)
{
  Node archive = start_archive (fixture);

  put_series (fixture, &archive, &erika, 1, N_SLICES);
  lose_one (archive.storage);
  name_node (fixture, &archive);
  open_finder (fixture);
  click (finder (), "_Find");
  wait_for (fixture, finder, "1 study");
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (studies ()), 0, TRUE);
  wait_until (fixture, has_series, GINT_TO_POINTER (2));
  click (finder (), "_Get and Show");
  wait_until (fixture, has_toast, "11 of 12 pictures arrived; the others are missing");
  g_assert_true (has_toast (fixture, "missing: 1.2.826.1/1.2.826.1.1/1.2.826.1.1."));
  wait_until (fixture, shows_stack, GINT_TO_POINTER (N_SLICES - 1));
  settle (fixture);
  g_assert_true (is_marked (fixture));
  open_finder (fixture); // which went out of the way
  g_assert_true (has_label (finder (), "11 of 12 pictures arrived"));
  gtk_window_destroy (GTK_WINDOW (finder ()));
  end_node (&archive);
}

// From the preferences to found, got and sent, all of it encrypted.
static void
enter_file (int field, const Node *node, const char *name)
{
  g_autofree char *path = g_build_filename (node->keys, name, NULL);

  enter (field, path);
}

static void
test_encrypted (Fixture *fixture, const void *data)
{
  Node orthanc;
  if (!start_orthanc_encrypted (fixture, &orthanc))
    return;
  g_autofree char *port = g_strdup_printf ("%u", orthanc.port);
  g_autofree char *place
      = g_strdup_printf ("ARCHIVE@127.0.0.1:%u, encrypted (TLS)", orthanc.port);

  put_series (fixture, &orthanc, &erika, 1, 3);
  open_preferences (fixture);
  click (preferences (), "_Add…");
  enter (0, "Test");
  enter (1, "ARCHIVE");
  enter (2, "127.0.0.1");
  enter (3, port);
  gtk_switch_set_active (GTK_SWITCH (find_widget (editor (), GTK_TYPE_SWITCH)), TRUE);
  // Each that is wrong in its words.
  enter_file (5, &orthanc, "others.pem");
  click (editor (), "_Test");
  wait_for (fixture, editor, "both sides do not agree upon TLS");
  enter_file (5, &orthanc, "ours.pem");
  click (editor (), "_Test");
  wait_for (fixture, editor, "certificate");
  enter_file (6, &orthanc, "client.pem");
  enter_file (7, &orthanc, "client.key");
  click (editor (), "_Test");
  wait_for (fixture, editor, "It is there: answers queries (C-FIND)");
  click (editor (), "_Save");
  wait_for (fixture, preferences, place);
  click (preferences (), "_Test");
  wait_for (fixture, preferences, "It is there");
  gtk_window_destroy (GTK_WINDOW (preferences ()));
  open_finder (fixture);
  click (finder (), "_Find");
  wait_for (fixture, finder, "1 study");
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (studies ()), 0, TRUE);
  wait_until (fixture, has_series, GINT_TO_POINTER (2));
  click (finder (), "_Get and Show");
  wait_until (fixture, has_toast, "3 pictures arrived, which are all there are");
  wait_until (fixture, shows_stack, GINT_TO_POINTER (3));
  settle (fixture);
  gtk_window_destroy (GTK_WINDOW (finder ()));
  g_autofree char *path = write_slice_of (fixture, &erika_before, 1, 1);
  open_and_wait (fixture, path);
  activate (fixture, "send-archive", NULL);
  wait_for (fixture, sender, place);
  click (sender (), "_Send…");
  answer (fixture, place, "send");
  wait_for (fixture, sender, "1 file sent; Test has it");
  gtk_window_destroy (GTK_WINDOW (sender ()));
  end_node (&orthanc);
}

static void
assert_narrow (GtkWidget *window, const char *name)
{
  int least;

  gtk_widget_measure (window, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  if (least > 500)
    g_error ("%s: %d pixels wide at least", name, least);
}

// Names of nodes and machines may be as long as they like.
static void
test_narrow (Fixture *fixture, const void *data)
{
  Node rogue = start_rogue ("many", "5");
  g_autofree char *path = write_slice_of (fixture, &erika, 1, 1);

  name_node_as (fixture, &rogue,
                "The archive of the department of radiology of the university hospital "
                "upon the river",
                "archive.department-of-radiology.university-hospital.example.org");
  open_and_wait (fixture, path);
  open_preferences (fixture);
  assert_narrow (preferences (), "preferences");
  g_signal_emit_by_name (find_where (preferences (), has_tooltip, "Edit"), "clicked");
  gtk_switch_set_active (GTK_SWITCH (find_widget (editor (), GTK_TYPE_SWITCH)), TRUE);
  click (editor (), "_Save");
  assert_narrow (editor (), "editor of a node");
  gtk_window_destroy (GTK_WINDOW (editor ()));
  gtk_window_destroy (GTK_WINDOW (preferences ()));
  activate (fixture, "send-archive", NULL);
  assert_narrow (sender (), "sending");
  gtk_window_destroy (GTK_WINDOW (sender ()));
  open_finder (fixture);
  assert_narrow (finder (), "finding");
  gtk_window_destroy (GTK_WINDOW (finder ()));
  name_node_as (fixture, &rogue, "The archive of the department of radiology",
                "127.0.0.1");
  open_finder (fixture);
  click (finder (), "_Find");
  wait_for (fixture, finder, "5 studies");
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (studies ()), 0, TRUE);
  run_cycles (fixture, 3);
  assert_narrow (finder (), "found");
  gtk_window_destroy (GTK_WINDOW (finder ()));
  end_node (&rogue);
}

// What was got a while ago goes, but for what somebody has.
static void
test_spool (Fixture *fixture, const void *data)
{
  g_autofree char *spool = odl_spool_path ();
  g_autofree char *old = g_build_filename (spool, "got-before", "study", NULL);
  g_autofree char *file = g_build_filename (old, "picture.dcm", NULL);
  g_autofree char *above = g_path_get_dirname (old);

  g_assert_cmpint (g_mkdir_with_parents (old, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "1234567890", -1, NULL));
  g_autofree char *own = odl_spool_new_folder (NULL);
  g_assert_nonnull (own);
  g_assert_true (odl_spool_is_incomplete (own));
  g_autofree char *inside = g_build_filename (own, "picture.dcm", NULL);
  g_assert_true (odl_spool_is_incomplete (inside));
  odl_spool_set_complete (own);
  g_assert_false (odl_spool_is_incomplete (inside));
  g_assert_false (odl_spool_is_incomplete (fixture->folder));
  odl_spool_clear (G_MAXUINT64, 1);
  g_assert_true (g_file_test (file, G_FILE_TEST_EXISTS));
  odl_spool_clear (0, 1);
  g_assert_false (g_file_test (above, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (own, G_FILE_TEST_IS_DIR));
}

static void
test_send (Fixture *fixture, const void *data)
{
  Node archive = start_archive (fixture);
  g_autofree char *path = write_slice_of (fixture, &erika, 1, 1);
  for (int place = 2; place <= 3; place++)
    g_free (write_slice_of (fixture, &erika, 1, place));

  name_node (fixture, &archive);
  open_and_wait (fixture, path);
  activate (fixture, "send-archive", NULL);
  // Nothing goes before somebody has read whose it is, and where it goes.
  click (sender (), "_Send…");
  answer (fixture, "Muster, Erika · 4711 · 1960-01-02", "cancel");
  wait_for (fixture, sender, "Nothing was sent");
  g_assert_cmpint (count_files (archive.storage), <=, 1);
  click (sender (), "_Send…");
  answer (fixture, "ARCHIVE@127.0.0.1:", "send");
  wait_for (fixture, sender, "1 file sent; Test has it");
  // Its series.
  g_autofree char *stack = g_strconcat ("series:", path, NULL);
  open_and_wait (fixture, stack);
  wait_until (fixture, shows_stack, GINT_TO_POINTER (3));
  settle (fixture);
  activate (fixture, "send-archive", NULL);
  GtkWidget *what = find_nth (sender (), ADW_TYPE_COMBO_ROW, 1);
  adw_combo_row_set_selected (ADW_COMBO_ROW (what), 1);
  click (sender (), "_Send…");
  answer (fixture, "3 files", "send");
  wait_for (fixture, sender, "3 files sent; Test has them");
  // One table, and three pictures.
  g_assert_cmpint (count_files (archive.storage), ==, 4);
  // A node that is not there: the files wait, and go when it is.
  end_node (&archive);
  click (sender (), "_Send…");
  answer (fixture, "answers no query", "send");
  wait_for (fixture, sender, "0 of 3 files sent; 3 wait on this machine");
  archive = start_archive (fixture);
  name_node (fixture, &archive);
  gtk_window_destroy (GTK_WINDOW (sender ()));
  end_node (&archive);
}

// Case, order, accents and letters that a node has lost make no other person.
static void
test_persons (Fixture *fixture, const void *data)
{
  static const struct {
    const char *name, *birth, *other, *other_birth;
    bool may_be;
  } cases[] = {
    { "Muster, Erika", "19600102", "MUSTER^ERIKA", "19600102", true },
    { "Müller, Erika", "", "Mller^Erika", "19600102", true },
    { "Müller, Erika", "", "M?ller^Erika", "", true },
    { "Müller, Erika", "", "Muller^Erika^^^", "", true },
    { "Muster, Erika", "19600102", "Muster^Erika", "19600103", false },
    { "Muster, Erika", "", "Muster^Eva", "", false },
    { "Muster, Erika", "", "", "", true },
    { "", "19600102", "Muster^Erika", "19810101", false },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    if (odl_archive_may_be_one (cases[i].name, cases[i].birth, cases[i].other,
                                cases[i].other_birth)
        != cases[i].may_be)
      g_error ("“%s” and “%s”", cases[i].name, cases[i].other);
}

// An object without a picture.
static char *
write_object (Fixture *fixture,
              const char *file_name,
              const char *sop_class,
              const char *name,
              const char *number)
{
  g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);

  odl_dicom_put_text (file, 0x00080005, "CS", "ISO_IR 100");
  odl_dicom_put_text (file, 0x00080016, "UI", sop_class);
  odl_dicom_put_text (file, 0x00080018, "UI", "1.2.826.77");
  odl_dicom_put_text (file, 0x00100010, "PN", name);
  odl_dicom_put_text (file, 0x00100020, "LO", number);
  odl_dicom_put_text (file, 0x00100030, "DA", "");
  odl_dicom_put_text (file, 0x0020000d, "UI", "1.2.826.7");
  odl_dicom_put_text (file, 0x0020000e, "UI", "1.2.826.7.1");
  odl_dicom_write_in (fixture->folder, file_name, file);
  return path_in (fixture, file_name);
}

typedef struct {
  GPtrArray *persons; // "name number files"
  guint n_unknown;
  bool told;
} Owners;

static void
owners_cb (const GPtrArray *persons, guint n_unknown, void *data)
{
  Owners *owners = data;

  for (guint i = 0; i < persons->len; i++) {
    const OdlArchivePerson *one = persons->pdata[i];
    g_ptr_array_add (owners->persons,
                     g_strdup_printf ("%s %s %u", one->name, one->number, one->n_files));
  }
  owners->n_unknown = n_unknown;
  owners->told = true;
}

static bool
owners_are_told (Fixture *fixture, const void *data)
{
  return ((const Owners *) data)->told;
}

// Reports and states are somebody's, too, and one person may be written in several ways.
static void
test_owners (Fixture *fixture, const void *data)
{
  const char report[] = "1.2.840.10008.5.1.4.1.1.88.33";
  const char state[] = "1.2.840.10008.5.1.4.1.1.11.1";
  g_autofree char *slice = write_slice_of (fixture, &erika, 1, 1);
  g_autofree char *same
      = write_object (fixture, "a.dcm", report, "MUSTER^ERIKA^^^", erika.number);
  g_autofree char *other = write_object (fixture, "b.dcm", state, "M\xfcller^Anna", "9");
  g_autofree char *nobody = write_object (fixture, "c.dcm", report, "", "");
  g_autofree char *text = path_in (fixture, "d.dcm");
  Owners owners = { .persons = g_ptr_array_new_with_free_func (g_free) };

  g_assert_true (g_file_set_contents (text, "no DICOM", -1, NULL));
  const char *const paths[] = { slice, same, other, nobody, text, NULL };
  OdlArchiveWork *work = odl_archive_owners_start (paths, owners_cb, &owners, NULL);
  wait_until (fixture, owners_are_told, &owners);
  odl_archive_work_drop (work);
  g_assert_cmpint (owners.persons->len, ==, 2);
  g_assert_cmpstr (owners.persons->pdata[0], ==, "Muster^Erika 4711 2");
  g_assert_cmpstr (owners.persons->pdata[1], ==, "Müller^Anna 9 1");
  g_assert_cmpint (owners.n_unknown, ==, 2);
  g_ptr_array_unref (owners.persons);
}

// The archive has somebody else under that number.
static void
test_stranger (Fixture *fixture, const void *data)
{
  Node archive = start_archive (fixture);
  g_autofree char *path = write_slice_of (fixture, &erika, 1, 1);

  put_series (fixture, &archive, &stranger, 1, 1);
  name_node (fixture, &archive);
  open_and_wait (fixture, path);
  activate (fixture, "send-archive", NULL);
  click (sender (), "_Send…");
  answer (fixture, "another person under that number, Fremd, Anna · 4711 · 1981-12-31",
          "cancel");
  wait_for (fixture, sender, "Nothing was sent");
  gtk_window_destroy (GTK_WINDOW (sender ()));
  end_node (&archive);
}

static void
test_priors (Fixture *fixture, const void *data)
{
  Node archive = start_archive (fixture);
  g_autofree char *path = write_slice_of (fixture, &erika, 1, 1);

  put_series (fixture, &archive, &erika, 1, 1);
  put_series (fixture, &archive, &erika_before, 1, 1);
  put_series (fixture, &archive, &otto, 1, 1);
  name_node (fixture, &archive);
  open_and_wait (fixture, path);
  activate (fixture, "find-priors", NULL);
  wait_for (fixture, finder, "2 studies");
  wait_for_study (fixture, 0, &erika);
  wait_for_study (fixture, 1, &erika_before);
  gtk_window_destroy (GTK_WINDOW (finder ()));
  // A picture that names nobody.
  g_autofree char *png = write_png (fixture, "p.png", 40, 30, false);
  open_and_wait (fixture, png);
  activate (fixture, "find-priors", NULL);
  g_assert_null (finder ());
  g_assert_true (has_toast (fixture, "does not say the number of its patient"));
  end_node (&archive);
}

static bool
are_gone (Fixture *fixture, const void *data)
{
  return finder () == NULL && sender () == NULL;
}

// The main window goes while pictures are on their way from a node that says nothing.
static void
test_closed (Fixture *fixture, const void *data)
{
  Node silent = start_rogue ("silent", NULL);

  name_node (fixture, &silent);
  open_finder (fixture);
  click (finder (), "_Find");
  activate (fixture, "send-archive", NULL);
  g_clear_pointer ((GtkWindow **) &fixture->window, gtk_window_destroy);
  wait_until (fixture, are_gone, NULL);
  end_node (&silent);
}

#define ADD_CASE(path, test) \
  g_test_add (path, Fixture, NULL, archives_set_up, test, fixture_tear_down)

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
  if (has_archive_tools ())
    ADD_CASE ("/archive/nodes-are-named-in-the-preferences", test_nodes);
  ADD_CASE ("/archive/certificates-are-files-without-passwords", test_certificates);
  ADD_CASE ("/archive/ten-thousand-answers-come-in-batches", test_many);
  ADD_CASE ("/archive/what-was-got-is-cleared-away", test_spool);
  ADD_CASE ("/archive/windows-go-into-500-pixels", test_narrow);
  ADD_CASE ("/archive/encrypted-from-the-preferences-to-sent", test_encrypted);
  ADD_CASE ("/archive/nodes-that-do-what-none-should", test_rogues);
  ADD_CASE ("/archive/who-may-be-one-person", test_persons);
  ADD_CASE ("/archive/reports-and-states-are-somebodys", test_owners);
  if (has_archive_tools ()) {
    ADD_CASE ("/archive/studies-and-series-are-found", test_find);
    ADD_CASE ("/archive/more-than-the-folder-holds-is-said", test_too_much);
    ADD_CASE ("/archive/enter-gets-what-is-selected", test_enter);
    ADD_CASE ("/archive/what-is-got-is-shown", test_get);
    ADD_CASE ("/archive/what-is-missing-is-named-and-marked", test_missing);
    ADD_CASE ("/archive/files-are-sent-when-somebody-has-said-so", test_send);
    ADD_CASE ("/archive/another-patient-under-that-number-is-asked-about", test_stranger);
    ADD_CASE ("/archive/other-studies-of-the-patient", test_priors);
  }
  // Leaves windows behind that others would find.
  ADD_CASE ("/archive/the-window-may-close-meanwhile", test_closed);
  return odl_test_run_in (home);
}
