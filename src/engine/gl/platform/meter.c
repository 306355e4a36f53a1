// SPDX-License-Identifier: MIT
#include "engine/gl/platform/meter.h"

#include <epoxy/gl.h>
#include <glib.h>

#include "base/clock.h"
#include "engine/gl/platform/caps.h"
#include "engine/gl/platform/state.h"

#define LEAST 3
#define ROUNDS 5
// A timer that reports less than this fraction of the wall-clock time missed the work.
#define LEAST_SEEN 0.01

static int64_t
time_round (OdlGlWork work, void *data, int runs)
{
  const int64_t start_ns = odl_clock_now_ns ();

  for (int i = 0; i < runs; i++)
    work (data);
  glFinish ();
  return odl_clock_now_ns () - start_ns;
}

// llvmpipe's timers miss work that its threads do later: half of it, or nearly all.
static bool
has_timers (void)
{
  if (odl_gl_is_software ())
    return false;
  return epoxy_is_desktop_gl () || epoxy_has_gl_extension ("GL_EXT_disjoint_timer_query");
}

static int64_t
result_of (GLuint query)
{
  GLuint64 ns = 0;

  if (epoxy_is_desktop_gl ())
    glGetQueryObjectui64v (query, GL_QUERY_RESULT, &ns);
  else
    glGetQueryObjectui64vEXT (query, GL_QUERY_RESULT, &ns);
  return (int64_t) ns;
}

// A query around each run. False if the timer missed the work.
static bool
use_timer (OdlGlWork work, void *data, int runs, OdlGlTimes *times)
{
  GLuint queries[ODL_GL_METER_MOST];
  int64_t sum_ns = 0;

  glGenQueries (runs, queries);
  const int64_t start_ns = odl_clock_now_ns ();
  for (int i = 0; i < runs; i++) {
    glBeginQuery (GL_TIME_ELAPSED, queries[i]);
    work (data);
    glEndQuery (GL_TIME_ELAPSED);
  }
  glFinish ();
  const int64_t wall_ns = odl_clock_now_ns () - start_ns;
  for (int i = 0; i < runs; i++) {
    times->ns[i] = result_of (queries[i]);
    sum_ns += times->ns[i];
  }
  glDeleteQueries (runs, queries);
  times->n = runs;
  times->by_timer = sum_ns >= LEAST_SEEN * wall_ns && sum_ns <= 2 * wall_ns;
  return times->by_timer;
}

static void
measure (OdlGlWork work, void *data, int64_t budget_ns, OdlGlTimes *times)
{
  *times = (OdlGlTimes){ .n = 0 };
  time_round (work, data, 1);

  const int64_t once_ns = MAX (time_round (work, data, 2) / 2, 1000);
  if (once_ns > budget_ns) {
    times->ns[times->n++] = once_ns;
    return;
  }
  const int runs = (int) CLAMP (budget_ns / 2 / once_ns, LEAST, ODL_GL_METER_MOST);
  time_round (work, data, runs / 2);
  if (has_timers () && use_timer (work, data, runs, times))
    return;
  for (times->n = 0; times->n < ROUNDS; times->n++)
    times->ns[times->n]
        = time_round (work, data, MAX (runs / ROUNDS, 1)) / MAX (runs / ROUNDS, 1);
}

void
odl_gl_meter (OdlGlWork work, void *data, int64_t budget_ns, OdlGlTimes *times)
{
  OdlGlState state;

  odl_gl_state_save (&state);
  measure (work, data, budget_ns, times);
  odl_gl_state_restore (&state);
}
