// SPDX-License-Identifier: MIT
#include "source/camera/portal.h"

#include <gio/gunixfdlist.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/debug.h"
#include "base/error.h"

#define BUS_NAME "org.freedesktop.portal.Desktop"
#define OBJECT "/org/freedesktop/portal/desktop"
#define CAMERA "org.freedesktop.portal.Camera"
#define REQUEST "org.freedesktop.portal.Request"

// Time-out for the portal to accept a request.
#define CALL_TIMEOUT_MS 10000
#define CLOSE_TIMEOUT_MS 500

// Response codes of a request.
enum { ANSWER_GRANTED, ANSWER_CANCELLED, ANSWER_ENDED, ANSWER_NONE = -1 };

typedef struct {
  GDBusConnection *connection;
  GMainContext *context;
  char *handle; // of the request
  guint subscription;
  guint owner_subscription;
  int answer;
} Question;

bool
odl_camera_needs_portal (void)
{
  return odl_debug_wants (ODL_DEBUG_SANDBOX)
         || g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS)
         || g_getenv ("SNAP") != NULL;
}

static void
response_cb (GDBusConnection *connection,
             const char *sender,
             const char *path,
             const char *interface,
             const char *signal,
             GVariant *parameters,
             void *data)
{
  Question *question = data;
  guint answer = ANSWER_ENDED;

  if (g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ua{sv})")))
    g_variant_get (parameters, "(u@a{sv})", &answer, NULL);
  question->answer = (int) MIN (answer, ANSWER_ENDED);
}

// If the portal's owner changes, no response will arrive.
static void
owner_cb (GDBusConnection *connection,
          const char *sender,
          const char *path,
          const char *interface,
          const char *signal,
          GVariant *parameters,
          void *data)
{
  Question *question = data;
  const char *before = "";

  // Activation of the portal by this call is not a change.
  if (g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(sss)")))
    g_variant_get (parameters, "(&s&s&s)", NULL, &before, NULL);
  if (question->answer == ANSWER_NONE && *before != '\0')
    question->answer = ANSWER_ENDED;
}

static void
listen (Question *question, const char *handle)
{
  if (g_strcmp0 (handle, question->handle) == 0)
    return;
  if (question->subscription != 0)
    g_dbus_connection_signal_unsubscribe (question->connection, question->subscription);
  g_free (question->handle);
  question->handle = g_strdup (handle);
  question->subscription = g_dbus_connection_signal_subscribe (
      question->connection, BUS_NAME, REQUEST, "Response", handle, NULL,
      G_DBUS_SIGNAL_FLAGS_NONE, response_cb, question, NULL);
}

// The request's object path, known in advance so that the response cannot be missed
// (portal documentation, org.freedesktop.portal.Request).
static char *
expected_handle (GDBusConnection *connection, const char *token)
{
  const char *unique = g_dbus_connection_get_unique_name (connection);
  g_autofree char *sender = g_strdup (unique != NULL ? unique + 1 : "");

  g_strdelimit (sender, ".", '_');
  return g_strdup_printf (OBJECT "/request/%s/%s", sender, token);
}

static void
set_call_error (GError **error, GError *cause)
{
  g_autoptr (GError) taken = cause;

  if (g_error_matches (taken, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CANCELLED, _ ("cancelled"));
  else if (g_error_matches (taken, G_DBUS_ERROR, G_DBUS_ERROR_ACCESS_DENIED)
           || strstr (taken->message, "portal.Error.NotAllowed") != NULL)
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_DENIED,
                         _ ("This computer does not allow Ondelette to use the camera. "
                            "Allow it in the system's settings, under Privacy."));
  else {
    g_dbus_error_strip_remote_error (taken);
    g_set_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
                 _ ("The desktop's camera portal does not answer (%s). Install or start "
                    "xdg-desktop-portal and a portal of your desktop."),
                 taken->message);
  }
}

// False only if the portal knows that there is no camera.
static bool
may_have_camera (GDBusConnection *connection, GCancellable *cancellable)
{
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      connection, BUS_NAME, OBJECT, "org.freedesktop.DBus.Properties", "Get",
      g_variant_new ("(ss)", CAMERA, "IsCameraPresent"), G_VARIANT_TYPE ("(v)"),
      G_DBUS_CALL_FLAGS_NONE, CALL_TIMEOUT_MS, cancellable, NULL);
  g_autoptr (GVariant) value = NULL;

  if (reply == NULL)
    return true;
  g_variant_get (reply, "(v)", &value);
  return !g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN)
         || g_variant_get_boolean (value);
}

static void
cancelled_cb (GCancellable *cancellable, void *context)
{
  g_main_context_wakeup (context);
}

// Withdraws the request. Waits for confirmation, since the connection may close with
// this reference.
static void
withdraw (Question *question)
{
  GVariant *reply = g_dbus_connection_call_sync (
      question->connection, BUS_NAME, question->handle, REQUEST, "Close", NULL, NULL,
      G_DBUS_CALL_FLAGS_NO_AUTO_START, CLOSE_TIMEOUT_MS, NULL, NULL);

  g_clear_pointer (&reply, g_variant_unref);
}

