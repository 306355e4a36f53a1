// SPDX-License-Identifier: MIT
#include "image/annotation/kept.h"

#include <inttypes.h>

#include "base/cache_file.h"

#define GROUP "annotations"
#define MOST_BYTES (4 << 20)
#define MOST_ANNOTATIONS 10000

// Follows the name of a plane by the patient's axes.
#define BY_PATIENT "patient"

// "length 0 1,2,3,4": kind, frame, placed points; of a kind that is words these, as in
// addresses of the web ("two%20words"); then the plane of a volume that it lies on, and
// whose axes that means. Transfer full.
static char *
to_line (const OdlAnnotation *annotation)
{
  GString *line = g_string_new (NULL);
  const int n = 2 * odl_annotation_placed (annotation);

  g_string_printf (line, "%s %" PRId64 " ", annotation->kind->name, annotation->frame);
  for (int i = 0; i < n; i++) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    const OdlPoint *point = &annotation->points[i / 2];
    g_ascii_dtostr (number, sizeof number, i % 2 == 0 ? point->x : point->y);
    g_string_append_printf (line, "%s%s", i > 0 ? "," : "", number);
  }
  if (annotation->kind->origin != ODL_WORDS_NONE) {
    g_autofree char *words = g_uri_escape_string (annotation->words, NULL, true);
    g_string_append_printf (line, " %s", words);
  }
  if (annotation->on.used) {
    g_autofree char *plane = odl_on_plane_to_text (&annotation->on);
    g_string_append_printf (line, " %s%s", plane,
                            annotation->on.as_stored ? "" : " " BY_PATIENT);
  }
  return g_string_free (line, FALSE);
}

// Planes have a size of their own, which is known once there is a volume.
static bool
is_inside (const OdlAnnotation *annotation, int width, int height)
{
  const double most_x = annotation->on.used ? G_MAXINT / 4 : width;
  const double most_y = annotation->on.used ? G_MAXINT / 4 : height;

  for (int i = 0; i < annotation->n_points; i++) {
    const OdlPoint at = annotation->points[i];
    if (!(at.x >= 0 && at.x <= most_x && at.y >= 0 && at.y <= most_y))
      return false;
  }
  return true;
}

static bool
from_line (const char *line, int width, int height, OdlAnnotation *annotation)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  const OdlAnnotationKind *kind = odl_annotation_kind_find (words[0]);
  const guint n = g_strv_length (words);
  const guint first = kind && kind->origin != ODL_WORDS_NONE ? 4 : 3; // of the plane
  OdlOnPlane on = { 0 };
  gint64 frame;

  if (!kind || n < first || n > first + 2
      || (n > first && !odl_on_plane_from_text (words[first], &on))
      || (n == first + 2 && !g_str_equal (words[first + 1], BY_PATIENT))
      || !g_ascii_string_to_signed (words[1], 10, ODL_EVERY_FRAME, G_MAXINT, &frame, NULL)
      || !odl_annotation_from_points (kind, words[2], annotation))
    return false;
  if (kind->origin != ODL_WORDS_NONE) {
    g_autofree char *own = g_uri_unescape_string (words[3], NULL);
    odl_annotation_set_words (annotation, own ? own : "");
  }
  if (odl_annotation_is_empty (annotation))
    return false;
  annotation->frame = frame;
  annotation->on = on;
  annotation->on.as_stored = n == first + 1;
  return is_inside (annotation, width, height);
}

char *
odl_annotations_to_file_text (const OdlAnnotations *annotations, const char *identity)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  int width = 1, height = 1;

  for (int i = 0; i < odl_annotations_count (annotations); i++)
    g_ptr_array_add (lines, to_line (odl_annotations_at (annotations, i)));
  if (annotations)
    odl_annotations_get_size (annotations, &width, &height);
  odl_cache_file_begin_group (file, GROUP, identity, 1);
  g_key_file_set_integer (file, GROUP, "width", width);
  g_key_file_set_integer (file, GROUP, "height", height);
  g_key_file_set_string_list (file, GROUP, "items", (const char *const *) lines->pdata,
                              lines->len);
  return g_key_file_to_data (file, NULL, NULL);
}

bool
odl_annotations_read_file (const char *path,
                           const char *identity,
                           OdlAnnotations **annotations)
{
  g_autoptr (GKeyFile) file = odl_cache_file_open (path, MOST_BYTES);
  const int width = g_key_file_get_integer (file, GROUP, "width", NULL);
  const int height = g_key_file_get_integer (file, GROUP, "height", NULL);
  g_auto (GStrv) lines = g_key_file_get_string_list (file, GROUP, "items", NULL, NULL);
  OdlAnnotations *found = NULL;

  if (annotations)
    *annotations = NULL;
  if (!odl_cache_file_knows (file, GROUP, identity) || width < 1 || height < 1)
    return false;
  for (guint i = 0; annotations && lines && lines[i] && i < MOST_ANNOTATIONS; i++) {
    OdlAnnotation annotation;
    if (!from_line (lines[i], width, height, &annotation))
      continue;
    g_autoptr (OdlAnnotations) before
        = found ? found : odl_annotations_new (width, height);
    found = odl_annotations_with (before, &annotation);
  }
  if (annotations)
    *annotations = found;
  return true;
}
