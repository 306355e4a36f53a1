// SPDX-License-Identifier: MIT
#include "session/arrays/server.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.h"
#include "session/arrays/answer.h"
#include "source/array.h"

// Programs at a time. Where there are more, those that have said nothing yet give way.
#define MOST_CONNECTIONS 16
#define BACKLOG 16
#define LATEST "latest"

struct _OdlArrayServer {
  char *folder, *path;
  int fd;
  guint source;
  OdlConnectionHost host;
  GPtrArray *connections; // OdlConnection, the oldest first
};

// ---- the folder ----------------------------------------------------------------------

// A folder of this user that nobody else may write.
static bool
is_own_folder (const char *path)
{
  struct stat status;

  return lstat (path, &status) == 0 && S_ISDIR (status.st_mode)
         && status.st_uid == geteuid () && (status.st_mode & 022) == 0;
}

static char *
make_folder (GError **error)
{
  const char *runtime = g_getenv ("XDG_RUNTIME_DIR");

  if (runtime == NULL || !g_path_is_absolute (runtime) || !is_own_folder (runtime))
    return odl_error_null (
        error, ODL_ERROR_IO, "%s",
        _ ("Programs cannot show arrays here: XDG_RUNTIME_DIR names no folder of yours "
           "that nobody else may write. Log in to a session that has one."));
  g_autofree char *folder = g_build_filename (runtime, "ondelette", NULL);
  if ((g_mkdir (folder, 0700) != 0 && errno != EEXIST) || !is_own_folder (folder))
    return odl_error_null (
        error, ODL_ERROR_IO,
        _ ("Programs cannot show arrays here: %s is no folder of yours "
           "that nobody else may write."),
        folder);
  return g_steal_pointer (&folder);
}

// ---- connections ---------------------------------------------------------------------

static void
ended_cb (OdlConnection *connection, void *data)
{
  OdlArrayServer *self = data;

  g_ptr_array_remove (self->connections, connection);
}

static bool
is_same_user (int fd)
{
  struct ucred peer;
  socklen_t size = sizeof peer;

  return getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
         && size == sizeof peer && peer.uid == geteuid ();
}

// The oldest one that has said nothing is closed. False: all have.
static bool
make_room (OdlArrayServer *self)
{
  if (self->connections->len < MOST_CONNECTIONS)
    return true;
  for (guint i = 0; i < self->connections->len; i++) {
    OdlConnection *connection = self->connections->pdata[i];
    if (odl_connection_is_silent (connection)) {
      odl_connection_close (connection);
      g_ptr_array_remove_index (self->connections, i);
      return true;
    }
  }
  return false;
}

static gboolean
connected_cb (int listening, GIOCondition condition, void *data)
{
  OdlArrayServer *self = data;
  const int fd = accept4 (listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

  if (fd < 0)
    return G_SOURCE_CONTINUE;
  if (!is_same_user (fd))
    odl_connection_refuse (fd, _ ("this Ondelette belongs to another user"));
  else if (!make_room (self))
    odl_connection_refuse (fd, _ ("too many programs show arrays here; close one of "
                                  "them"));
  else
    g_ptr_array_add (self->connections, odl_connection_new (fd, &self->host));
  return G_SOURCE_CONTINUE;
}

// ---- the socket ----------------------------------------------------------------------

static bool
listen_at (OdlArrayServer *self, GError **error)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };

  if (g_strlcpy (address.sun_path, self->path, sizeof address.sun_path)
      >= sizeof address.sun_path)
    return odl_error_set (error, ODL_ERROR_IO,
                          _ ("Programs cannot show arrays here: the name %s is too long "
                             "for a socket."),
                          self->path);
  self->fd = socket (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  g_unlink (self->path); // of a process that had the same number
  if (self->fd < 0 || bind (self->fd, (struct sockaddr *) &address, sizeof address) != 0
      || g_chmod (self->path, 0600) != 0 || listen (self->fd, BACKLOG) != 0)
    return odl_error_set (error, ODL_ERROR_IO,
                          _ ("Programs cannot show arrays here: %s: %s"), self->path,
                          g_strerror (errno));
  self->source = g_unix_fd_add_full (G_PRIORITY_DEFAULT_IDLE, self->fd, G_IO_IN,
                                     connected_cb, self, NULL);
  return true;
}

// Put in place by a rename, so that it always leads somewhere.
void
odl_array_server_point (OdlArrayServer *self)
{
  g_autofree char *link = g_build_filename (self->folder, LATEST, NULL);
  g_autofree char *fresh = g_strdup_printf ("%s.%d", link, (int) getpid ());
  g_autofree char *name = g_path_get_basename (self->path);

  g_unlink (fresh);
  if (symlink (name, fresh) != 0 || g_rename (fresh, link) != 0)
    g_debug ("%s: %s", link, g_strerror (errno));
}

// Only where it leads here.
static void
remove_link (OdlArrayServer *self)
{
  g_autofree char *link = g_build_filename (self->folder, LATEST, NULL);
  g_autofree char *name = g_path_get_basename (self->path);
  g_autofree char *target = g_file_read_link (link, NULL);

  if (g_strcmp0 (target, name) == 0)
    g_unlink (link);
}

OdlArrayServer *
odl_array_server_new (const OdlArrayServerClass *klass, void *data, GError **error)
{
  g_autofree char *folder = make_folder (error);

  if (folder == NULL)
    return NULL;
  OdlArrayServer *self = g_new0 (OdlArrayServer, 1);
  g_autofree char *name = g_strdup_printf ("%d.socket", (int) getpid ());
  self->fd = -1;
  self->path = g_build_filename (folder, name, NULL);
  self->folder = g_steal_pointer (&folder);
  self->host = (OdlConnectionHost){ klass, data, odl_answer, ended_cb, self };
  self->connections
      = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_connection_unref);
  if (!listen_at (self, error)) {
    odl_array_server_free (self);
    return NULL;
  }
  odl_array_server_point (self);
  return self;
}

static bool
is_shown (const char *location, void *data)
{
  const OdlArrayServer *self = data;

  return self->host.klass->find (location, self->host.data) != NULL;
}

void
odl_array_server_free (OdlArrayServer *self)
{
  if (self == NULL)
    return;
  odl_array_forget (is_shown, self);
  g_clear_handle_id (&self->source, g_source_remove);
  for (guint i = 0; i < self->connections->len; i++)
    odl_connection_close (self->connections->pdata[i]);
  g_ptr_array_unref (self->connections);
  if (self->fd >= 0) {
    close (self->fd);
    g_unlink (self->path);
  }
  remove_link (self);
  g_free (self->path);
  g_free (self->folder);
  g_free (self);
}

const char *
odl_array_server_path (const OdlArrayServer *self)
{
  return self->path;
}
