// SPDX-License-Identifier: MIT
#include "cli/inputs.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/verb.h"
#include "output/output.h"
#include "source/pages.h"
#include "source/source.h"
#include "source/source_file.h"
#include "source/source_files.h"

// Of folders in folders.
#define MOST_DEPTH 64

static void
job_free (void *data)
{
  OdlJob *job = data;

  g_free (job->input);
  g_free (job->output);
  g_free (job);
}

static bool
is_folder (const char *path)
{
  return g_file_test (path, G_FILE_TEST_IS_DIR);
}

bool
odl_jobs_want_folder (const char *const *inputs, const char *out)
{
  return g_strv_length ((char **) inputs) > 1 || is_folder (inputs[0]) || is_folder (out)
         || g_str_has_suffix (out, "/");
}

static int
compare_names (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

// The folder to walk through.
typedef struct {
  GPtrArray *found; // paths
  bool recursive;
  const GStatBuf *out; // folder of the outputs
} Walk;

static bool
is_to_be_entered (const Walk *walk, const char *path)
{
  GStatBuf status;

  return walk->recursive && g_lstat (path, &status) == 0 && S_ISDIR (status.st_mode)
         && (status.st_dev != walk->out->st_dev || status.st_ino != walk->out->st_ino);
}

// A folder below that cannot be read is named and left out.
static bool
walk_folder (const Walk *walk, const char *folder, int depth, GError **error)
{
  g_autoptr (GError) cause = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &cause);
  const char *name;

  if (dir == NULL && depth > 0) {
    odl_report_note (NULL, cause->message);
    return true;
  }
  if (dir == NULL) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_IO, cause->message);
    return false;
  }
  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (name[0] == '.')
      continue;
    if (g_file_test (path, G_FILE_TEST_IS_REGULAR) && odl_source_is_candidate (path))
      g_ptr_array_add (walk->found, g_steal_pointer (&path));
    else if (depth < MOST_DEPTH && is_to_be_entered (walk, path)
             && !walk_folder (walk, path, depth + 1, error))
      return false;
  }
  return true;
}

static bool
add_folder (GPtrArray *paths,
            const char *folder,
            const char *out,
            bool recursive,
            GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  GStatBuf status = { 0 };
  const Walk walk = { found, recursive, &status };

  if (g_stat (out, &status) != 0)
    status.st_ino = 0;
  if (!walk_folder (&walk, folder, 0, error))
    return false;
  if (found->len == 0) {
    g_autofree char *shown = g_filename_display_name (folder);
    return odl_error_set (error, ODL_ERROR_IO,
                          _ ("%s: there is no picture in this folder. Name another one."),
                          shown);
  }
  g_ptr_array_sort (found, compare_names);
  g_ptr_array_extend_and_steal (paths, g_steal_pointer (&found));
  return true;
}

// The name of an input without folder and extension. In a specification, characters that
// are awkward in file names are replaced.
static char *
stem_of (const char *input)
{
  bool is_file = g_file_test (input, G_FILE_TEST_EXISTS);
  char *stem = is_file ? g_path_get_basename (input) : g_strdup (input);

  if (odl_source_file_is_standard_input (input)) {
    g_free (stem);
    return g_strdup ("standard-input");
  }

  return is_file ? odl_text_cut_ending (stem) : g_strdelimit (stem, ":,=/ ", '-');
}

static char *
free_name (GHashTable *taken, const char *folder, const char *stem, const char *extension)
{
  for (int i = 1;; i++) {
    g_autofree char *name = i == 1 ? g_strconcat (stem, extension, NULL)
                                   : g_strdup_printf ("%s-%d%s", stem, i, extension);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (g_hash_table_add (taken, g_strdup (path)))
      return g_steal_pointer (&path);
  }
}

bool
odl_jobs_is_template (const char *out)
{
  const char *open = strchr (out, '{');

  return open != NULL && strchr (open, '}') != NULL;
}

// A word without its braces. False: there is no such word.
static bool
append_word (GString *name,
             const char *word,
             gsize n,
             const OdlJob *job,
             const char *filters)
{
  if (n == strlen ("stem") && strncmp (word, "stem", n) == 0) {
    g_autofree char *stem = stem_of (job->input);
    g_string_append (name, stem);
  } else if (n == strlen ("filter") && strncmp (word, "filter", n) == 0)
    g_string_append (name, filters);
  else if (n == strlen ("number") && strncmp (word, "number", n) == 0)
    g_string_append_printf (name, "%u", job->number + 1);
  else
    return false;
  return true;
}

