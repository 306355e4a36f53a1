// SPDX-License-Identifier: MIT
#include "bench/load.h"

#include <time.h>

#include "base/clock.h"
#include "engine/gl/canvas/canvas.h"
#include "engine/gl/platform/offscreen.h"

#define DEFAULT_FPS 20
#define DEFAULT_SECONDS 3
#define WARM_UP_SECONDS 0.5

typedef struct {
  OdlEngine *engine;
  const OdlPlan *plan;
  // The same samples twice: engines may skip work for an image they have seen.
  OdlImage *images[2];
  OdlGlCanvas *canvas; // NULL: no drawing
  OdlGlOffscreen *offscreen;
  OdlView view;
  OdlDisplay display;
} Show;

static int64_t
process_ns (void)
{
  struct timespec used;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &used);
  return (int64_t) used.tv_sec * 1000000000 + used.tv_nsec;
}

static void
sleep_until (int64_t ns)
{
  const struct timespec at
      = { .tv_sec = ns / 1000000000, .tv_nsec = (long) (ns % 1000000000) };

  while (clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != 0)
    ;
}

// Computes the picture to draw; texture 0 without drawing.
static bool
compute (const Show *show, int frame, OdlGlPicture *picture, GError **error)
{
  OdlImage *image = show->images[frame % 2];

  *picture = (OdlGlPicture){ 0 };
  if (show->engine->klass->needs_gl) {
    if (!odl_engine_prepare (show->engine, show->plan, error)
        || !odl_engine_run (show->engine, show->plan, image, error))
      return false;
    *picture = odl_gl_engine_picture (show->engine, show->plan, show->plan->result);
    return true;
  }
  g_autoptr (OdlImage) result
      = odl_engine_process (show->engine, show->plan, image, error);
  return result != NULL
         && (show->canvas == NULL
             || odl_gl_canvas_upload (show->canvas, 0, result, picture, error));
}

static bool
show_frame (const Show *show, int frame, GError **error)
{
  OdlGlScene scene = { .display = show->display };

  if (!compute (show, frame, &scene.picture, error))
    return false;
  if (show->canvas == NULL)
    return true;
  if (!odl_gl_canvas_draw (show->canvas, &scene, &show->view, show->plan->geometry.width,
                           show->plan->geometry.height, error))
    return false;
  odl_gl_offscreen_show (show->offscreen);
  return true;
}

// Shows `n` frames from `start_ns` on, every `interval_ns`. Returns the number of late
// frames, −1 on failure.
static int
show_frames (const Show *show,
             int n,
             int64_t start_ns,
             int64_t interval_ns,
             GError **error)
{
  int late = 0;

  for (int frame = 0; frame < n; frame++) {
    int64_t due_ns = start_ns + frame * interval_ns;
    sleep_until (due_ns);
    late += odl_clock_now_ns () - due_ns > interval_ns / 2;
    if (!show_frame (show, frame, error))
      return -1;
  }
  return late;
}

static bool
measure (const Show *show,
         const OdlBenchLoadParams *params,
         OdlBenchLoad *load,
         GError **error)
{
  double fps = params->fps > 0 ? params->fps : DEFAULT_FPS;
  double seconds = params->seconds > 0 ? params->seconds : DEFAULT_SECONDS;
  int64_t interval_ns = (int64_t) (1e9 / fps);
  int warm_up = MAX ((int) (WARM_UP_SECONDS * fps), 3);

  load->frames = MAX ((int) (seconds * fps), 1);
  if (show_frames (show, warm_up, odl_clock_now_ns (), interval_ns, error) < 0)
    return false;

  int64_t begin_ns = odl_clock_now_ns (), used_ns = process_ns ();
  load->late = show_frames (show, load->frames, begin_ns, interval_ns, error);
  // Include the interval of the last frame.
  sleep_until (begin_ns + load->frames * interval_ns);
  int64_t wall_ns = odl_clock_now_ns () - begin_ns;
  load->percent = 100.0 * (double) (process_ns () - used_ns) / (double) wall_ns;
  load->fps = load->frames / (wall_ns * 1e-9);
  return load->late >= 0;
}

bool
odl_bench_load (OdlEngine *engine,
                OdlGlHeadless *headless,
                const OdlPlan *plan,
                OdlImage *image,
                const OdlBenchLoadParams *params,
                OdlBenchLoad *load,
                GError **error)
{
  static const OdlWindow full = { .mode = ODL_WINDOW_FULL };
  const OdlGeometry *geometry = &plan->geometry;
  Show show = {
    .engine = engine,
    .plan = plan,
    .images = { image, odl_image_with_info (image, odl_image_info (image)) },
    .view = odl_view_make (geometry->width, geometry->height, 1),
    .display = odl_display_make (odl_image_info (image), &full, plan->details),
  };
  bool ok = true;

  *load = (OdlBenchLoad){ 0 };
  odl_view_layout (&show.view, geometry->width, geometry->height);
  if (headless != NULL) {
    show.canvas = odl_gl_canvas_new (error);
    if (show.canvas != NULL)
      show.offscreen = odl_gl_offscreen_new (geometry->width, geometry->height, error);
    ok = show.offscreen != NULL;
  }
  ok = ok && measure (&show, params, load, error);
  odl_image_unref (show.images[1]);
  odl_gl_offscreen_free (show.offscreen);
  odl_gl_canvas_free (show.canvas);
  return ok;
}
