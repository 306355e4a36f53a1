// SPDX-License-Identifier: MIT
#include "support/archives.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <unistd.h>

#include "../unit/source/dicom_writer.h"
#include "session/archive/nodes.h"

// ---- Nodes ---------------------------------------------------------------------------

static guint
free_port (void)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  g_autoptr (GInetAddress) here = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) any = g_inet_socket_address_new (here, 0);
  g_autoptr (GSocketAddress) got = NULL;

  g_assert_true (g_socket_listener_add_address (listener, any, G_SOCKET_TYPE_STREAM,
                                                G_SOCKET_PROTOCOL_TCP, NULL, &got, NULL));
  const guint port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (got));
  g_socket_listener_close (listener);
  return port;
}

static bool
listens (guint port)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketConnection) made
      = g_socket_client_connect_to_host (client, "127.0.0.1", (guint16) port, NULL, NULL);

  return made != NULL;
}

static void
wait_for_port (guint port, bool listening)
{
  const gint64 end = g_get_monotonic_time () + PATIENCE_US;

  while (listens (port) != listening) {
    g_assert_cmpint (g_get_monotonic_time (), <, end);
    g_usleep (1000);
  }
}

// A group of its own: dcmqrscp has a process per association, and each of them keeps the
// listening socket open until it ends.
static void
lead_group_cb (gpointer data)
{
  setpgid (0, 0);
}

// A program of others, which listens at 127.0.0.1 whatever it would like.
static GSubprocess *
start_here (const char *program, const char *option, const char *config)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autoptr (GError) error = NULL;

  g_subprocess_launcher_setenv (launcher, "LD_PRELOAD", g_getenv ("ODL_ONLY_HERE"), TRUE);
  g_subprocess_launcher_set_child_setup (launcher, lead_group_cb, NULL, NULL);
  GSubprocess *process = g_subprocess_launcher_spawn (
      launcher, &error, program, option != NULL ? option : config,
      option != NULL ? config : NULL, NULL);
  g_assert_no_error (error);
  return process;
}

Node
start_archive_at (Fixture *fixture, guint port)
{
  Node node = { .port = port, .storage = path_in (fixture, "storage") };
  g_autofree char *config = path_in (fixture, "dcmqrscp.cfg");
  g_autofree char *text = g_strdup_printf (
      "NetworkTCPPort = %u\nMaxPDUSize = 16384\nMaxAssociations = 16\n"
      "HostTable BEGIN\nHostTable END\nVendorTable BEGIN\nVendorTable END\n"
      "AETable BEGIN\nARCHIVE %s RW (200, 1024mb) ANY\nAETable END\n",
      node.port, node.storage);

  g_mkdir_with_parents (node.storage, 0700);
  g_assert_true (g_file_set_contents (config, text, -1, NULL));
  node.process = start_here ("dcmqrscp", "-c", config);
  wait_for_port (node.port, true);
  return node;
}

Node
start_archive (Fixture *fixture)
{
  return start_archive_at (fixture, free_port ());
}

static Node
start_orthanc_with (Fixture *fixture, const char *plugin, char *keys)
{
  Node node
      = { .port = free_port (), .storage = path_in (fixture, "orthanc"), .keys = keys };
  g_autofree char *config = path_in (fixture, "orthanc.json");
  g_autofree char *plugins
      = plugin != NULL ? g_strdup_printf ("\"%s\"", plugin) : g_strdup ("");
  g_autofree char *tls
      = keys != NULL ? g_strdup_printf ("\"DicomTlsEnabled\": true,"
                                        " \"DicomTlsPrivateKey\": \"%s/node.key\","
                                        " \"DicomTlsCertificate\": \"%s/node.pem\","
                                        " \"DicomTlsTrustedCertificates\":"
                                        " \"%s/ours.pem\",",
                                        keys, keys, keys)
                     : g_strdup ("");
  g_autofree char *text = g_strdup_printf (
      "{\"StorageDirectory\": \"%s\", \"IndexDirectory\": \"%s\","
      " \"HttpServerEnabled\": false, \"DicomAet\": \"ARCHIVE\", \"DicomPort\": %u,"
      " \"DicomModalities\": {\"us\": [\"ONDELETTE\", \"127.0.0.1\", 104]},"
      " %s \"Plugins\": [%s]}",
      node.storage, node.storage, node.port, tls, plugins);

  g_mkdir_with_parents (node.storage, 0700);
  g_assert_true (g_file_set_contents (config, text, -1, NULL));
  node.process = start_here ("Orthanc", NULL, config);
  wait_for_port (node.port, true);
  return node;
}

