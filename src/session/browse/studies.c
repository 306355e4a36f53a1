// SPDX-License-Identifier: MIT
#include "session/browse/studies.h"

#include "session/browse/hanging.h"
#include "session/browse/keys.h"

typedef struct {
  char *path;
  OdlStudiesGrown grown;
  void *data; // of whoever asked
} Listing;

static void
listing_free (void *data)
{
  Listing *listing = data;
  g_free (listing->path);
  g_free (listing);
}

// On its way to the main thread.
typedef struct {
  GTask *task;
  OdlStudiesSoFar so_far;
} News;

static void
news_free (void *data)
{
  News *news = data;
  g_object_unref (news->task);
  g_ptr_array_unref (news->so_far.list);
  g_free (news);
}

// The task keeps what its data belongs to until it is completed.
static gboolean
news_cb (void *data)
{
  const News *news = data;
  const Listing *listing = g_task_get_task_data (news->task);
  GCancellable *cancellable = g_task_get_cancellable (news->task);
  if (!g_task_get_completed (news->task) && !g_cancellable_is_cancelled (cancellable))
    listing->grown (&news->so_far, cancellable, listing->data);
  return G_SOURCE_REMOVE;
}

static void
tell (const OdlStudiesSoFar *so_far, void *data)
{
  News *news = g_new (News, 1);
  odl_keys_count (so_far->list);
  *news = (News){ g_object_ref (G_TASK (data)), *so_far };
  g_main_context_invoke_full (NULL, G_PRIORITY_DEFAULT, news_cb, news, news_free);
}

static void
list_thread (GTask *task, void *object, void *data, GCancellable *cancellable)
{
  const Listing *listing = data;
  const OdlStudiesTelling telling = { .judge = odl_hanging_judge,
                                      .tell = listing->grown ? tell : NULL,
                                      .data = task };
  GError *error = NULL;
  char *note = NULL;
  GPtrArray *list
      = odl_studies_read (listing->path, &telling, &note, cancellable, &error);
  g_object_set_data_full (G_OBJECT (task), "odl-note", note, g_free);
  if (list)
    odl_keys_count (list);
  if (list)
    g_task_return_pointer (task, list, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

void
odl_studies_list (const char *path,
                  OdlStudiesGrown grown,
                  GCancellable *cancellable,
                  GAsyncReadyCallback cb,
                  void *data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, cb, data);
  Listing *listing = g_new (Listing, 1);
  *listing = (Listing){ g_strdup (path), grown, data };
  g_task_set_source_tag (task, odl_studies_list);
  g_task_set_task_data (task, listing, listing_free);
  g_task_run_in_thread (task, list_thread);
}

GPtrArray *
odl_studies_list_finish (GAsyncResult *result, const char **note, GError **error)
{
  *note = g_object_get_data (G_OBJECT (result), "odl-note");
  return g_task_propagate_pointer (G_TASK (result), error);
}
