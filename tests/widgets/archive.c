// SPDX-License-Identifier: MIT
// Archives in the real window: nodes in the preferences, what is found, got and sent,
// held against DCMTK's dcmqrscp, and against nodes that do what none should.
#include "support/support.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "../unit/source/dicom_writer.h"
#include "session/archive/found.h"
#include "session/archive/nodes.h"
#include "session/archive/parcel.h"
#include "session/archive/spool.h"
#include "widgets/viewport/private.h"
#include "widgets/window/parts.h"

#define N_SLICES 12

// ---- Nodes ---------------------------------------------------------------------------

typedef struct {
  GSubprocess *process;
  guint port;
  char *storage; // of an archive
} Node;

static guint
free_port (void)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  const guint16 port = g_socket_listener_add_any_inet_port (listener, NULL, NULL);

  g_assert_cmpint (port, >, 0);
  g_socket_listener_close (listener);
  return port;
}

static void
wait_for_port (guint port)
{
  const gint64 end = g_get_monotonic_time () + PATIENCE_US;
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketConnection) made = NULL;

  while (made == NULL && g_get_monotonic_time () < end) {
    made = g_socket_client_connect_to_host (client, "127.0.0.1", (guint16) port, NULL,
                                            NULL);
    g_usleep (1000);
  }
  g_assert_nonnull (made);
}

// dcmqrscp in the folder of the test, on a port of its own.
static Node
start_archive (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  Node node = { .port = free_port (), .storage = path_in (fixture, "storage") };
  g_autofree char *config = path_in (fixture, "dcmqrscp.cfg");
  g_autofree char *text = g_strdup_printf (
      "NetworkTCPPort = %u\nMaxPDUSize = 16384\nMaxAssociations = 16\n"
      "HostTable BEGIN\nHostTable END\nVendorTable BEGIN\nVendorTable END\n"
      "AETable BEGIN\nARCHIVE %s RW (200, 1024mb) ANY\nAETable END\n",
      node.port, node.storage);

  g_mkdir_with_parents (node.storage, 0700);
  g_assert_true (g_file_set_contents (config, text, -1, NULL));
  node.process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE
                                       | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                                   &error, "dcmqrscp", "-c", config, NULL);
  g_assert_no_error (error);
  wait_for_port (node.port);
  return node;
}

static Node
start_rogue (const char *kind, const char *n)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *script
      = g_build_filename (g_getenv ("ODL_HELPERS"), "rogue_node.py", NULL);
  Node node = { .process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error,
                                             "/usr/bin/python3", script, kind, n, NULL) };

  g_assert_no_error (error);
  g_autoptr (GDataInputStream) lines
      = g_data_input_stream_new (g_subprocess_get_stdout_pipe (node.process));
  g_autofree char *line = g_data_input_stream_read_line (lines, NULL, NULL, &error);
  g_assert_no_error (error);
  node.port = (guint) g_ascii_strtoull (line, NULL, 10);
  return node;
}

static void
end_node (Node *node)
{
  g_subprocess_force_exit (node->process);
  g_subprocess_wait (node->process, NULL, NULL);
  g_clear_object (&node->process);
  g_clear_pointer (&node->storage, g_free);
}

// The only one of the preferences.
static void
name_node (Fixture *fixture, const Node *node)
{
  g_autoptr (GPtrArray) nodes = odl_archive_nodes_parse ("");
  OdlArchiveNode *named = odl_archive_node_new ();

  g_free (named->name);
  g_free (named->title);
  g_free (named->host);
  named->name = g_strdup ("Test");
  named->title = g_strdup ("ARCHIVE");
  named->host = g_strdup ("127.0.0.1");
  named->port = node->port;
  g_ptr_array_add (nodes, named);
  g_autofree char *text = odl_archive_nodes_to_text (nodes);
  odl_settings_set_string (fixture->settings, ODL_ARCHIVE_NODES_KEY, text);
}

// ---- Pictures ------------------------------------------------------------------------

typedef struct {
  const char *name, *number, *birth, *study, *date, *text;
} Patient;

static const Patient erika
    = { "Muster^Erika", "4711", "19600102", "1.2.826.1", "20240131", "Thorax" };
static const Patient erika_before
    = { "Muster^Erika", "4711", "19600102", "1.2.826.2", "20200131", "Abdomen" };
