// SPDX-License-Identifier: MIT
#include "session/archive/fetch.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "archive/get.h"
#include "archive/notes.h"
#include "base/error.h"
#include "session/archive/spool.h"

// Sentences, and names of what is missing, that are kept.
#define MOST_SAID 200

typedef struct {
  OdlArchiveNode *node;
  char *study, *series;
  void (*arrived) (const char *path, const char *folder, void *data);
  void (*ended) (const OdlArchiveCounts *counts,
                 const GPtrArray *said,
                 const GError *error,
                 void *data);
  void *data;
  OdlArchiveWork *work; // in its thread, as the next ones until it has ended
  char *folder;
  guint64 most_bytes;
  guint64 bytes, before; // in the spool: now, and before it
  bool is_full;
  OdlGot got;
  guint n_missing;
  GPtrArray *said;
  GError *error;
} Fetch;

static void
fetch_free (void *data)
{
  Fetch *self = data;

  odl_archive_node_free (self->node);
  g_free (self->study);
  g_free (self->series);
  g_free (self->folder);
  g_ptr_array_unref (self->said);
  g_clear_error (&self->error);
  g_free (self);
}

static void
say (Fetch *self, char *text)
{
  if (self->said->len < MOST_SAID)
    g_ptr_array_add (self->said, text);
  else
    g_free (text);
}

static void
say_cb (const char *text, void *data)
{
  say (data, g_strdup (text));
}

static void
count_bytes (Fetch *self, const char *path)
{
  GStatBuf status;

  if (g_stat (path, &status) == 0)
    self->bytes += (guint64) status.st_size;
  self->is_full = self->bytes > self->most_bytes;
  if (self->is_full)
    odl_archive_work_cancel (self->work);
}

static void
told_cb (const OdlGetNews *news, void *data)
{
  Fetch *self = data;

  if (news->event == ODL_GET_SAID) {
    say (self, g_strdup (news->text));
  } else if (news->event == ODL_GET_MISSING) {
    self->n_missing++;
    say (self, g_strdup_printf (_ ("missing: %s"), news->path));
  } else {
    char *path = g_build_filename (self->folder, news->path, NULL);
    count_bytes (self, path);
    odl_archive_work_tell (self->work, path);
  }
}

// What this program has got stays until it ends (odl_spool_new_folder).
static void
explain_full (Fetch *self)
{
  g_autofree char *most = g_format_size_full (self->most_bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *before = g_format_size_full (self->before, G_FORMAT_SIZE_IEC_UNITS);

  g_clear_error (&self->error);
  if (self->before > self->most_bytes / 2)
    odl_error_set (&self->error, ODL_ERROR_TOO_LARGE,
                   _ ("the folder for pictures of nodes holds %s, of which what is open "
                      "has %s; end the program to have that removed"),
                   most, before);
  else
    odl_error_set (&self->error, ODL_ERROR_TOO_LARGE,
                   _ ("it is more than the folder for pictures of nodes holds (%s); get "
                      "series by series"),
                   most);
}

static void
get (Fetch *self, OdlInstances *instances)
{
  const bool has_series = self->series != NULL && *self->series != '\0';
  OdlArchiveLink link;
  OdlQuery query = { { NULL } };

  odl_archive_link_init (&link, self->node);
  query.wanted[ODL_KEY_STUDY] = self->study;
  query.wanted[ODL_KEY_SERIES] = has_series ? self->series : NULL;
  const OdlGetParams params = { .link = link.link,
                                .level = has_series ? ODL_LEVEL_SERIES : ODL_LEVEL_STUDY,
                                .query = &query,
                                .instances = instances,
                                .told = told_cb,
                                .data = self };
  odl_get (&params, &self->got, odl_archive_work_cancellable (self->work), &self->error);
  odl_found_say (&self->got.found, false, say_cb, self);
  odl_archive_work_explain (self->work, &self->error);
  if (self->is_full)
    explain_full (self);
}

static void
fetch_run (OdlArchiveWork *work, void *job)
{
  Fetch *self = job;

  self->work = work;
  odl_spool_clear (self->most_bytes / 2, ODL_SPOOL_MOST_DAYS);
  self->bytes = self->before = odl_spool_bytes ();
  self->folder = odl_spool_new_folder (&self->error);
  OdlInstances *instances = self->folder != NULL
                                ? odl_instances_open (self->folder, false, &self->error)
                                : NULL;
  if (instances == NULL)
    return;
  get (self, instances);
  odl_instances_close (instances);
  if (self->error == NULL && self->n_missing + self->got.found.n_invalid == 0)
    odl_spool_set_complete (self->folder);
}

static void
fetch_took (GPtrArray *told, void *job)
{
  const Fetch *self = job;

  for (guint i = 0; i < told->len; i++)
    self->arrived (told->pdata[i], self->folder, self->data);
}

static void
fetch_ended (void *job)
{
  const Fetch *self = job;
  const OdlGot *got = &self->got;
  const OdlArchiveCounts counts
      = { .n_arrived = got->n_kept + got->n_again + got->n_apart,
          .n_missing = self->n_missing + got->found.n_invalid,
          .n_others = got->n_others };

  self->ended (&counts, self->said, self->error, self->data);
}

OdlArchiveWork *
odl_archive_fetch_start (const OdlArchiveFetchParams *params, GError **error)
{
  static const OdlArchiveWorkClass klass
      = { fetch_run, fetch_took, fetch_ended, fetch_free, g_free };
  Fetch *self;

  if (!odl_archive_node_check (params->node, error))
    return NULL;
  self = g_new0 (Fetch, 1);
  *self = (Fetch){ .node = odl_archive_node_copy (params->node),
                   .study = g_strdup (params->study),
                   .series = g_strdup (params->series),
                   .most_bytes
                   = params->most_bytes > 0 ? params->most_bytes : ODL_SPOOL_MOST_BYTES,
                   .arrived = params->arrived,
                   .ended = params->ended,
                   .data = params->data,
                   .said = g_ptr_array_new_with_free_func (g_free) };
  return odl_archive_work_start (&klass, self, error);
}
