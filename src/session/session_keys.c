// SPDX-License-Identifier: MIT
// Key pictures: those that are marked here, which are kept, undone and saved as what is
// drawn, and those that key objects beside the file name.
#include "session/session_private.h"
#include "source/dicom/report_text.h"
#include "source/dicom/said.h"

void
odl_session_forget_keys (OdlSession *self)
{
  if (self->keys.search)
    g_cancellable_cancel (self->keys.search);
  g_clear_object (&self->keys.search);
  g_clear_pointer (&self->keys.others, g_hash_table_unref);
  self->keys.serial = 0;
}

// ---- those of others -----------------------------------------------------------------

static void
find_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  g_task_return_pointer (task, odl_keys_find (data, cancellable),
                         (GDestroyNotify) g_hash_table_unref);
}

// Another source has cancelled it.
static void
found_cb (GObject *object, GAsyncResult *result, void *data)
{
  GHashTable *keys = g_task_propagate_pointer (G_TASK (result), NULL);
  if (!keys)
    return;
  OdlSession *self = ODL_SESSION (object);
  self->keys.others = keys;
  if (g_hash_table_size (keys) > 0)
    odl_session_tell_annotations (self);
}

// Looked for once for each source.
static void
find_others (OdlSession *self)
{
  const char *file = odl_session_file (self);
  if (self->keys.serial == self->source_serial || !file
      || !odl_session_detail (self, "sop-instance"))
    return;
  odl_session_forget_keys (self);
  self->keys.serial = self->source_serial;
  self->keys.search = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self, self->keys.search, found_cb, NULL);
  g_task_set_source_tag (task, find_others);
  g_task_set_task_data (task, g_strdup (file), g_free);
  g_task_run_in_thread (task, find_thread);
}

static bool
is_named (OdlSession *self, int64_t frame)
{
  gint64 stored = 0;
  const char *instance = self->keys.others && self->keys.serial == self->source_serial
                             ? odl_said_instance (self->source, frame, &stored)
                             : NULL;
  if (!instance)
    return false;
  g_autofree char *whole = odl_report_key (instance, 0);
  g_autofree char *one = odl_report_key (instance, stored + 1);
  return g_hash_table_contains (self->keys.others, whole)
         || g_hash_table_contains (self->keys.others, one);
}

// ---- all -----------------------------------------------------------------------------

bool
odl_session_is_key (OdlSession *self, int64_t frame, bool *by_others)
{
  find_others (self);
  *by_others = self->source && is_named (self, frame);
  return *by_others || odl_annotations_key (odl_session_annotations (self), frame);
}

void
odl_session_mark_key (OdlSession *self, int64_t frame)
{
  const OdlAnnotation *known
      = odl_annotations_key (odl_session_annotations (self), frame);
  const OdlAnnotation made
      = odl_annotation_make (&odl_annotation_key, frame, (OdlPoint){ 0, 0 });
  if (known)
    odl_session_remove_annotation (self, known->id);
  else
    odl_session_annotate (self, &made);
}

int64_t
odl_session_next_key (OdlSession *self, int64_t from, int by)
{
  const int n = odl_session_info (self)->n_frames;
  bool by_others;
  for (int64_t i = 1; i <= n; i++) {
    const int64_t frame = (from + (by > 0 ? i : n - i)) % n;
    if (odl_session_is_key (self, frame, &by_others))
      return frame;
  }
  return -1;
}

int
odl_session_count_keys (OdlSession *self)
{
  const int n = odl_session_info (self)->n_frames;
  int count = 0;
  find_others (self);
  const bool are_known = self->keys.others && self->keys.serial == self->source_serial;
  if (!are_known && odl_session_detail (self, "sop-instance"))
    return -1;
  const bool are_some = are_known && g_hash_table_size (self->keys.others) > 0;
  for (int64_t frame = 0; frame < n; frame++)
    count += odl_annotations_key (odl_session_annotations (self), frame)
             || (are_some && is_named (self, frame));
  return count;
}

GArray *
odl_session_keys (OdlSession *self)
{
  GArray *frames = g_array_new (FALSE, FALSE, sizeof (gint64));
  const int n = odl_session_info (self)->n_frames;
  for (gint64 frame = 0; frame < n; frame++)
    if (odl_annotations_key (odl_session_annotations (self), frame))
      g_array_append_val (frames, frame);
  return frames;
}