// `template` for one job. Transfer full.
static char *
fill_in (const char *template, const OdlJob *job, const char *filters, GError **error)
{
  g_autoptr (GString) name = g_string_new (NULL);

  for (const char *at = template; *at != '\0';) {
    const char *end = *at == '{' ? strchr (at, '}') : NULL;
    if (end == NULL) {
      g_string_append_c (name, *at++);
      continue;
    }
    if (!append_word (name, at + 1, (gsize) (end - at - 1), job, filters)) {
      g_autofree char *shown = g_filename_display_name (template);
      return odl_error_null (
          error, ODL_ERROR_USAGE,
          _ ("%s: %.*s stands for nothing. There are {stem}, {filter} and {number}."),
          shown, (int) (end - at + 1), at);
    }
    at = end + 1;
  }
  return g_string_free (g_steal_pointer (&name), FALSE);
}

bool
odl_jobs_name (GPtrArray *jobs, const char *template, const char *filters, GError **error)
{
  g_autoptr (GHashTable) taken
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < jobs->len; i++) {
    OdlJob *job = g_ptr_array_index (jobs, i);
    g_autofree char *path = fill_in (template, job, filters, error);
    if (path == NULL)
      return false;
    g_autofree char *folder = g_path_get_dirname (path);
    g_autofree char *name = g_path_get_basename (path);
    char *dot = strrchr (name, '.');
    g_autofree char *extension = g_strdup (dot != NULL ? dot : "");
    if (dot != NULL)
      *dot = '\0';
    g_free (job->output);
    job->output = free_name (taken, folder, name, extension);
  }
  return true;
}

// Where the output of `path` goes: below `out` as `path` lies below the folder that was
// named.
static char *
folder_below (const char *out, const char *named, const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  const gsize length = strlen (named);

  if (length == 0 || strncmp (folder, named, length) != 0)
    return g_strdup (out);
  return g_build_filename (out, folder + length, NULL);
}

static void
add_jobs (GPtrArray *jobs,
          GPtrArray *paths,
          const char *named,
          const char *out,
          const char *extension,
          GHashTable *taken)
{
  for (guint i = 0; i < paths->len; i++) {
    OdlJob *job = g_new0 (OdlJob, 1);
    job->input = g_strdup (g_ptr_array_index (paths, i));
    job->number = jobs->len;
    g_autofree char *stem = stem_of (job->input);
    g_autofree char *folder = folder_below (out, named, job->input);
    job->output
        = taken != NULL ? free_name (taken, folder, stem, extension) : g_strdup (out);
    g_ptr_array_add (jobs, job);
  }
}

bool
odl_jobs_make_folder (const char *folder, GError **error)
{
  if (g_mkdir_with_parents (folder, 0777) == 0)
    return true;
  g_autofree char *shown = g_filename_display_name (folder);
  return odl_error_set (error, ODL_ERROR_IO,
                        _ ("%s: this folder cannot be made: %s. Several pictures go into "
                           "a folder; choose another one."),
                        shown, g_strerror (errno));
}

GPtrArray *
odl_jobs_new (const char *const *inputs,
              const char *out,
              const char *extension,
              bool recursive,
              GError **error)
{
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (job_free);
  g_autoptr (GHashTable) taken
      = odl_jobs_want_folder (inputs, out)
            ? g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL)
            : NULL;

  for (gsize i = 0; inputs[i] != NULL; i++) {
    g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
    const bool folder = is_folder (inputs[i]);
    if (!folder)
      g_ptr_array_add (paths, g_strdup (inputs[i]));
    else if (!add_folder (paths, inputs[i], out, recursive, error))
      return NULL;
    add_jobs (jobs, paths, folder ? inputs[i] : "", out, extension, taken);
  }
  if (taken != NULL && !odl_jobs_make_folder (out, error))
    return NULL;
  return g_steal_pointer (&jobs);
}