static bool
wait_for_answer (Question *question, GCancellable *cancellable, GError **error)
{
  gulong id = cancellable != NULL ? g_cancellable_connect (
                  cancellable, G_CALLBACK (cancelled_cb), question->context, NULL)
                                  : 0;

  while (question->answer == ANSWER_NONE && !g_cancellable_is_cancelled (cancellable)
         && !g_dbus_connection_is_closed (question->connection))
    g_main_context_iteration (question->context, TRUE);
  if (cancellable != NULL)
    g_cancellable_disconnect (cancellable, id);
  if (question->answer == ANSWER_GRANTED)
    return true;
  if (g_cancellable_is_cancelled (cancellable)) {
    withdraw (question);
    return odl_error_set (error, ODL_ERROR_CANCELLED, _ ("cancelled"));
  }
  return odl_error_set (error, ODL_ERROR_DENIED,
                        _ ("The camera was not allowed. Try again and allow it, or allow "
                           "it in the system's settings, under Privacy."));
}

static bool
ask (Question *question, GCancellable *cancellable, GError **error)
{
  g_autofree char *token = g_strdup_printf ("ondelette%u", g_random_int ());
  g_autofree char *expected = expected_handle (question->connection, token);
  GVariantBuilder options;
  GError *cause = NULL;

  listen (question, expected);
  question->owner_subscription = g_dbus_connection_signal_subscribe (
      question->connection, "org.freedesktop.DBus", "org.freedesktop.DBus",
      "NameOwnerChanged", "/org/freedesktop/DBus", BUS_NAME, G_DBUS_SIGNAL_FLAGS_NONE,
      owner_cb, question, NULL);
  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&options, "{sv}", "handle_token", g_variant_new_string (token));
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      question->connection, BUS_NAME, OBJECT, CAMERA, "AccessCamera",
      g_variant_new ("(a{sv})", &options), G_VARIANT_TYPE ("(o)"), G_DBUS_CALL_FLAGS_NONE,
      CALL_TIMEOUT_MS, cancellable, &cause);
  if (reply == NULL) {
    // The portal may have accepted the request nevertheless; the token identifies it.
    if (g_cancellable_is_cancelled (cancellable))
      withdraw (question);
    set_call_error (error, cause);
    return false;
  }
  const char *handle;
  g_variant_get (reply, "(&o)", &handle);
  listen (question, handle);
  return wait_for_answer (question, cancellable, error);
}

static int
open_remote (GDBusConnection *connection, GCancellable *cancellable, GError **error)
{
  g_autoptr (GUnixFDList) fds = NULL;
  GError *cause = NULL;
  GVariantBuilder options;
  gint32 index = -1;

  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  g_autoptr (GVariant) reply = g_dbus_connection_call_with_unix_fd_list_sync (
      connection, BUS_NAME, OBJECT, CAMERA, "OpenPipeWireRemote",
      g_variant_new ("(a{sv})", &options), G_VARIANT_TYPE ("(h)"), G_DBUS_CALL_FLAGS_NONE,
      CALL_TIMEOUT_MS, NULL, &fds, cancellable, &cause);
  if (reply != NULL)
    g_variant_get (reply, "(h)", &index);
  const int fd = fds != NULL && index >= 0 && index < g_unix_fd_list_get_length (fds)
                     ? g_unix_fd_list_get (fds, index, &cause)
                     : -1;
  if (fd >= 0)
    return fd;
  if (cause == NULL)
    cause = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "OpenPipeWireRemote");
  set_call_error (error, cause);
  return -1;
}

// Responses are dispatched in a main context of this thread.
static int
ask_in_context (Question *question, GCancellable *cancellable, GError **error)
{
  GError *cause = NULL;
  int fd = -1;

  question->connection = g_bus_get_sync (G_BUS_TYPE_SESSION, cancellable, &cause);
  if (question->connection == NULL) {
    set_call_error (error, cause);
    return -1;
  }
  if (!may_have_camera (question->connection, cancellable))
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_NO_DEVICE,
                         _ ("No camera was found. Connect one, or switch it on, and try "
                            "again."));
  else if (ask (question, cancellable, error))
    fd = open_remote (question->connection, cancellable, error);
  if (question->subscription != 0)
    g_dbus_connection_signal_unsubscribe (question->connection, question->subscription);
  if (question->owner_subscription != 0)
    g_dbus_connection_signal_unsubscribe (question->connection,
                                          question->owner_subscription);
  g_object_unref (question->connection);
  g_free (question->handle);
  return fd;
}

int
odl_camera_portal_open (GCancellable *cancellable, GError **error)
{
  Question question = { .context = g_main_context_new (), .answer = ANSWER_NONE };

  g_main_context_push_thread_default (question.context);
  const int fd = ask_in_context (&question, cancellable, error);
  // Discards what is still queued for this context.
  while (g_main_context_iteration (question.context, FALSE))
    ;
  g_main_context_pop_thread_default (question.context);
  g_main_context_unref (question.context);
  return fd;
}
