// SPDX-License-Identifier: MIT
#include "engine/gl/platform/timer.h"

#include <epoxy/gl.h>
#include <string.h>

#include "base/clock.h"

// Frames whose results may be outstanding.
#define FRAMES 4

struct _OdlGlTimer {
  bool is_es;
  int n_steps;
  GLuint *queries; // FRAMES × n_steps
  bool *begun; // FRAMES × n_steps
  bool pending[FRAMES];
  int64_t begun_ns[FRAMES]; // on the clock
  int next;
};

OdlGlTimer *
odl_gl_timer_new (const OdlGlCaps *caps, int n_steps)
{
  if (!caps->timer_queries || n_steps == 0)
    return NULL;

  OdlGlTimer *timer = g_new0 (OdlGlTimer, 1);
  timer->is_es = caps->is_es;
  timer->n_steps = n_steps;
  timer->queries = g_new0 (GLuint, (size_t) FRAMES * n_steps);
  timer->begun = g_new0 (bool, (size_t) FRAMES *n_steps);
  glGenQueries (FRAMES * n_steps, timer->queries);
  return timer;
}

void
odl_gl_timer_free (OdlGlTimer *timer)
{
  if (timer == NULL)
    return;
  glDeleteQueries (FRAMES * timer->n_steps, timer->queries);
  g_free (timer->queries);
  g_free (timer->begun);
  g_free (timer);
}

static int64_t
result_ns (const OdlGlTimer *timer, GLuint query)
{
  GLuint64 ns = 0;

  if (timer->is_es)
    glGetQueryObjectui64vEXT (query, GL_QUERY_RESULT, &ns);
  else
    glGetQueryObjectui64v (query, GL_QUERY_RESULT, &ns);
  return (int64_t) ns;
}

static void
collect (OdlGlTimer *timer, int frame, OdlEngine *engine)
{
  const GLuint *queries = timer->queries + (size_t) frame * timer->n_steps;
  GLuint available = GL_FALSE;

  // The queries of one frame end in order, so the last one is checked for all.
  glGetQueryObjectuiv (queries[timer->n_steps - 1], GL_QUERY_RESULT_AVAILABLE,
                       &available);
  if (!available)
    return;
  timer->pending[frame] = false;
  if (engine->n_step_ns != timer->n_steps)
    return;

  // llvmpipe gives the time of day for a query that begins before anything is drawn: no
  // step lasts longer than its frame is old.
  const int64_t age_ns = odl_clock_now_ns () - timer->begun_ns[frame];
  engine->frame_ns = 0;
  for (int i = 0; i < timer->n_steps; i++) {
    const bool begun = timer->begun[(size_t) frame * timer->n_steps + i];
    const int64_t ns = begun ? result_ns (timer, queries[i]) : 0;
    engine->step_ns[i] = ns >= 0 && ns <= age_ns ? ns : 0;
    engine->frame_ns += engine->step_ns[i];
  }
}

bool
odl_gl_timer_frame_begin (OdlGlTimer *timer, OdlEngine *engine)
{
  // Oldest first, so that the newest finished frame is the one that stays.
  for (int i = 0; i < FRAMES; i++) {
    const int frame = (timer->next + i) % FRAMES;
    if (timer->pending[frame])
      collect (timer, frame, engine);
  }
  if (timer->pending[timer->next])
    return false;
  timer->begun_ns[timer->next] = odl_clock_now_ns ();
  // Not every frame runs every step.
  memset (timer->begun + (size_t) timer->next * timer->n_steps, 0,
          (size_t) timer->n_steps * sizeof *timer->begun);
  return true;
}

void
odl_gl_timer_frame_end (OdlGlTimer *timer)
{
  timer->pending[timer->next] = true;
  timer->next = (timer->next + 1) % FRAMES;
}

void
odl_gl_timer_step_begin (OdlGlTimer *timer, int step)
{
  const size_t index = (size_t) timer->next * timer->n_steps + step;

  timer->begun[index] = true;
  glBeginQuery (GL_TIME_ELAPSED, timer->queries[index]);
}

void
odl_gl_timer_step_end (OdlGlTimer *timer)
{
  glEndQuery (GL_TIME_ELAPSED);
}