bool
odl_jobs_take_pages (GPtrArray *jobs, const char *way, GError **error)
{
  bool found = false;

  if (way == NULL)
    return true;
  if (!odl_pages_is_way (way))
    return odl_usage_error (error,
                            _ ("--pages takes stack, sequence or first, level=N, or both "
                               "(stack,level=0), not “%s”."),
                            way);
  for (guint i = 0; i < jobs->len; i++) {
    OdlJob *job = g_ptr_array_index (jobs, i);
    char *location = odl_pages_location (job->input, way);
    if (location == NULL)
      continue;
    found = true;
    g_free (job->input);
    job->input = location;
  }
  if (found)
    return true;
  return odl_error_set (error, ODL_ERROR_USAGE,
                        _ ("--pages is for TIFF files, and no input is one."));
}

GHashTable *
odl_jobs_files (const GPtrArray *jobs)
{
  GHashTable *files = odl_source_files_new ();

  for (guint i = 0; i < jobs->len; i++)
    odl_source_files_add (files, ((const OdlJob *) g_ptr_array_index (jobs, i))->input);
  return files;
}

// The end of a stream carries no message; here it means that frame `wanted` does not
// exist.
static OdlImage *
read_frame (OdlSource *source, gint64 index, gint64 wanted, GError **error)
{
  g_autoptr (GError) cause = NULL;
  OdlImage *image = odl_source_read_frame (source, index, NULL, &cause);

  if (image == NULL && g_error_matches (cause, ODL_ERROR, ODL_ERROR_END)
      && *cause->message == '\0')
    odl_source_set_no_frame (source, wanted, error);
  else if (image == NULL)
    g_propagate_error (error, g_steal_pointer (&cause));
  return image;
}

// A capture delivers whatever comes next: frame n is the n-th from now on, and the frames
// before it are read even if they are not used.
static bool
read_before (OdlSource *source, gint64 frame, const OdlInputVisit *before, GError **error)
{
  const gint64 first = before != NULL ? before->first (source, before->data) : frame;

  for (gint64 i = source->info.capture ? 0 : first; i < frame; i++) {
    g_autoptr (GError) cause = NULL;
    g_autoptr (OdlImage) image = read_frame (source, i, frame, &cause);
    if (image == NULL && !g_error_matches (cause, ODL_ERROR, ODL_ERROR_CORRUPT)) {
      g_propagate_error (error, g_steal_pointer (&cause));
      return false;
    }
    if (i >= first && !before->visit (image, i, before->data, error))
      return false;
  }
  return true;
}

void
odl_input_report_mark (const char *input, const OdlImage *image)
{
  const char *mark = odl_image_info (image)->mark;

  if (mark == NULL)
    return;
  g_autofree char *text = g_strdup_printf (_ ("warning: %s"), mark);
  odl_report_note (input, text);
}

OdlImage *
odl_input_read (const char *input,
                gint64 frame,
                const OdlInputVisit *before,
                OdlInputLength *length,
                GError **error)
{
  g_autoptr (OdlSource) source = odl_source_open (input, NULL, error);

  return source != NULL
             ? odl_input_read_from (source, input, frame, before, length, error)
             : NULL;
}

OdlImage *
odl_input_read_from (OdlSource *source,
                     const char *input,
                     gint64 frame,
                     const OdlInputVisit *before,
                     OdlInputLength *length,
                     GError **error)
{
  // A stream without a container does not state its number of frames.
  const int n = source->info.n_frames;
  if (!source->info.live && n > 0 && frame >= n) {
    odl_source_set_no_frame (source, frame, error);
    return NULL;
  }
  if (source->info.warning != NULL)
    odl_report_note (input, source->info.warning);

  if (!read_before (source, frame, before, error))
    return NULL;
  OdlImage *image = read_frame (source, frame, frame, error);
  if (length != NULL)
    *length = (OdlInputLength){ .still = !odl_source_is_moving (source),
                                .frames = source->info.live ? 0 : source->info.n_frames,
                                .at_most = source->info.at_most };
  if (image != NULL)
    odl_input_report_mark (input, image);
  return image;
}

bool
odl_output_check (GHashTable *input_files,
                  const char *output,
                  bool replace,
                  GError **error)
{
  const bool is_input = odl_source_files_have (input_files, output);

  if (!is_input && (replace || odl_output_is_free (output)))
    return true;
  g_autofree char *shown = g_filename_display_name (output);
  return odl_error_set (
      error, ODL_ERROR_IO,
      is_input ? _ (
          "%s: this is an input, which is never written over. Choose another output.")
               : _ ("%s: this file exists already. Choose another output, or add --force "
                    "to replace it."),
      shown);
}
