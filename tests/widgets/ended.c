// SPDX-License-Identifier: MIT
// The real program as the desktop sees it: ended from outside while it records,
// keeping the screen saver away, and refusing what it was told. It is steered over a
// session bus of its own, where its actions are exported.
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/error.h"
#include "source/frame_reader.h"

#define BUS_NAME "org.ondelette.Ondelette"
#define WINDOW_PATH "/org/ondelette/Ondelette/window/1"
#define DISPLAY "ODL_TEST_DISPLAY"
// Only a program that hangs needs so long.
#define TIMEOUT_US (600 * G_USEC_PER_SEC)

typedef struct {
  GTestDBus *bus;
  GDBusConnection *connection;
  GSubprocess *program;
  GActionGroup *actions; // of its window
  char *folder;
} Fixture;

typedef bool (*Condition) (Fixture *fixture, const char *word);

static void
wait_until (Fixture *fixture, Condition condition, const char *word)
{
  const int64_t end = g_get_monotonic_time () + TIMEOUT_US;
  while (!condition (fixture, word)) {
    if (g_get_monotonic_time () > end)
      g_error ("waited in vain for %s", word);
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  }
}

static void
let_pass (int milliseconds)
{
  const int64_t end = g_get_monotonic_time () + milliseconds * 1000;
  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

static bool
is_enabled (Fixture *fixture, const char *action)
{
  return g_action_group_get_action_enabled (fixture->actions, action);
}

static bool
is_disabled (Fixture *fixture, const char *action)
{
  return g_action_group_has_action (fixture->actions, action)
         && !is_enabled (fixture, action);
}

static bool
knows_actions (Fixture *fixture, const char *action)
{
  return g_action_group_has_action (fixture->actions, action);
}

static bool
has_actions (Fixture *fixture, const char *action)
{
  // The window appears some time after the program has its name; only then can its
  // actions be asked for.
  g_autoptr (GVariant) all = g_dbus_connection_call_sync (
      fixture->connection, BUS_NAME, WINDOW_PATH, "org.gtk.Actions", "DescribeAll", NULL,
      NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL);
  return all != NULL;
}

static bool
has_ended (Fixture *fixture, const char *word)
{
  return !g_subprocess_get_identifier (fixture->program);
}

static void
set_up (Fixture *fixture, const void *data)
{
  g_autoptr (GError) error = NULL;
  fixture->folder = g_dir_make_tmp ("ondelette-ended-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (fixture->bus);
  // Which it takes away.
  g_setenv ("DISPLAY", g_getenv (DISPLAY), TRUE);
  fixture->connection = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  g_assert_no_error (error);
}

static void
start (Fixture *fixture, const char *location)
{
  g_autoptr (GError) error = NULL;
  fixture->program = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error,
                                       g_getenv ("ODL_PROGRAM"), "--engine", "cpu",
                                       "--filter", "gaussian:sigma=1", location, NULL);
  g_assert_no_error (error);
  wait_until (fixture, has_actions, "record-to");
  fixture->actions = G_ACTION_GROUP (
      g_dbus_action_group_get (fixture->connection, BUS_NAME, WINDOW_PATH));
  g_strfreev (g_action_group_list_actions (fixture->actions)); // asks for them
  wait_until (fixture, knows_actions, "record-to");
  wait_until (fixture, is_enabled, "record-to");
}

// Before there is a window, like an engine that there is not.
static void
test_misspelled_environment (Fixture *fixture, const void *data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *output = NULL;
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_subprocess_launcher_setenv (launcher, "ODL_CPU", "avx3", TRUE);
  fixture->program = g_subprocess_launcher_spawn (
      launcher, &error, g_getenv ("ODL_PROGRAM"), "phantom:64x64", NULL);
  g_assert_no_error (error);
  wait_until (fixture, has_ended, "the end");
  g_subprocess_communicate_utf8 (fixture->program, NULL, NULL, NULL, &output, &error);
  g_assert_no_error (error);
  g_test_message ("%s", output);
  g_assert_true (g_subprocess_get_if_exited (fixture->program));
  g_assert_cmpint (g_subprocess_get_exit_status (fixture->program), ==, 1);
  g_assert_nonnull (strstr (output, "ODL_CPU"));
  g_assert_nonnull (strstr (output, "avx512"));
}

// What somebody keeps as a preset is a recipe of a presentation, too: it is the word
// behind it that is none.
static void
test_own_recipes (Fixture *fixture, const void *data)
{
  g_autofree char *folder
      = g_build_filename (fixture->folder, "ondelette", "presets", NULL);
  g_autofree char *preset = g_build_filename (folder, "My own.txt", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *output = NULL;
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_PIPE);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (preset, "gaussian", -1, &error));
  g_subprocess_launcher_setenv (launcher, "XDG_DATA_HOME", fixture->folder, TRUE);
  fixture->program = g_subprocess_launcher_spawn (
      launcher, &error, g_getenv ("ODL_PROGRAM"), "--present", "--recipes", "My own",
      "--recipes", "nobodys", "phantom:64x64", NULL);
  g_assert_no_error (error);
  wait_until (fixture, has_ended, "the end");
  g_subprocess_communicate_utf8 (fixture->program, NULL, NULL, NULL, &output, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_subprocess_get_exit_status (fixture->program), ==, 1);
  g_assert_nonnull (strstr (output, "“nobodys”"));
  g_assert_null (strstr (output, "“My”"));
  g_unlink (preset);
  g_rmdir (folder);
  g_autofree char *above = g_path_get_dirname (folder);
  g_rmdir (above);
}

