// SPDX-License-Identifier: MIT
#include "session/browse/unseen.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

// The path of the file outside of the sandbox.
#define HOST_PATH "xattr::document-portal.host-path"

// What the document portal gives to an application that asks from outside stands below
// by-app/APPLICATION.
#define BY_APP "by-app/"

static const char *
skip_name (const char *rest)
{
  const char *stroke = strchr (rest, '/');
  return stroke && stroke > rest ? stroke + 1 : NULL;
}

// Below that folder of the portal files are named ID/NAME, and what a folder that was
// given holds ID/FOLDER/NAME.
static bool
is_given_below (const char *portal, const char *path)
{
  const size_t length = strlen (portal);
  if (strncmp (path, portal, length) != 0 || path[length] != '/')
    return false;
  const char *rest = path + length + 1;
  if (g_str_has_prefix (rest, BY_APP))
    rest = skip_name (rest + strlen (BY_APP));
  const char *name = rest ? skip_name (rest) : NULL;
  return name && *name && !strchr (name, '/');
}

static char *
host_path (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info
      = g_file_query_info (file, HOST_PATH, G_FILE_QUERY_INFO_NONE, NULL, NULL);
  return info ? g_strdup (g_file_info_get_attribute_string (info, HOST_PATH)) : NULL;
}

// `host`: its path outside, NULL: nobody says. A folder that was given has one, too.
static bool
is_given (const char *path, const char *folder, const char *host)
{
  g_autofree char *runtime = g_build_filename (g_get_user_runtime_dir (), "doc", NULL);
  g_autofree char *user = g_strdup_printf ("/run/user/%u/doc", (unsigned) getuid ());
  const char *const portals[] = { runtime, user, "/run/flatpak/doc" };
  for (size_t i = 0; i < G_N_ELEMENTS (portals); i++)
    if (is_given_below (portals[i], path))
      return true;
  g_autofree char *host_of_folder = host ? host_path (folder) : NULL;
  return host && !host_of_folder;
}

static bool
holds_others (GDir *dir, const char *path)
{
  g_autofree char *own = g_path_get_basename (path);
  const char *name;
  while ((name = g_dir_read_name (dir)))
    if (*name != '.' && !g_str_equal (name, own))
      return true;
  return false;
}

char *
odl_unseen_folder (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &error);
  if (!dir) {
    const bool refused = g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_ACCES)
                         || g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_PERM);
    return refused ? g_steal_pointer (&folder) : NULL;
  }
  if (holds_others (dir, path))
    return NULL;
  g_autofree char *host = host_path (path);
  if (!is_given (path, folder, host))
    return NULL;
  return host ? g_path_get_dirname (host) : g_steal_pointer (&folder);
}

static void
ask_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  g_task_return_pointer (task, odl_unseen_folder (data), g_free);
}

void
odl_unseen_ask (const char *path,
                GCancellable *cancellable,
                GAsyncReadyCallback cb,
                void *data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, cb, data);
  g_task_set_source_tag (task, odl_unseen_ask);
  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, ask_thread);
}

char *
odl_unseen_ask_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
