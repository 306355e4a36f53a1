// SPDX-License-Identifier: MIT
// Measurements outside the interleaved rounds: start-up and load.
#include "base/clock.h"
#include "base/parallel.h"
#include "bench/task.h"

#define SMALL_SIDE 64

// Milliseconds since *last_ns; updates it.
static double
lap_ms (int64_t *last_ns)
{
  const int64_t now_ns = odl_clock_now_ns ();
  const double ms = 1e-6 * (now_ns - *last_ns);

  *last_ns = now_ns;
  return ms;
}

// A picture so small that preparing it takes no time but that of its programs.
static OdlPlan *
small_plan (const OdlBenchTaskParams *params, GError **error)
{
  OdlBenchTaskParams small = *params;

  small.size.width = MIN (params->size.width, SMALL_SIDE);
  small.size.height = MIN (params->size.height, SMALL_SIDE);
  return odl_bench_plan (&small, error);
}

bool
odl_bench_measure_start (const OdlBenchTaskParams *params,
                         OdlBenchStart *start,
                         GError **error)
{
  g_autoptr (OdlPlan) plan = odl_bench_plan (params, error);
  g_autoptr (OdlPlan) small = plan != NULL ? small_plan (params, error) : NULL;
  g_autoptr (OdlImage) image = NULL;

  if (small != NULL)
    image = odl_bench_texture (params->size.width, params->size.height, params->channels,
                               error);
  if (image == NULL)
    return false;
  *start = (OdlBenchStart){ .row = odl_bench_row (params, plan),
                            .asked = params->choice.variant ? params->choice.variant : "",
                            .inverse = !params->decomposes };
  if (!params->choice.klass->needs_gl)
    odl_parallel_set_threads (params->threads);

  int64_t last_ns = odl_clock_now_ns ();
  g_autoptr (OdlGlHeadless) headless = NULL;
  if (params->choice.klass->needs_gl) {
    headless = odl_gl_headless_new (error);
    if (headless == NULL)
      return false;
    start->context_ms = lap_ms (&last_ns);
  }
  g_autoptr (OdlEngine) engine = odl_engine_open_choice (params->choice, error);
  start->engine_ms = lap_ms (&last_ns);
  if (engine == NULL || !odl_engine_prepare (engine, small, error))
    return false;
  start->programs_ms = lap_ms (&last_ns);
  if (!odl_engine_prepare (engine, plan, error))
    return false;
  start->textures_ms = lap_ms (&last_ns);
  if (!odl_engine_run (engine, plan, image, error))
    return false;
  if (headless != NULL)
    odl_gl_headless_finish (headless);
  start->first_ms = lap_ms (&last_ns);
  g_autoptr (OdlImage) picture = odl_engine_read_back (engine, plan, plan->result, error);
  start->read_back_ms = lap_ms (&last_ns);
  if (engine->variant[0] != '\0')
    g_strlcpy (start->row.variant, engine->variant, sizeof start->row.variant);
  return picture != NULL;
}

bool
odl_bench_measure_load (const OdlBenchTaskParams *params,
                        OdlBenchLoadRow *row,
                        GError **error)
{
  const OdlBenchLoadParams load = { .seconds = params->params->load_seconds };
  g_autoptr (OdlPlan) plan = odl_bench_plan (params, error);
  g_autoptr (OdlImage) image = NULL;
  g_autoptr (OdlEngine) engine = NULL;

  if (plan != NULL)
    image = odl_bench_texture (params->size.width, params->size.height, params->channels,
                               error);
  if (image != NULL)
    engine = odl_engine_open_choice (params->choice, error);
  if (engine == NULL)
    return false;
  *row = (OdlBenchLoadRow){ .row = odl_bench_row (params, plan) };
  if (params->headless == NULL)
    odl_parallel_set_threads (params->threads);
  if (!odl_bench_load (engine, params->headless, plan, image, &load, &row->load, error))
    return false;
  if (engine->variant[0] != '\0')
    g_strlcpy (row->row.variant, engine->variant, sizeof row->row.variant);
  return true;
}