Node
start_orthanc (Fixture *fixture, const char *plugin)
{
  return start_orthanc_with (fixture, plugin, NULL);
}

static bool
is_installed (const char *program)
{
  g_autofree char *path = g_find_program_in_path (program);

  return path != NULL;
}

static void
make_keys (const char *folder)
{
  const char script[]
      = "set -e\n"
        "for name in ours others; do\n"
        "  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=$name"
        " -keyout $name.key -out $name.pem\n"
        "done\n"
        "echo subjectAltName=IP:127.0.0.1 > names\n"
        "for name in node client; do\n"
        "  openssl req -newkey rsa:2048 -nodes -subj /CN=$name -keyout $name.key -out "
        "asked\n"
        "  openssl x509 -req -in asked -CA ours.pem -CAkey ours.key -CAcreateserial "
        "-days 2"
        " -extfile names -out $name.pem\n"
        "done\n";
  const char *const command[] = { "sh", "-c", script, NULL };
  g_autoptr (GError) error = NULL;
  int status;

  g_mkdir_with_parents (folder, 0700);
  g_assert_true (g_spawn_sync (folder, (char **) command, NULL,
                               G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL
                                   | G_SPAWN_STDERR_TO_DEV_NULL,
                               NULL, NULL, NULL, NULL, &status, &error));
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, NULL));
}

bool
start_orthanc_encrypted (Fixture *fixture, Node *node)
{
  char *keys = path_in (fixture, "keys");

  if (!is_installed ("Orthanc") || !is_installed ("openssl") || !has_archive_tools ()) {
    g_test_skip ("Orthanc, openssl, or DCMTK's storescu, is not installed");
    g_free (keys);
    return false;
  }
  make_keys (keys);
  *node = start_orthanc_with (fixture, NULL, keys);
  return true;
}

Node
start_rogue (const char *kind, const char *n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autofree char *script
      = g_build_filename (g_getenv ("ODL_HELPERS"), "rogue_node.py", NULL);

  g_subprocess_launcher_set_child_setup (launcher, lead_group_cb, NULL, NULL);
  Node node = { .process = g_subprocess_launcher_spawn (
                    launcher, &error, "/usr/bin/python3", script, kind, n, NULL) };

  g_assert_no_error (error);
  g_autoptr (GDataInputStream) lines
      = g_data_input_stream_new (g_subprocess_get_stdout_pipe (node.process));
  g_autofree char *line = g_data_input_stream_read_line (lines, NULL, NULL, &error);
  g_assert_no_error (error);
  node.port = (guint) g_ascii_strtoull (line, NULL, 10);
  return node;
}

void
end_node (Node *node)
{
  const char *leader = g_subprocess_get_identifier (node->process);

  g_assert_nonnull (leader);
  kill (-(pid_t) g_ascii_strtoll (leader, NULL, 10), SIGKILL);
  g_subprocess_wait (node->process, NULL, NULL);
  wait_for_port (node->port, false);
  g_clear_object (&node->process);
  g_clear_pointer (&node->storage, g_free);
  g_clear_pointer (&node->keys, g_free);
}

// The only one of the preferences.
void
name_node_as (Fixture *fixture, const Node *node, const char *name, const char *host)
{
  g_autoptr (GPtrArray) nodes = odl_archive_nodes_parse ("");
  OdlArchiveNode *named = odl_archive_node_new ();

  g_free (named->name);
  g_free (named->title);
  g_free (named->host);
  named->name = g_strdup (name);
  named->title = g_strdup ("ARCHIVE");
  named->host = g_strdup (host);
  named->port = node->port;
  g_ptr_array_add (nodes, named);
  g_autofree char *text = odl_archive_nodes_to_text (nodes);
  odl_settings_set_string (fixture->settings, ODL_ARCHIVE_NODES_KEY, text);
}

void
name_node (Fixture *fixture, const Node *node)
{
  name_node_as (fixture, node, "Test", "127.0.0.1");
}

// ---- Pictures ------------------------------------------------------------------------

const Patient erika
    = { "Muster^Erika", "4711", "19600102", "1.2.826.1", "20240131", "Thorax" };
const Patient erika_before
    = { "Muster^Erika", "4711", "19600102", "1.2.826.2", "20200131", "Abdomen" };
const Patient otto
    = { "Beispiel^Otto", "4712", "19700102", "1.2.826.3", "20230131", "Thorax" };
const Patient stranger
    = { "Fremd^Anna", "4711", "19811231", "1.2.826.4", "20240201", "Head" };

