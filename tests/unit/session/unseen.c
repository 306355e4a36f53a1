// SPDX-License-Identifier: MIT
// Of which files the others in the folder cannot be seen: those that the document portal
// shows, and those of folders that nobody may list.
#include "session/browse/unseen.h"

#include <glib/gstdio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "../source/support.h"

static char *runtime; // XDG_RUNTIME_DIR

// An empty file of that path below the folder; transfer full.
static char *
put (const char *folder, const char *name)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autofree char *inner = g_path_get_dirname (path);
  g_assert_cmpint (g_mkdir_with_parents (inner, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  return path;
}

static void
check (const char *path, const char *folder)
{
  g_autofree char *unseen = odl_unseen_folder (path);
  g_assert_cmpstr (unseen, ==, folder);
}

static void
test_portal (void)
{
  static const struct {
    const char *name; // below the folder of XDG_RUNTIME_DIR
    bool is_unseen;
  } files[] = {
    { "doc/1a2b/slice.dcm", true },
    { "doc/by-app/org.example.App/1a2b/slice.dcm", true },
    { "doc/3c4d/CT/slice.dcm", false }, // of a folder that was given
    { "doc/by-app/org.example.App/3c4d/CT/slice.dcm", false },
    { "doc/slice.dcm", false },
    { "documents/5e6f/slice.dcm", false },
    { "slice.dcm", false },
  };
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = put (runtime, files[i].name);
    g_autofree char *folder = g_path_get_dirname (path);
    g_test_message ("%s", files[i].name);
    check (path, files[i].is_unseen ? folder : NULL);
  }
  // What can be seen is no secret, wherever it lies; what is about to be written is none
  // of what a series has.
  g_autofree char *path = g_build_filename (runtime, "doc/1a2b/slice.dcm", NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  g_free (put (folder, ".xdp-slice.dcm"));
  check (path, folder);
  g_free (put (folder, "other.dcm"));
  check (path, NULL);
}

// The portal says where a file lies outside, whose folder is then what it is known by.
static void
test_host_path (void)
{
  static const char host[] = "/media/erika/CT/slice.dcm";
  g_autofree char *path = put (runtime, "elsewhere/slice.dcm");
  g_autofree char *folder = g_path_get_dirname (path);
  if (setxattr (path, "user.document-portal.host-path", host, strlen (host), 0) != 0) {
    g_test_skip ("files have no attributes of users here");
    return;
  }
  check (path, "/media/erika/CT");
  g_assert_cmpint (
      setxattr (folder, "user.document-portal.host-path", "/media/erika/CT", 15, 0), ==,
      0);
  check (path, NULL);
}

static void
test_unlistable (void)
{
  g_autofree char *path = put (runtime, "locked/slice.dcm");
  g_autofree char *folder = g_path_get_dirname (path);
  g_free (put (folder, "other.dcm"));
  check (path, NULL);
  g_assert_cmpint (g_chmod (folder, 0300), ==, 0);
  if (access (folder, R_OK) == 0)
    g_test_skip ("who runs this may list every folder");
  else
    check (path, folder);
  g_assert_cmpint (g_chmod (folder, 0700), ==, 0);
  check ("/nowhere/slice.dcm", NULL);
}

static void
asked_cb (GObject *object, GAsyncResult *result, void *data)
{
  char **told = data;
  *told = odl_unseen_ask_finish (result);
  if (!*told)
    *told = g_strdup ("");
}

static void
test_in_background (void)
{
  g_autofree char *path = put (runtime, "doc/7a8b/slice.dcm");
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autofree char *told = NULL;
  g_autofree char *nothing = NULL;
  odl_unseen_ask (path, NULL, asked_cb, &told);
  odl_unseen_ask (path, cancelled, asked_cb, &nothing);
  g_cancellable_cancel (cancelled);
  while (!told || !nothing)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (told, ==, folder);
  g_assert_cmpstr (nothing, ==, "");
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("odl-unseen-XXXXXX", NULL);
  runtime = folder;
  g_setenv ("XDG_RUNTIME_DIR", runtime, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/unseen/portal", test_portal);
  g_test_add_func ("/unseen/host-path", test_host_path);
  g_test_add_func ("/unseen/unlistable", test_unlistable);
  g_test_add_func ("/unseen/in-background", test_in_background);
  const int result = g_test_run ();
  odl_test_remove_folder (runtime);
  return result;
}
