// SPDX-License-Identifier: MIT
#include "source/dicom/study_objects.h"

#include <stdlib.h>
#include <string.h>

#include "source/dicom/dicom.h"
#include "source/dicom/headers.h"
#include "source/dicom/report_text.h"
#include "source/dicom/segments.h"
#include "source/source_file.h"

OdlSeries *
odl_series_of_header (const OdlPictureHeader *header, const char *path)
{
  OdlSeries *series = g_new0 (OdlSeries, 1);

  *series = (OdlSeries){
    .title = g_strdup (""),
    .space = odl_picture_header_dup (header, "frame-of-reference"),
    .of = g_strdup (""),
    .person = odl_picture_header_dup (header, "person"),
    .patient = odl_picture_header_dup (header, "patient-name"),
    .patient_id = odl_picture_header_dup (header, "patient-id"),
    .birth = odl_picture_header_dup (header, "patient-birth"),
    .study_uid = odl_picture_header_dup (header, "study-instance"),
    .study = odl_picture_header_dup (header, "study"),
    .study_date = odl_picture_header_dup (header, "study-date"),
    .series_uid = odl_picture_header_dup (header, "series-instance"),
    .series = odl_picture_header_dup (header, "series"),
    .number = odl_picture_header_dup (header, "series-number"),
    .modality = odl_picture_header_dup (header, "modality"),
    .body_part = odl_picture_header_dup (header, "body-part"),
    .image_type = odl_picture_header_dup (header, "image-type"),
    .path = g_strdup (path),
    .n_pictures = 1,
    .n_frames = odl_picture_header_n_frames (header),
  };
  return series;
}

bool
odl_study_object_is_in (const char *path)
{
  static const char reports[] = "1.2.840.10008.5.1.4.1.1.88.";
  uint8_t head[ODL_SOURCE_HEAD_BYTES];
  size_t n = 0;

  return odl_source_file_read_head (path, head, &n, NULL)
         && odl_dicom_source.probe (path, head, n)
         && (odl_segments_is_in (head, n)
             || memmem (head, n, reports, strlen (reports)) != NULL);
}

static bool
find_kind (const char *word, OdlSeriesKind *kind)
{
  static const char *const words[] = {
    [ODL_SERIES_SEGMENTS] = "segments",
    [ODL_SERIES_STRUCTURES] = "structures",
    [ODL_SERIES_KEYS] = "keys",
    [ODL_SERIES_REPORT] = "report",
  };

  for (size_t i = ODL_SERIES_SEGMENTS; i < G_N_ELEMENTS (words); i++)
    if (g_strcmp0 (word, words[i]) == 0) {
      *kind = (OdlSeriesKind) i;
      return true;
    }
  return false;
}

static void
take (char **text, const OdlPictureHeader *header, const char *key)
{
  g_free (*text);
  *text = odl_picture_header_dup (header, key);
}

OdlSeries *
odl_study_object_read (const char *path, GCancellable *cancellable)
{
  g_autoptr (OdlPictureHeader) header = odl_object_header_read (path, cancellable);
  OdlSeriesKind kind;

  if (header == NULL || !find_kind (odl_picture_header_text (header, "object"), &kind))
    return NULL;
  OdlSeries *object = odl_series_of_header (header, path);
  const char *parts = odl_picture_header_text (header, "object-parts");
  object->kind = kind;
  object->n_frames = 1;
  object->n_parts = parts != NULL ? atoi (parts) : 0;
  take (&object->title, header, "object-title");
  take (&object->space, header, "object-space");
  take (&object->of, header, "object-of");
  if (kind != ODL_SERIES_KEYS)
    return object;
  g_autoptr (OdlReport) report = odl_report_read (path, true, cancellable, NULL);
  if (report != NULL && report->is_keys)
    object->instances = g_ptr_array_ref (report->keys);
  return object;
}

// ---- what they are about -------------------------------------------------------------

static bool
are_of (const OdlSeries *pictures, const OdlSeries *object)
{
  return pictures->kind == ODL_SERIES_PICTURES
         && strcmp (pictures->person, object->person) == 0;
}

const OdlSeries *
odl_studies_pictures_of (const GPtrArray *list, const OdlSeries *object)
{
  const OdlSeries *named = NULL, *found = NULL;

  for (guint i = 0; i < list->len; i++) {
    const OdlSeries *one = list->pdata[i];
    if (!are_of (one, object))
      continue;
    const bool is_longer
        = found == NULL
          || one->n_pictures + one->n_frames > found->n_pictures + found->n_frames;
    if (*object->of != '\0' && strcmp (one->series_uid, object->of) == 0
        && (named == NULL || one->n_pictures > named->n_pictures))
      named = one;
    if (*object->space != '\0' && strcmp (one->space, object->space) == 0 && is_longer)
      found = one;
  }
  return named != NULL ? named : found;
}

const OdlSeries *
odl_studies_first (const GPtrArray *list, const char *person)
{
  const OdlSeries *first = NULL;

  for (guint i = 0; i < list->len; i++) {
    const OdlSeries *one = list->pdata[i];
    if (one->kind != ODL_SERIES_PICTURES
        || (person != NULL && strcmp (one->person, person) != 0))
      continue;
    if (first != NULL
        && (strcmp (one->study_uid, first->study_uid) != 0
            || strcmp (one->person, first->person) != 0))
      return first;
    if (!one->hangs_last)
      return one;
    first = first != NULL ? first : one;
  }
  return first;
}

const OdlSeries *
odl_studies_with (const GPtrArray *list, const char *instance, const char **file)
{
  guint at;

  for (guint i = 0; i < list->len; i++) {
    const OdlSeries *one = g_ptr_array_index (list, i);
    if (one->files == NULL
        || !g_ptr_array_find_with_equal_func (one->instances, instance, g_str_equal, &at))
      continue;
    *file = g_ptr_array_index (one->files, at);
    return one;
  }
  return NULL;
}
