// SPDX-License-Identifier: MIT
#include "cli/process/share.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/verb.h"
#include "source/dicom/derived.h"

#define MOST_SHARES 9999

// ---- The secret ----

// Written under another name first, so that of several runs that begin at the same time
// one makes the file, and the others read a whole one.
static bool
make_file (const char *path)
{
  guint8 secret[ODL_DERIVED_SECRET_BYTES];
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *name = g_strdup_printf ("%s.XXXXXX", path);
  const int fd = g_mkstemp_full (name, O_RDWR | O_CLOEXEC, 0600);

  if (fd < 0)
    return false;
  odl_derived_make_secret (secret);
  for (gsize i = 0; i < sizeof secret; i++)
    g_string_append_printf (text, "%02x", secret[i]);
  g_string_append_c (text, '\n');
  bool made = write (fd, text->str, text->len) == (gssize) text->len && fsync (fd) == 0
              && (link (name, path) == 0 || errno == EEXIST);
  const int cause = errno;
  close (fd);
  g_unlink (name);
  errno = cause;
  return made;
}

static bool
is_secret (char *text)
{
  g_strchomp (text);
  return strlen (text) == 2 * ODL_DERIVED_SECRET_BYTES
         && strspn (text, "0123456789abcdef") == strlen (text);
}

// Another recipe makes other pictures, which must not have the same identifiers: what is
// done goes into the secret.
static void
mix (OdlProcess *task, const OdlProcessOptions *options, const char *text)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *recipe = odl_recipe_to_text (&task->work.asked, "\n");
  g_autofree char *blanks
      = options->blanks != NULL ? g_strjoinv (" ", options->blanks) : g_strdup ("");
  const char *const parts[] = { text,
                                recipe,
                                options->deidentify ? "deidentify" : "",
                                options->shift_dates,
                                blanks,
                                options->frames,
                                options->noise,
                                options->window };
  gsize size = sizeof task->work.derived.secret;

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++) {
    const char *part = parts[i] != NULL ? parts[i] : "";
    g_checksum_update (sum, (const guchar *) part, (gssize) strlen (part) + 1);
  }
  g_checksum_get_digest (sum, task->work.derived.secret, &size);
}

static bool
read_secret (const OdlProcessOptions *options, OdlProcess *task, GError **error)
{
  const char *path = options->secret;
  g_autofree char *shown = g_filename_display_name (path);
  g_autofree char *text = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS) && !make_file (path))
    return odl_error_set (error, ODL_ERROR_IO,
                          _ ("%s: the secret cannot be written: %s. Name another file."),
                          shown, g_strerror (errno));
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR)
      || !g_file_get_contents (path, &text, NULL, NULL) || !is_secret (text))
    return odl_error_set (error, ODL_ERROR_IO,
                          _ ("%s: it holds no secret, which has 64 hexadecimal digits. "
                             "Name a file that does not exist yet, and it is made."),
                          shown);
  mix (task, options, text);
  return true;
}

static bool
parse_secret (const OdlProcessOptions *options, OdlProcess *task, GError **error)
{
  const bool several = options->shard != NULL || options->resume;

  if (options->secret != NULL && !task->work.format->is_dicom)
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--secret is for DICOM files. Name one after -o, or "
                             "add --format dicom."));
  if (options->secret != NULL)
    return read_secret (options, task, error);
  if (several && task->work.format->is_dicom)
    return odl_usage_error (
        error, _ ("DICOM files of several runs fit together only with the same secret. "
                  "Add --secret FILE; the file is made if it does not exist."));
  return true;
}

// ---- Which jobs ----

static bool
parse_shard (const char *text, guint *share, guint *shares, GError **error)
{
  g_auto (GStrv) numbers = g_strsplit (text, "/", 3);
  guint64 first = 0, all = 0;

  if (g_strv_length (numbers) != 2
      || !g_ascii_string_to_unsigned (numbers[1], 10, 1, MOST_SHARES, &all, NULL)
      || !g_ascii_string_to_unsigned (numbers[0], 10, 1, all, &first, NULL))
    return odl_usage_error (
        error, _ ("--shard “%s” is no share. Write 1/4, 2/4, 3/4 and 4/4 for four runs."),
        text);
  *share = (guint) first;
  *shares = (guint) all;
  return true;
}

// Inputs are dealt out like cards: neighbours often take equally long.
static void
keep_share (OdlProcess *task, guint share, guint shares)
{
  for (guint i = task->jobs->len; i > 0; i--) {
    const OdlJob *job = g_ptr_array_index (task->jobs, i - 1);
    if (job->number % shares != share - 1)
      g_ptr_array_remove_index (task->jobs, i - 1);
  }
}

// Outputs are whole or absent.
static void
leave_out_done (OdlProcess *task)
{
  const guint all = task->jobs->len;

  for (guint i = all; i > 0; i--) {
    const OdlJob *job = g_ptr_array_index (task->jobs, i - 1);
    if (g_file_test (job->output, G_FILE_TEST_EXISTS))
      g_ptr_array_remove_index (task->jobs, i - 1);
  }
  const guint done = all - task->jobs->len;
  if (done > 0)
    odl_report_usage (g_dngettext (GETTEXT_PACKAGE,
                                   "%u of %u pictures was there already.",
                                   "%u of %u pictures were there already.", done),
                      done, all);
}

static bool
make_folders (const OdlProcess *task, GError **error)
{
  for (guint i = 0; i < task->jobs->len; i++) {
    const OdlJob *job = g_ptr_array_index (task->jobs, i);
    g_autofree char *folder = g_path_get_dirname (job->output);
    if (!odl_jobs_make_folder (folder, error))
      return false;
  }
  return true;
}

bool
odl_process_parse_share (const OdlProcessOptions *options,
                         OdlProcess *task,
                         GError **error)
{
  const bool folder
      = odl_jobs_want_folder ((const char *const *) options->inputs, options->out);
  guint share = 1, shares = 1;

  if (!folder && (options->shard != NULL || options->resume || options->recursive))
    return odl_error_set (error, ODL_ERROR_USAGE,
                          _ ("--shard, --resume and --recursive are for several "
                             "pictures, or a folder."));
  if ((options->shard != NULL && !parse_shard (options->shard, &share, &shares, error))
      || !parse_secret (options, task, error))
    return false;
  keep_share (task, share, shares);
  if (options->resume)
    leave_out_done (task);
  return !options->recursive || make_folders (task, error);
}