// One of `series`, at that place. Transfer full.
char *
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
void
put_series (Fixture *fixture, const Node *node, const Patient *patient, int series, int n)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_autofree char *port = g_strdup_printf ("%u", node->port);
  g_autoptr (GError) error = NULL;

  g_strv_builder_add_many (words, "storescu", "-aec", "ARCHIVE", "127.0.0.1", port, NULL);
  if (node->keys != NULL) {
    g_autofree char *key = g_build_filename (node->keys, "client.key", NULL);
    g_autofree char *own = g_build_filename (node->keys, "client.pem", NULL);
    g_autofree char *authority = g_build_filename (node->keys, "ours.pem", NULL);
    g_strv_builder_add_many (words, "+tls", key, own, "+cf", authority, NULL);
  }
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

int
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

GtkWidget *
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

GtkWidget *
finder (void)
{
  return window_with ("find-in-archive");
}

GtkWidget *
sender (void)
{
  return window_with ("send-to-archive");
}

bool
has_tooltip (GtkWidget *widget, const void *data)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_widget_get_tooltip_text (widget), data) == 0;
}

static bool
is_button_with (GtkWidget *widget, const void *label)
{
  return GTK_IS_BUTTON (widget)
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0;
}

GtkWidget *
button (GtkWidget *window, const char *label)
{
  GtkWidget *found = find_where (window, is_button_with, label);

  if (found == NULL)
    g_error ("there is no button “%s”", label);
  return found;
}

void
click (GtkWidget *window, const char *label)
{
  g_assert_true (gtk_widget_get_sensitive (button (window, label)));
  g_signal_emit_by_name (button (window, label), "clicked");
}

bool
tells (Fixture *fixture, const void *data)
{
  const Words *words = data;

  return words->window () != NULL && has_label (words->window (), words->words);
}

GListModel *
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

GListModel *
series (void)
{
  GtkWidget *list = find_where (finder (), is_of_series, NULL);

  return G_LIST_MODEL (gtk_list_view_get_model (GTK_LIST_VIEW (list)));
}

bool
has_studies (Fixture *fixture, const void *n)
{
  return g_list_model_get_n_items (studies ()) == (guint) GPOINTER_TO_INT (n);
}

bool
has_series (Fixture *fixture, const void *n)
{
  return g_list_model_get_n_items (series ()) == (guint) GPOINTER_TO_INT (n);
}

const char *
value_at (GListModel *model, guint at, OdlKey key)
{
  g_autoptr (OdlArchiveFound) found = g_list_model_get_item (model, at);

  return found != NULL ? odl_archive_found_value (found, key) : NULL;
}

// ---- What is done ----

typedef struct {
  guint at;
  const Patient *patient;
} StudyAt;

static bool
is_study_at (Fixture *fixture, const void *data)
{
  const StudyAt *wanted = data;

  return g_strcmp0 (value_at (studies (), wanted->at, ODL_KEY_STUDY),
                    wanted->patient->study)
         == 0;
}

void
wait_for_study (Fixture *fixture, guint at, const Patient *patient)
{
  wait_until (fixture, is_study_at, (&(StudyAt){ at, patient }));
}

void
open_finder (Fixture *fixture)
{
  activate (fixture, "find-archive", NULL);
  g_assert_nonnull (finder ());
}

void
press_in (GtkWidget *window, guint key)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (window);
  gboolean taken = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !taken; i++) {
    g_autoptr (GObject) one = g_list_model_get_item (controllers, i);
    if (GTK_IS_EVENT_CONTROLLER_KEY (one))
      g_signal_emit_by_name (one, "key-pressed", key, 0, 0, &taken);
  }
  g_assert_true (taken);
}

void
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

// ---- What is there ----

bool
shows_stack (Fixture *fixture, const void *n)
{
  const OdlSourceInfo *info = odl_session_info (fixture->session);

  return info->is_stack && info->n_frames == GPOINTER_TO_INT (n)
         && odl_session_opening (fixture->session) == NULL;
}

// What is needed beside the program.
bool
has_archive_tools (void)
{
  static const char *const tools[] = { "dcmqrscp", "storescu" };

  for (gsize i = 0; i < G_N_ELEMENTS (tools); i++)
    if (!is_installed (tools[i]))
      return false;
  return true;
}

// No case finds the nodes of another one.
void
archives_set_up (Fixture *fixture, const void *data)
{
  fixture_set_up (fixture, data);
  odl_settings_set_string (fixture->settings, ODL_ARCHIVE_NODES_KEY, "");
}