static void
tear_down (Fixture *fixture, const void *data)
{
  if (!has_ended (fixture, NULL))
    g_subprocess_force_exit (fixture->program);
  g_subprocess_wait (fixture->program, NULL, NULL);
  g_clear_object (&fixture->program);
  g_clear_object (&fixture->actions);
  g_clear_object (&fixture->connection);
  g_test_dbus_down (fixture->bus);
  g_clear_object (&fixture->bus);
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
}

static char *
activate (Fixture *fixture, const char *action, const char *name)
{
  char *path = g_build_filename (fixture->folder, name, NULL);
  g_action_group_activate_action (fixture->actions, action, g_variant_new_string (path));
  return path;
}

static void
send_signal (Fixture *fixture, int number)
{
  g_subprocess_send_signal (fixture->program, number);
  wait_until (fixture, has_ended, "the end");
  g_assert_true (g_subprocess_get_if_signaled (fixture->program));
  g_assert_cmpint (g_subprocess_get_term_sig (fixture->program), ==, number);
}

// The names in the folder, hidden ones too; removes what lies there.
static char *
take_names (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  GString *names = g_string_new (NULL);
  const char *name;
  while ((name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
    g_string_append_printf (names, "%s%s", names->len > 0 ? " " : "", name);
    g_unlink (path);
  }
  return g_string_free (names, FALSE);
}

// A whole video of at least so many frames.
static void
assert_plays (const char *path, int at_least)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = odl_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (OdlFrameReader) reader = odl_frame_reader_new (source, 0, -1, &error);
  g_assert_no_error (error);
  int n = 0;
  OdlReadFrame *frame;
  while ((frame = odl_frame_reader_next (reader, NULL, &error)) != NULL) {
    n++;
    odl_read_frame_free (frame);
  }
  g_assert_no_error (error);
  g_test_message ("%s: %d frames", path, n);
  g_assert_cmpint (n, >=, at_least);
}

// So many bytes at least, in a file of the folder that may have no name yet.
static bool
has_written (Fixture *fixture, const char *bytes)
{
  g_autofree char *folder
      = g_strdup_printf ("/proc/%s/fd", g_subprocess_get_identifier (fixture->program));
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  bool enough = false;
  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *link = g_build_filename (folder, name, NULL);
    g_autofree char *target = g_file_read_link (link, NULL);
    GStatBuf info;
    enough |= target && g_str_has_prefix (target, fixture->folder)
              && g_stat (link, &info) == 0
              && info.st_size >= g_ascii_strtoll (bytes, NULL, 10);
  }
  return enough;
}

static char *
start_recording (Fixture *fixture, const char *name)
{
  start (fixture, "phantom:128x96");
  char *path = activate (fixture, "record-to", name);
  wait_until (fixture, is_disabled, "record-to");
  wait_until (fixture, has_written, "250000");
  return path;
}

static void
test_signals (Fixture *fixture, const void *data)
{
  g_autofree char *path = start_recording (fixture, "ended.mkv");
  send_signal (fixture, GPOINTER_TO_INT (data));
  assert_plays (path, 5);
  g_autofree char *names = take_names (fixture);
  g_assert_cmpstr (names, ==, "ended.mkv");
}

// A file that was there is replaced by the whole recording only.
static void
test_killed (Fixture *fixture, const void *data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "old.mkv", NULL);
  g_assert_true (g_file_set_contents (path, "old", -1, NULL));
  g_autofree char *same = start_recording (fixture, "old.mkv");
  send_signal (fixture, SIGKILL);
  g_autofree char *contents = NULL;
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, "old");
  // What was recorded lies beside it, and can be seen up to the end.
  g_autofree char *part = g_strconcat (path, ".part", NULL);
  assert_plays (part, 5);
  g_unlink (path);
  g_autofree char *names = take_names (fixture);
  g_assert_cmpstr (names, ==, "old.mkv.part");
}

