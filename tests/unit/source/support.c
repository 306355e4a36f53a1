// SPDX-License-Identifier: MIT
#include "support.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

char *
odl_test_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("odl-source-XXXXXX", &error);
  g_assert_no_error (error);
  return folder;
}

void
odl_test_remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_remove (path);
  }
  g_rmdir (folder);
}

char *
odl_test_write (const char *folder, const char *name, const void *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (folder, name, NULL);
  g_file_set_contents (path, data, (gssize) size, &error);
  g_assert_no_error (error);
  return path;
}

char *
odl_test_write_program (const char *folder, const char *name, const char *text)
{
  char *path = odl_test_write (folder, name, text, strlen (text));

  g_assert_no_errno (g_chmod (path, 0755));
  return path;
}

void
odl_test_set_up (OdlTestPlace *place, gconstpointer data)
{
  place->folder = odl_test_folder ();
}

void
odl_test_tear_down (OdlTestPlace *place, gconstpointer data)
{
  odl_test_remove_folder (place->folder);
  g_free (place->folder);
}

OdlImage *
odl_test_open (const char *path, OdlSource **source)
{
  g_autoptr (GError) error = NULL;
  OdlSource *opened = odl_source_open (path, NULL, &error);
  g_assert_no_error (error);
  OdlImage *image = odl_source_read_frame (opened, 0, NULL, &error);
  g_assert_no_error (error);
  if (source != NULL)
    *source = opened;
  else
    odl_source_unref (opened);
  return image;
}

char *
odl_test_refusal (const char *path)
{
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  OdlSource *source = odl_source_open (path, NULL, &error);
  double seconds = (double) (g_get_monotonic_time () - start) / 1e6;

  if (source != NULL) {
    g_test_message ("%s was opened as %s", path, source->info.format);
    g_assert_null (source);
  }
  g_assert_nonnull (error);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_null (strchr (error->message, '\n'));
  g_test_message ("%.2f s: %s", seconds, error->message);
  return g_strdup (error->message);
}

void
odl_test_contains (const char *path, const char *text, const char *part)
{
  if (text != NULL && strstr (text, part) != NULL)
    return;
  g_test_message ("%s: “%s” does not contain “%s”", path, text, part);
  g_test_fail ();
}

double
odl_test_sample (const OdlImage *image, int channel, int x, int y)
{
  const OdlImageInfo *info = odl_image_info (image);
  const OdlPlane *plane = &info->planes[channel];
  const char *at = (const char *) plane->data + (size_t) y * plane->row_stride_bytes
                   + (size_t) x * plane->sample_stride_bytes;

  switch (info->type) {
  case ODL_SAMPLE_U8:
    return *(const uint8_t *) at;
  case ODL_SAMPLE_U16:
    return *(const uint16_t *) at;
  case ODL_SAMPLE_S16:
    return *(const int16_t *) at;
  case ODL_SAMPLE_F32:
    return *(const float *) at;
  }
  g_assert_not_reached ();
}

double
odl_test_difference (const OdlImage *a, const OdlImage *b)
{
  const OdlImageInfo *info = odl_image_info (a);
  const OdlImageInfo *other = odl_image_info (b);
  double largest = 0;

  g_assert_cmpint (info->extent.x, ==, other->extent.x);
  g_assert_cmpint (info->extent.y, ==, other->extent.y);
  g_assert_cmpint (info->channels, ==, other->channels);
  for (int y = 0; y < info->extent.y; y++)
    for (int x = 0; x < info->extent.x; x++)
      for (int c = 0; c < info->channels; c++)
        largest = fmax (
            largest, fabs (odl_test_sample (a, c, x, y) - odl_test_sample (b, c, x, y)));
  return largest;
}

static int
count_entries (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  int n = 0;

  g_assert_nonnull (dir);
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

int
odl_test_count_fds (void)
{
  return count_entries ("/proc/self/fd");
}

int
odl_test_count_threads (void)
{
  return count_entries ("/proc/self/task");
}

int
odl_test_children (pid_t parent, pid_t *pids, int most)
{
  g_autofree char *path
      = g_strdup_printf ("/proc/%d/task/%d/children", (int) parent, (int) parent);
  g_autofree char *text = NULL;
  int n = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  for (char **word = words; *word != NULL; word++)
    if (g_ascii_isdigit (**word) && n++ < most)
      pids[n - 1] = (pid_t) g_ascii_strtoll (*word, NULL, 10);
  return n;
}

char
odl_test_process_state (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", (int) pid);
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? strrchr (text, ')')[2] : '\0';
}