static const Patient otto
    = { "Beispiel^Otto", "4712", "19700102", "1.2.826.3", "20230131", "Thorax" };
static const Patient stranger
    = { "Fremd^Anna", "4711", "19811231", "1.2.826.4", "20240201", "Head" };

// One of `series`, at that place. Transfer full.
static char *
write_slice_of (Fixture *fixture, const Patient *patient, int series, int place)
{
  g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
  g_autofree char *series_uid = g_strdup_printf ("%s.%d", patient->study, series);
  g_autofree char *instance = g_strdup_printf ("%s.%d", series_uid, place);
  g_autofree char *number = g_strdup_printf ("%d", series);
  g_autofree char *position = g_strdup_printf ("0\\0\\%d", place);
  g_autofree char *name = g_strdup_printf ("%s.dcm", instance);
  const char sop_class[] = "1.2.840.10008.5.1.4.1.1.2";

  odl_dicom_put_text (file, 0x00080005, "CS", "ISO_IR 100");
  odl_dicom_put_text (file, 0x00080016, "UI", sop_class);
  odl_dicom_put_text (file, 0x00080018, "UI", instance);
  odl_dicom_put_text (file, 0x00080020, "DA", patient->date);
  odl_dicom_put_text (file, 0x00080030, "TM", "101500");
  odl_dicom_put_text (file, 0x00080060, "CS", "CT");
  odl_dicom_put_text (file, 0x00081030, "LO", patient->text);
  odl_dicom_put_text (file, 0x00100010, "PN", patient->name);
  odl_dicom_put_text (file, 0x00100020, "LO", patient->number);
  odl_dicom_put_text (file, 0x00100030, "DA", patient->birth);
  odl_dicom_put_text (file, 0x0020000d, "UI", patient->study);
  odl_dicom_put_text (file, 0x0020000e, "UI", series_uid);
  odl_dicom_put_text (file, 0x00200011, "IS", number);
  odl_dicom_put_text (file, 0x00200032, "DS", position);
  odl_dicom_put_text (file, 0x00200037, "DS", "1\\0\\0\\0\\1\\0");
  odl_dicom_put_short (file, 0x00280002, 1);
  odl_dicom_put_text (file, 0x00280004, "CS", "MONOCHROME2");
  odl_dicom_put_bytes_of (file, 16, 16);
  odl_dicom_put_head (file, 0x7fe00010, "OB", 256);
  for (int i = 0; i < 256; i++) {
    const guint8 value = (guint8) (10 * place + series);
    g_byte_array_append (file, &value, 1);
  }
  odl_dicom_write_in (fixture->folder, name, file);
  return path_in (fixture, name);
}

// All slices of a series into the archive, by DCMTK.
static void
put_series (Fixture *fixture, const Node *node, const Patient *patient, int series, int n)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_autofree char *port = g_strdup_printf ("%u", node->port);
  g_autoptr (GError) error = NULL;

  g_strv_builder_add_many (words, "storescu", "-aec", "ARCHIVE", "127.0.0.1", port, NULL);
  for (int place = 1; place <= n; place++) {
    g_autofree char *path = write_slice_of (fixture, patient, series, place);
    g_strv_builder_add (words, path);
  }
  g_auto (GStrv) command = g_strv_builder_end (words);
  g_autoptr (GSubprocess) sender = g_subprocess_newv (
      (const char *const *) command,
      G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_wait_check (sender, NULL, &error));
  g_assert_no_error (error);
}

static int
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  int n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    n += g_file_test (path, G_FILE_TEST_IS_DIR) ? count_files (path) : 1;
  }
  return n;
}

// ---- Windows -------------------------------------------------------------------------

static GtkWidget *
window_with (const char *key)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  GtkWidget *found = NULL;

  // The newest one: of a window that a case before has left by closing it there may still
  // be one that is not finalised yet.
  for (GList *at = windows; at != NULL; at = at->next)
    if (g_object_get_data (at->data, key))
      found = at->data;
  return found;
}

static GtkWidget *
finder (void)
{
  return window_with ("find-in-archive");
}

static GtkWidget *
sender (void)
{
  return window_with ("send-to-archive");
}

static bool
is_button_with (GtkWidget *widget, const void *label)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0;
}

static GtkWidget *
button (GtkWidget *window, const char *label)
{
  GtkWidget *found = find_where (window, is_button_with, label);

  if (found == NULL)
    g_error ("there is no button “%s”", label);
  return found;
}