static void
test_export (Fixture *fixture, const void *data)
{
  // So large that it takes longer than a machine stands still.
  start (fixture, "phantom:2048x2048");
  g_autofree char *path = activate (fixture, "export-to", "all.mkv");
  wait_until (fixture, is_enabled, "cancel-export");
  wait_until (fixture, has_written, "0");
  send_signal (fixture, SIGTERM);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_autofree char *names = take_names (fixture);
  g_assert_cmpstr (names, ==, "");
}

// ---- the end of the session ----------------------------------------------------------

#define CLIENT_PATH "/org/gnome/SessionManager/Client1"

static const char interfaces[]
    = "<node>"
      "<interface name='org.gnome.SessionManager'>"
      "<method name='RegisterClient'><arg type='s' direction='in'/>"
      "<arg type='s' direction='in'/><arg type='o' direction='out'/></method>"
      "<method name='UnregisterClient'><arg type='o' direction='in'/></method>"
      "<method name='Inhibit'><arg type='s' direction='in'/><arg type='u' "
      "direction='in'/>"
      "<arg type='s' direction='in'/><arg type='u' direction='in'/>"
      "<arg type='u' direction='out'/></method>"
      "<method name='Uninhibit'><arg type='u' direction='in'/></method>"
      "</interface>"
      "<interface name='org.gnome.SessionManager.ClientPrivate'>"
      "<method name='EndSessionResponse'><arg type='b' direction='in'/>"
      "<arg type='s' direction='in'/></method>"
      "<signal name='QueryEndSession'><arg type='u'/></signal>"
      "<signal name='EndSession'><arg type='u'/></signal>"
      "<signal name='Stop'/>"
      "</interface>"
      "</node>";

typedef struct {
  GDBusConnection *connection;
  int responses;
  guint flags; // that inhibit now
} Manager;

static void
call_cb (GDBusConnection *connection,
         const char *sender,
         const char *object_path,
         const char *interface_name,
         const char *method,
         GVariant *parameters,
         GDBusMethodInvocation *invocation,
         void *data)
{
  Manager *manager = data;
  GVariant *answer = NULL;
  if (g_str_equal (method, "RegisterClient"))
    answer = g_variant_new ("(o)", CLIENT_PATH);
  if (g_str_equal (method, "Inhibit")) {
    g_variant_get_child (parameters, 3, "u", &manager->flags);
    answer = g_variant_new ("(u)", 1);
  }
  if (g_str_equal (method, "Uninhibit"))
    manager->flags = 0;
  manager->responses += g_str_equal (method, "EndSessionResponse");
  g_dbus_method_invocation_return_value (invocation, answer);
}

static void
request_name (Fixture *fixture, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) done = g_dbus_connection_call_sync (
      fixture->connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
      "org.freedesktop.DBus", "RequestName", g_variant_new ("(su)", name, 0), NULL, 0, -1,
      NULL, &error);
  g_assert_no_error (error);
}

// GNOME's session manager, as far as a program sees it.
static void
be_manager (Fixture *fixture, Manager *manager)
{
  static const GDBusInterfaceVTable vtable = { call_cb, NULL, NULL, { 0 } };
  static const char *const paths[] = { "/org/gnome/SessionManager", CLIENT_PATH };
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (interfaces, &error);
  g_assert_no_error (error);
  manager->connection = fixture->connection;
  for (size_t i = 0; i < G_N_ELEMENTS (paths); i++) {
    g_dbus_connection_register_object (fixture->connection, paths[i], node->interfaces[i],
                                       &vtable, manager, NULL, &error);
    g_assert_no_error (error);
  }
  request_name (fixture, "org.gnome.SessionManager");
}

static void
tell_client (const Manager *manager, const char *what)
{
  g_autoptr (GError) error = NULL;
  g_dbus_connection_emit_signal (manager->connection, NULL, CLIENT_PATH,
                                 "org.gnome.SessionManager.ClientPrivate", what,
                                 g_variant_new ("(u)", 0), &error);
  g_assert_no_error (error);
}

static void
wait_for_response (const Manager *manager)
{
  const int64_t end = g_get_monotonic_time () + TIMEOUT_US;
  while (manager->responses == 0 && g_get_monotonic_time () < end)
    let_pass (20);
  g_assert_cmpint (manager->responses, ==, 1);
}

static void
test_session_ends (Fixture *fixture, const void *data)
{
  Manager manager = { 0 };
  be_manager (fixture, &manager);
  g_autofree char *path = start_recording (fixture, "session.mkv");
  tell_client (&manager, "QueryEndSession");
  wait_for_response (&manager);
  tell_client (&manager, "EndSession");
  wait_until (fixture, has_ended, "the end");
  g_assert_true (g_subprocess_get_if_exited (fixture->program));
  g_assert_cmpint (g_subprocess_get_exit_status (fixture->program), ==, 0);
  assert_plays (path, 5);
  g_autofree char *names = take_names (fixture);
  g_assert_cmpstr (names, ==, "session.mkv");
}

