// SPDX-License-Identifier: MIT
#include "session/annotation_store.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <inttypes.h>

#include "base/error.h"
#include "image/annotation/kept.h"

#define DICOM "dicom "
#define FILE_PREFIX "file "
#define LOCATION "location "

char *
odl_annotation_identity (const OdlSource *source)
{
  const char *uid = odl_source_detail (source, "sop-instance");
  const char *location = source->info.location;
  GStatBuf status;

  if (uid && *uid)
    return g_strconcat (DICOM, uid, NULL);
  if (!g_path_is_absolute (location) || g_stat (location, &status) != 0
      || !S_ISREG (status.st_mode))
    return g_strconcat (LOCATION, location, NULL);
  return g_strdup_printf (FILE_PREFIX "%" PRId64 " %" PRId64 ".%09ld %s",
                          (int64_t) status.st_size, (int64_t) status.st_mtim.tv_sec,
                          status.st_mtim.tv_nsec, location);
}

bool
odl_annotation_identity_is_file (const char *identity)
{
  return !g_str_has_prefix (identity, LOCATION);
}

// The name is a digest: it tells nothing about a patient.
static char *
path_of (const char *identity)
{
  g_autofree char *digest
      = g_compute_checksum_for_string (G_CHECKSUM_SHA256, identity, -1);
  g_autofree char *name = g_strconcat (digest, ".ini", NULL);

  return g_build_filename (g_get_user_data_dir (), "ondelette", "annotations", name,
                           NULL);
}

OdlAnnotations *
odl_annotation_store_load (const char *identity)
{
  g_autofree char *path = path_of (identity);
  OdlAnnotations *annotations;

  odl_annotations_read_file (path, identity, &annotations);
  return annotations;
}

bool
odl_annotation_store_save (const char *identity,
                           const OdlAnnotations *annotations,
                           GError **error)
{
  g_autofree char *path = path_of (identity);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *text = odl_annotations_to_file_text (annotations, identity);
  g_autofree char *shown = g_filename_display_name (folder);
  g_autoptr (GError) cause = NULL;

  if (odl_annotations_count (annotations) == 0) {
    g_unlink (path);
    return true;
  }
  // The next call reports errors.
  g_mkdir_with_parents (folder, 0700);
  if (g_file_set_contents (path, text, -1, &cause))
    return true;
  // GLib's sentence names a temporary file, which says nothing to people; the reason is
  // last.
  const char *last = g_strrstr (cause->message, ": ");
  g_set_error (error, ODL_ERROR, ODL_ERROR_IO,
               // Translators: a folder, and why.
               _ ("What was measured cannot be kept in %s: %s. Make room there, or save "
                  "the measurements to another place."),
               shown, last ? last + 2 : cause->message);
  return false;
}
