// SPDX-License-Identifier: MIT
#include "numbered.h"

#include <stdlib.h>

GdkPixbuf *
numbered_picture (const char *folder, const char *start, int number)
{
  g_autofree char *name = g_strdup_printf ("%s-%05d.png", start, number + 1);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return gdk_pixbuf_new_from_file (path, NULL);
}

bool
numbered_is_same (GdkPixbuf *one, GdkPixbuf *other)
{
  g_autoptr (GBytes) a = gdk_pixbuf_read_pixel_bytes (one);
  g_autoptr (GBytes) b = gdk_pixbuf_read_pixel_bytes (other);

  return g_bytes_equal (a, b);
}

static void
tell_difference (GdkPixbuf *picture, GdkPixbuf *other, int number)
{
  g_autoptr (GBytes) a = gdk_pixbuf_read_pixel_bytes (picture);
  g_autoptr (GBytes) b = gdk_pixbuf_read_pixel_bytes (other);
  const guint8 *x = g_bytes_get_data (a, NULL);
  const guint8 *y = g_bytes_get_data (b, NULL);
  const gsize size = MIN (g_bytes_get_size (a), g_bytes_get_size (b));
  gsize n = 0;
  int most = 0;

  for (gsize i = 0; i < size; i++) {
    n += x[i] != y[i];
    most = MAX (most, abs (x[i] - y[i]));
  }
  g_test_message (
      "it is not picture %d: %zu of %zu and %zu samples differ, by %d at most", number, n,
      g_bytes_get_size (a), g_bytes_get_size (b), most);
}

int
numbered_find (const char *folder, const char *start, int n, GdkPixbuf *picture)
{
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_object_unref);

  for (int i = 0; i < n; i++) {
    GdkPixbuf *other = numbered_picture (folder, start, i);
    g_assert_nonnull (other);
    g_ptr_array_add (others, other);
    if (numbered_is_same (picture, other))
      return i;
  }
  for (int i = 0; i < n; i++)
    tell_difference (picture, others->pdata[i], i);
  return -1;
}
