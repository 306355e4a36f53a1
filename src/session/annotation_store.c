// SPDX-License-Identifier: MIT
#include "session/annotation_store.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <inttypes.h>

#include "base/error.h"
#include "image/annotation/kept.h"
#include "source/helper/client.h"

#define DICOM "dicom "
#define FILE_PREFIX "file "
#define LOCATION "location "

char *
odl_annotation_identity (const OdlSource *source, int64_t holder)
{
  const bool is_own = holder == ODL_HOLDER_SOURCE;
  const char *uid = is_own ? odl_source_detail (source, "sop-instance")
                           : odl_decoded_source_instance (source, holder);
  const char *location = is_own ? source->info.location : source->info.files[holder];
  GStatBuf status;

  if (uid && *uid)
    return odl_annotation_identity_of_instance (uid);
  if (!g_path_is_absolute (location) || g_stat (location, &status) != 0
      || !S_ISREG (status.st_mode))
    return g_strconcat (LOCATION, location, NULL);
  return g_strdup_printf (FILE_PREFIX "%" PRId64 " %" PRId64 ".%09ld %s",
                          (int64_t) status.st_size, (int64_t) status.st_mtim.tv_sec,
                          status.st_mtim.tv_nsec, location);
}

char *
odl_annotation_identity_of_instance (const char *uid)
{
  return g_strconcat (DICOM, uid, NULL);
}

bool
odl_annotation_identity_is_file (const char *identity)
{
  return !g_str_has_prefix (identity, LOCATION);
}

static char *
folder_of_all (void)
{
  return g_build_filename (g_get_user_data_dir (), "ondelette", "annotations", NULL);
}

// The name is a digest: it tells nothing about a patient.
static char *
path_of (const char *identity)
{
  g_autofree char *folder = folder_of_all ();
  g_autofree char *digest
      = g_compute_checksum_for_string (G_CHECKSUM_SHA256, identity, -1);
  g_autofree char *name = g_strconcat (digest, ".ini", NULL);

  return g_build_filename (folder, name, NULL);
}

bool
odl_annotation_store_is_empty (void)
{
  g_autofree char *folder = folder_of_all ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  return !dir || !g_dir_read_name (dir);
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
