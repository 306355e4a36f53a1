// SPDX-License-Identifier: MIT
#include "engine/gl/compute/tune.h"

#include "base/clock.h"
#include "base/debug.h"
#include "engine/gl/compute/lanes.h"
#include "engine/gl/platform/meter.h"

// Time for measuring one candidate: several runs of a small level, one of a large one.
// The budget is checked between candidates.
#define TRIAL_NS 1000000

// A candidate must be faster by this factor to replace an earlier one, since times vary.
#define GAIN 0.98

static void
issue (void *data)
{
  odl_gl_dispatch (data);
}

static int64_t
time_shape (const OdlGlDispatch *dispatch, OdlGlShape shape)
{
  OdlGlDispatch trial = *dispatch;
  OdlGlTimes times;
  int64_t least = G_MAXINT64;

  odl_gl_lanes_share (&trial, shape);
  odl_gl_meter (issue, &trial, TRIAL_NS, &times);
  for (int i = 0; i < times.n; i++)
    least = MIN (least, times.ns[i]);
  return least;
}

// rows 0 when the time is over. The best candidate is timed again beside each other one,
// since the clock rate of an idle GPU rises during the measurement.
static OdlGlShape
best_shape (const OdlGlDispatch *dispatch, OdlGlShape present, int64_t end_ns)
{
  OdlGlShape best = present;

  for (const OdlGlShape *shape = odl_gl_shapes_for (dispatch->lanes.levels);
       shape->rows > 0; shape++) {
    if (odl_clock_now_ns () > end_ns)
      return (OdlGlShape){ 0 };
    if (shape->rows == present.rows && shape->across == present.across)
      continue;
    const int64_t best_ns = time_shape (dispatch, best);
    if ((double) time_shape (dispatch, *shape) < GAIN * (double) best_ns)
      best = *shape;
  }
  return best;
}

bool
odl_gl_tune (GArray *dispatches, OdlGlTuning *tuning, int64_t budget_ns)
{
  const int64_t end_ns = odl_clock_now_ns () + budget_ns;
  bool added = false;

  for (guint i = 0; i < dispatches->len; i++) {
    OdlGlDispatch *dispatch = &g_array_index (dispatches, OdlGlDispatch, i);
    if (dispatch->lanes.samples == 0)
      continue;
    if (!odl_gl_tuning_knows (tuning, &dispatch->lanes)) {
      const OdlGlShape best
          = best_shape (dispatch, odl_gl_tuning_shape (tuning, &dispatch->lanes), end_ns);
      if (best.rows == 0)
        return added;
      odl_gl_tuning_set (tuning, &dispatch->lanes, best);
      added = true;
    }
    odl_gl_lanes_share (dispatch, odl_gl_tuning_shape (tuning, &dispatch->lanes));
  }
  return added;
}

#define BUDGET_NS 200000000

struct _OdlGlTuner {
  OdlGlTuning *tuning;
  bool runs;
  char *path;
  char *key;
};

OdlGlTuner *
odl_gl_tuner_new (const OdlGlCaps *caps)
{
  OdlGlTuner *tuner = g_new0 (OdlGlTuner, 1);
  const char *request = g_getenv ("ODL_TUNE");
  const bool again = g_strcmp0 (request, "again") == 0;

  tuner->tuning = odl_gl_tuning_new ();
  tuner->runs = again || (!caps->is_software && g_strcmp0 (request, "off") != 0);
  tuner->path = odl_gl_tuning_path ();
  tuner->key = odl_gl_tuning_key (caps);
  if (tuner->runs && !again)
    odl_gl_tuning_load (tuner->tuning, tuner->path, tuner->key);
  return tuner;
}

void
odl_gl_tuner_free (OdlGlTuner *tuner)
{
  if (tuner == NULL)
    return;
  odl_gl_tuning_free (tuner->tuning);
  g_free (tuner->path);
  g_free (tuner->key);
  g_free (tuner);
}

const OdlGlTuning *
odl_gl_tuner_tuning (const OdlGlTuner *tuner)
{
  return tuner->tuning;
}

void
odl_gl_tuner_run (OdlGlTuner *tuner, GArray *dispatches)
{
  g_autoptr (GError) error = NULL;

  // If it cannot be saved, it is measured again next time.
  if (tuner->runs && odl_gl_tune (dispatches, tuner->tuning, BUDGET_NS)
      && !odl_gl_tuning_save (tuner->tuning, tuner->path, tuner->key, &error))
    odl_debug (ODL_DEBUG_SHADERS, "%s", error->message);
}

bool
odl_gl_tuner_is_tuned (const OdlGlTuner *tuner, const GArray *dispatches)
{
  bool any = false;

  for (guint i = 0; i < dispatches->len; i++) {
    const OdlGlDispatch *dispatch = &g_array_index (dispatches, OdlGlDispatch, i);
    if (dispatch->lanes.samples == 0)
      continue;
    if (!odl_gl_tuning_knows (tuner->tuning, &dispatch->lanes))
      return false;
    any = true;
  }
  return any;
}
