// SPDX-License-Identifier: MIT
#include "session/save/beside.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "base/error.h"
#include "image/annotation/kept.h"
#include "output/output.h"
#include "source/beside.h"
#include "source/source_file.h"

typedef enum { FREE, OURS, FOREIGN } Place;

// A link leads elsewhere, and is nobody's.
static Place
look_at (const char *path, const char *identity)
{
  GStatBuf status;

  if (g_lstat (path, &status) != 0)
    return errno == ENOENT ? FREE : FOREIGN;
  return S_ISREG (status.st_mode) && odl_annotations_read_file (path, identity, NULL)
             ? OURS
             : FOREIGN;
}

static bool
write_text (const char *path, Place place, const char *text, GError **error)
{
  OdlOutput output;
  const bool open = place == OURS ? odl_output_open (NULL, path, &output, error)
                                  : odl_output_open_new (NULL, path, &output, error);

  if (!open)
    return false;
  return odl_output_end (&output, odl_output_write (&output, text, strlen (text), error),
                         error);
}

static bool
take_away (const char *path, Place place, GError **error)
{
  if (place == FREE || g_unlink (path) == 0)
    return true;
  g_autofree char *shown = odl_source_file_display_path (path);
  return odl_error_set (error, ODL_ERROR_IO, _ ("%s cannot be removed: %s"), shown,
                        g_strerror (errno));
}

bool
odl_beside_save (const OdlSource *source,
                 const OdlAnnotations *annotations,
                 char **path,
                 GError **error)
{
  g_autofree char *place = odl_beside_path (source);
  g_autofree char *identity = place ? odl_beside_identity (source) : NULL;

  if (!identity)
    return odl_error_set (error, ODL_ERROR_IO,
                          _ ("This picture is no file, or can no longer be read: nothing "
                             "can be kept beside it."));
  const Place found = look_at (place, identity);
  if (found == FOREIGN) {
    g_autofree char *shown = odl_source_file_display_path (place);
    return odl_error_set (error, ODL_ERROR_IO,
                          _ ("%s is there already and does not belong to this picture. "
                             "It stays as it is; move it elsewhere first."),
                          shown);
  }
  g_autofree char *text = odl_annotations_to_file_text (annotations, identity);
  const bool done = odl_annotations_count (annotations) > 0
                        ? write_text (place, found, text, error)
                        : take_away (place, found, error);
  if (done)
    *path = g_steal_pointer (&place);
  return done;
}
