// SPDX-License-Identifier: MIT
#include "cli/node_metrics.h"

#include <stdio.h>

#include "archive/worker.h"

#define ENDING ".dcm"
#define MOST_DEPTH 3 // folders within the state

struct _OdlNodeMetrics {
  OdlWorker *worker;
  guint seconds;
  char *state; // NULL: none
  gint64 began_us;
  GMutex mutex; // of the next one
  gint64 counts[ODL_N_METRICS];
};

static guint
count_below (const char *folder, int depth)
{
  g_autoptr (GDir) dir = depth < MOST_DEPTH ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    n += g_str_has_suffix (name, ENDING) ? 1 : count_below (path, depth + 1);
  }
  return n;
}

static void
write_line (OdlNodeMetrics *self)
{
  static const char *const names[ODL_N_METRICS] = {
    [ODL_METRIC_ASSOCIATIONS] = "associations",
    [ODL_METRIC_OPEN] = "open",
    [ODL_METRIC_TURNED_AWAY] = "turned-away",
    [ODL_METRIC_STORED] = "stored",
    [ODL_METRIC_AGAIN] = "again",
    [ODL_METRIC_APART] = "apart",
    [ODL_METRIC_NOT_KEPT] = "not-kept",
    [ODL_METRIC_BYTES] = "bytes",
    [ODL_METRIC_DERIVED] = "derived",
    [ODL_METRIC_NOT_DERIVED] = "not-derived",
    [ODL_METRIC_FORWARDED] = "forwarded",
  };
  const gint64 seconds = (g_get_monotonic_time () - self->began_us) / G_USEC_PER_SEC;
  g_autoptr (GString) line = g_string_new (NULL);

  g_string_append_printf (line, "metrics seconds=%" G_GINT64_FORMAT, seconds);
  g_mutex_lock (&self->mutex);
  for (int i = 0; i < ODL_N_METRICS; i++)
    g_string_append_printf (line, " %s=%" G_GINT64_FORMAT, names[i], self->counts[i]);
  g_mutex_unlock (&self->mutex);
  g_string_append_printf (line, " waiting=%u\n",
                          self->state != NULL ? count_below (self->state, 0) : 0);
  g_print ("%s", line->str);
  fflush (stdout);
}

static void *
run (void *data)
{
  OdlNodeMetrics *self = data;

  while (!odl_worker_is_closing (self->worker)) {
    odl_worker_rest (self->worker, self->seconds);
    write_line (self);
  }
  return NULL;
}

OdlNodeMetrics *
odl_node_metrics_new (guint seconds, const char *state, GError **error)
{
  OdlNodeMetrics *self = g_new0 (OdlNodeMetrics, 1);

  self->seconds = seconds;
  self->state = g_strdup (state);
  self->began_us = g_get_monotonic_time ();
  g_mutex_init (&self->mutex);
  self->worker = odl_worker_new ();
  if (odl_worker_start (self->worker, "metrics", run, self, error))
    return self;
  odl_node_metrics_free (self);
  return NULL;
}

void
odl_node_metrics_free (OdlNodeMetrics *self)
{
  if (self == NULL)
    return;
  odl_worker_free (self->worker);
  g_mutex_clear (&self->mutex);
  g_free (self->state);
  g_free (self);
}

void
odl_node_metrics_add (OdlNodeMetrics *self, OdlMetric metric, gint64 n)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->mutex);
  self->counts[metric] += n;
  g_mutex_unlock (&self->mutex);
}
