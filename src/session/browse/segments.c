// SPDX-License-Identifier: MIT
#include "session/browse/segments.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "session/session_private.h"
#include "source/dicom/headers.h"

#define MOST_FILES 16

bool
odl_session_segments_plane (OdlSession *self,
                            const OdlFrame *frame,
                            OdlPlaneKind plane,
                            OdlSegmentsPlane *found)
{
  const OdlPlanesLook look = { frame->voxel, frame->slab, frame->oblique, { 0 } };

  if (!self->source || frame->source_serial != self->source_serial)
    return false;
  if (plane < ODL_N_PLANES)
    return odl_segments_plane_through (self->source, odl_image_info (frame->volume),
                                       plane, &look, found);
  odl_segments_plane_of (self->source, frame->index, odl_image_info (frame->input),
                         found);
  return found->is_placed || found->instance;
}

// ---- looking for them ----------------------------------------------------------------

typedef struct {
  char *path, *wanted, *frame_of_reference, *instance;
  OdlSegmentsPlane plane;
  char *refused;
} Search;

static void
search_free (void *data)
{
  Search *search = data;
  g_free (search->path);
  g_free (search->wanted);
  g_free (search->frame_of_reference);
  g_free (search->instance);
  g_free (search->refused);
  g_free (search);
}

static int
compare_paths (const void *a, const void *b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
read_one (Search *search, const char *path, GPtrArray *found, GCancellable *cancellable)
{
  const bool is_wanted = g_strcmp0 (path, search->wanted) == 0;
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSegments) segments = odl_segments_read (path, cancellable, &error);
  g_autofree char *name = g_filename_display_basename (path);

  if (segments && odl_segments_fit (segments, &search->plane))
    g_ptr_array_add (found, g_steal_pointer (&segments));
  else if (error && !search->refused
           && (is_wanted || g_error_matches (error, ODL_ERROR, ODL_ERROR_TOO_LARGE)))
    search->refused = g_strdup (error->message);
  else if (segments && is_wanted)
    search->refused = g_strdup_printf (
        _ ("“%s” outlines nothing in these pictures: it is in another frame of "
           "reference, and names none of them."),
        name);
}

static void
list_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  Search *search = data;
  g_autoptr (GPtrArray) paths
      = odl_dicom_files_beside (search->path, odl_segments_is_in, cancellable);
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) odl_segments_unref);

  g_ptr_array_sort (paths, compare_paths);
  if (search->wanted)
    read_one (search, search->wanted, found, cancellable);
  for (guint i = 0; i < paths->len && found->len < MOST_FILES
                    && !g_cancellable_is_cancelled (cancellable);
       i++)
    if (g_strcmp0 (paths->pdata[i], search->wanted) != 0)
      read_one (search, paths->pdata[i], found, cancellable);
  g_task_return_pointer (task, found, (GDestroyNotify) g_ptr_array_unref);
}

void
odl_segments_list (const char *path,
                   const char *wanted,
                   const OdlSegmentsPlane *plane,
                   GCancellable *cancellable,
                   GAsyncReadyCallback cb,
                   void *data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, cb, data);
  Search *search = g_new0 (Search, 1);

  search->path = g_strdup (path);
  search->wanted = g_strdup (wanted);
  search->plane = *plane;
  search->plane.frame_of_reference = search->frame_of_reference
      = g_strdup (plane->frame_of_reference);
  search->plane.instance = search->instance = g_strdup (plane->instance);
  g_task_set_source_tag (task, odl_segments_list);
  g_task_set_task_data (task, search, search_free);
  g_task_run_in_thread (task, list_thread);
}

GPtrArray *
odl_segments_list_finish (GAsyncResult *result, char **refused)
{
  GPtrArray *found = g_task_propagate_pointer (G_TASK (result), NULL);
  Search *search = g_task_get_task_data (G_TASK (result));

  *refused = found ? g_steal_pointer (&search->refused) : NULL;
  return found;
}
