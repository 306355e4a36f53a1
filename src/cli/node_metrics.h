// SPDX-License-Identifier: MIT
// Counts of what a node does, as lines of standard output for programs that watch it.
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef enum {
  ODL_METRIC_ASSOCIATIONS, // that have begun
  ODL_METRIC_OPEN, // of these
  ODL_METRIC_TURNED_AWAY,
  ODL_METRIC_STORED, // instances, as the next three
  ODL_METRIC_AGAIN,
  ODL_METRIC_APART,
  ODL_METRIC_NOT_KEPT,
  ODL_METRIC_BYTES, // of what is stored, there again or apart
  ODL_METRIC_DERIVED,
  ODL_METRIC_NOT_DERIVED,
  ODL_METRIC_FORWARDED,
  ODL_N_METRICS,
} OdlMetric;

typedef struct _OdlNodeMetrics OdlNodeMetrics;

// A line each `seconds`, from now on. `state` (copied; may be NULL) is the folder of what
// is still to be done, whose files are counted for it. ODL_ERROR_TOO_LARGE: there is no
// thread for it.
OdlNodeMetrics *odl_node_metrics_new (guint seconds, const char *state, GError **error);
// After a last line. Accepts NULL, as the next one.
void odl_node_metrics_free (OdlNodeMetrics *self);

// Any thread.
void odl_node_metrics_add (OdlNodeMetrics *self, OdlMetric metric, gint64 n);