// ---- the screen saver ----------------------------------------------------------------

#define IDLE 8 // of the session manager's flags

static void
wait_for_flags (const Manager *manager, guint flags)
{
  const int64_t end = g_get_monotonic_time () + TIMEOUT_US;
  while (manager->flags != flags && g_get_monotonic_time () < end)
    let_pass (20);
  g_assert_cmpuint (manager->flags, ==, flags);
}

// A presentation keeps it away, until it is over.
static void
test_stays_awake (Fixture *fixture, const void *data)
{
  Manager manager = { 0 };
  be_manager (fixture, &manager);
  start (fixture, "phantom:128x96");
  g_assert_cmpuint (manager.flags, ==, 0);
  g_action_group_activate_action (fixture->actions, "present", NULL);
  wait_for_flags (&manager, IDLE);
  g_action_group_activate_action (fixture->actions, "present", NULL);
  wait_for_flags (&manager, 0);
}

static const char saver_interface[]
    = "<node><interface name='org.freedesktop.ScreenSaver'>"
      "<method name='Inhibit'><arg type='s' direction='in'/><arg type='s' "
      "direction='in'/><arg type='u' direction='out'/></method>"
      "<method name='UnInhibit'><arg type='u' direction='in'/></method>"
      "</interface></node>";

static void
saver_cb (GDBusConnection *connection,
          const char *sender,
          const char *object_path,
          const char *interface_name,
          const char *method,
          GVariant *parameters,
          GDBusMethodInvocation *invocation,
          void *data)
{
  Manager *manager = data;
  const bool begin = g_str_equal (method, "Inhibit");
  guint cookie = 7;
  if (!begin)
    g_variant_get (parameters, "(u)", &cookie);
  g_assert_cmpuint (cookie, ==, 7);
  manager->flags = begin ? IDLE : 0;
  g_dbus_method_invocation_return_value (invocation,
                                         begin ? g_variant_new ("(u)", cookie) : NULL);
}

// The same in a session without a manager, which has a screen saver only.
static void
test_stays_awake_without_manager (Fixture *fixture, const void *data)
{
  static const GDBusInterfaceVTable vtable = { saver_cb, NULL, NULL, { 0 } };
  Manager manager = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (saver_interface, &error);
  g_assert_no_error (error);
  g_dbus_connection_register_object (fixture->connection, "/org/freedesktop/ScreenSaver",
                                     node->interfaces[0], &vtable, &manager, NULL,
                                     &error);
  g_assert_no_error (error);
  request_name (fixture, "org.freedesktop.ScreenSaver");
  start (fixture, "phantom:128x96");
  g_action_group_activate_action (fixture->actions, "present", NULL);
  wait_for_flags (&manager, IDLE);
  g_action_group_activate_action (fixture->actions, "present", NULL);
  wait_for_flags (&manager, 0);
}

#define ADD(path, data, test) g_test_add (path, Fixture, data, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_autofree char *daemon = g_find_program_in_path ("dbus-daemon");
  if (!g_getenv ("DISPLAY") || !daemon) {
    g_print ("1..0 # SKIP there is no display, or no dbus-daemon\n");
    return 77;
  }
  // Under nohup children are born deaf to it.
  signal (SIGHUP, SIG_DFL);
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  g_setenv ("GTK_A11Y", "none", TRUE);
  g_setenv (DISPLAY, g_getenv ("DISPLAY"), TRUE);
  ADD ("/ended/ctrl+c completes the recording", GINT_TO_POINTER (SIGINT), test_signals);
  ADD ("/ended/being told to end completes the recording", GINT_TO_POINTER (SIGTERM),
       test_signals);
  ADD ("/ended/a closed terminal completes the recording", GINT_TO_POINTER (SIGHUP),
       test_signals);
  ADD ("/ended/the end of the session completes the recording", NULL, test_session_ends);
  ADD ("/ended/a kill leaves what was there and nothing else", NULL, test_killed);
  ADD ("/ended/an export leaves nothing", NULL, test_export);
  ADD ("/ended/a presentation keeps the screen saver away", NULL, test_stays_awake);
  ADD ("/ended/so it does without a session manager", NULL,
       test_stays_awake_without_manager);
  ADD ("/ended/a misspelled variable ends it before there is a window", NULL,
       test_misspelled_environment);
  ADD ("/ended/own presets are recipes of a presentation", NULL, test_own_recipes);
  return g_test_run ();
}