static void
click (GtkWidget *window, const char *label)
{
  g_assert_true (gtk_widget_get_sensitive (button (window, label)));
  g_signal_emit_by_name (button (window, label), "clicked");
}

// The window that has this data shows these words.
typedef struct {
  GtkWidget *(*window) (void);
  const char *words;
} Words;

static bool
tells (Fixture *fixture, const void *data)
{
  const Words *words = data;

  return words->window () != NULL && has_label (words->window (), words->words);
}

#define wait_for(fixture, window, words) \
  wait_until (fixture, tells, (&(Words){ window, words }))

static GListModel *
studies (void)
{
  GtkWidget *list = find_widget (finder (), GTK_TYPE_COLUMN_VIEW);

  return G_LIST_MODEL (gtk_column_view_get_model (GTK_COLUMN_VIEW (list)));
}

static bool
is_of_series (GtkWidget *widget, const void *data)
{
  GtkSelectionModel *model = GTK_IS_LIST_VIEW (widget)
                                 ? gtk_list_view_get_model (GTK_LIST_VIEW (widget))
                                 : NULL;

  return GTK_IS_SINGLE_SELECTION (model)
         && G_IS_LIST_STORE (
             gtk_single_selection_get_model (GTK_SINGLE_SELECTION (model)));
}

static GListModel *
series (void)
{
  GtkWidget *list = find_where (finder (), is_of_series, NULL);

  return G_LIST_MODEL (gtk_list_view_get_model (GTK_LIST_VIEW (list)));
}

static bool
has_studies (Fixture *fixture, const void *n)
{
  return g_list_model_get_n_items (studies ()) == (guint) GPOINTER_TO_INT (n);
}

static bool
has_series (Fixture *fixture, const void *n)
{
  return g_list_model_get_n_items (series ()) == (guint) GPOINTER_TO_INT (n);
}

static const char *
value_at (GListModel *model, guint at, OdlKey key)
{
  g_autoptr (OdlArchiveFound) found = g_list_model_get_item (model, at);

  return found != NULL ? odl_archive_found_value (found, key) : NULL;
}

// Types into the fields: name, number, date, modality, description.
static void
type (int field, const char *text)
{
  GtkWidget *entry = find_nth (finder (), GTK_TYPE_ENTRY, field);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
}

static void
open_finder (Fixture *fixture)
{
  activate (fixture, "find-archive", NULL);
  g_assert_nonnull (finder ());
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
is_remove (GtkWidget *widget, const void *data)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_widget_get_tooltip_text (widget), data) == 0;
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
  g_signal_emit_by_name (find_where (preferences (), is_remove, "Edit"), "clicked");
  GtkWidget *toggle = find_widget (editor (), GTK_TYPE_SWITCH);
  gtk_switch_set_active (GTK_SWITCH (toggle), TRUE);
  click (editor (), "_Save");
  g_assert_true (has_label (editor (), "Choose the file of certificates"));
  enter (5, plain);
  enter (6, plain);
  click (editor (), "_Save");
  g_assert_true (has_label (editor (), "and its key, or neither"));
  // Nobody is asked for a password, and none is kept.
  enter (7, key);
  click (editor (), "_Save");
  g_assert_true (has_label (editor (), "keys with a password are not read"));
  enter (7, plain);
  click (editor (), "_Save");
  wait_for (fixture, preferences, "encrypted (TLS)");
  g_autofree char *text
      = odl_settings_get_string (fixture->settings, ODL_ARCHIVE_NODES_KEY);
  g_assert_nonnull (strstr (text, "tls=true"));
  g_assert_nonnull (strstr (text, "tls-any-host=false"));
  g_signal_emit_by_name (find_where (preferences (), is_remove, "Remove"), "clicked");
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
  g_assert_cmpstr (value_at (studies (), 0, ODL_KEY_STUDY), ==, erika.study);
  g_assert_cmpstr (value_at (studies (), 1, ODL_KEY_STUDY), ==, otto.study);
  g_assert_cmpstr (value_at (studies (), 2, ODL_KEY_STUDY), ==, erika_before.study);
  wait_for (fixture, finder, "Muster, Erika");
  wait_for (fixture, finder, "4711 · 1960-01-02");
  // A study, and then its series.
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (studies ()), 0, TRUE);
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

static void
press_escape (GtkWidget *window)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (window);
  gboolean taken = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !taken; i++) {
    g_autoptr (GObject) one = g_list_model_get_item (controllers, i);
    if (GTK_IS_EVENT_CONTROLLER_KEY (one))
      g_signal_emit_by_name (one, "key-pressed", GDK_KEY_Escape, 0, 0, &taken);
  }
  g_assert_true (taken);
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
  press_escape (finder ());
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
shows_stack (Fixture *fixture, const void *n)
{
  const OdlSourceInfo *info = odl_session_info (fixture->session);

  return info->is_stack && info->n_frames == GPOINTER_TO_INT (n)
         && odl_session_opening (fixture->session) == NULL;
}

static bool
is_marked (Fixture *fixture)
{
  g_autofree char *marks = odl_viewport_file_marks (fixture->viewport);

  return marks != NULL && strstr (marks, "INCOMPLETE") != NULL;
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
  g_assert_nonnull (strstr (odl_session_file (fixture->session), spool));
  g_assert_false (is_marked (fixture));
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
  g_assert_true (has_label (finder (), "11 of 12 pictures arrived"));
  gtk_window_destroy (GTK_WINDOW (finder ()));
  end_node (&archive);
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
answer (Fixture *fixture, const char *words, const char *response)
{
  wait_until (fixture, asks, NULL);
  const char *body = adw_message_dialog_get_body (find_dialog ());
  if (strstr (body, words) == NULL)
    g_error ("“%s” is not in “%s”", words, body);
  g_autoptr (AdwMessageDialog) dialog = g_object_ref (find_dialog ());
  adw_message_dialog_response (dialog, response);
  gtk_window_destroy (GTK_WINDOW (dialog));
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
  g_assert_cmpstr (value_at (studies (), 0, ODL_KEY_STUDY), ==, erika.study);
  g_assert_cmpstr (value_at (studies (), 1, ODL_KEY_STUDY), ==, erika_before.study);
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

// What is needed beside the program.
static bool
has_tools (void)
{
  static const char *const tools[] = { "dcmqrscp", "storescu" };

  for (gsize i = 0; i < G_N_ELEMENTS (tools); i++) {
    g_autofree char *path = g_find_program_in_path (tools[i]);
    if (path == NULL)
      return false;
  }
  return true;
}

// No case finds the nodes of another one.
static void
set_up (Fixture *fixture, const void *data)
{
  fixture_set_up (fixture, data);
  odl_settings_set_string (fixture->settings, ODL_ARCHIVE_NODES_KEY, "");
}

#define ADD_CASE(path, test) \
  g_test_add (path, Fixture, NULL, set_up, test, fixture_tear_down)

int
main (int argc, char **argv)
{
  g_autofree char *home = g_dir_make_tmp ("ondelette-XXXXXX", NULL);
  g_autofree char *cache = g_build_filename (home, "cache", NULL);
  g_autofree char *state = g_build_filename (home, "state", NULL);

  // Its own spool and queue.
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  need_display (&argc, &argv);
  if (has_tools ())
    ADD_CASE ("/archive/nodes-are-named-in-the-preferences", test_nodes);
  ADD_CASE ("/archive/certificates-are-files-without-passwords", test_certificates);
  ADD_CASE ("/archive/ten-thousand-answers-come-in-batches", test_many);
  ADD_CASE ("/archive/what-was-got-is-cleared-away", test_spool);
  ADD_CASE ("/archive/nodes-that-do-what-none-should", test_rogues);
  ADD_CASE ("/archive/who-may-be-one-person", test_persons);
  if (has_tools ()) {
    ADD_CASE ("/archive/studies-and-series-are-found", test_find);
    ADD_CASE ("/archive/what-is-got-is-shown", test_get);
    ADD_CASE ("/archive/what-is-missing-is-named-and-marked", test_missing);
    ADD_CASE ("/archive/files-are-sent-when-somebody-has-said-so", test_send);
    ADD_CASE ("/archive/another-patient-under-that-number-is-asked-about", test_stranger);
    ADD_CASE ("/archive/other-studies-of-the-patient", test_priors);
  }
  // Leaves windows behind that others would find.
  ADD_CASE ("/archive/the-window-may-close-meanwhile", test_closed);
  return g_test_run ();
}
