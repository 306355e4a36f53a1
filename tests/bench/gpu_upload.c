// SPDX-License-Identifier: MIT
// Times new frames of 8-bit samples and of single floats on the engine gl-compute:
// 3-level CDF 9/7 analysis, shrinkage, synthesis. `bus`: the samples go to the GPU and no
// more is done; `compute`: frames that lie there; `in ring`: frames that a source wrote
// into the mapped ring, uploaded and computed one after the other; `overlapped`: each
// announced, so that it travels beside the work on the one before; `copied`: as `in
// ring`, from ordinary memory. The share is `overlapped` by the larger of bus and
// compute. Frames follow each other without a pause; prints a Markdown table of
// microseconds per frame, the least of several rounds.
#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bench.h"
#include "engine/gl/compute.h"
#include "engine/gl/headless.h"
#include "engine/gl/ring.h"

#define FRAMES 4 // that are in turn, if a ring holds them
#define RING_BYTES ((size_t) 512 << 20)
#define ROUNDS 7

typedef struct {
  OdlEngine *engine;
  OdlPlan *plan;
  OdlImagePool *pool;
  OdlImage *ring[FRAMES];
  OdlImage *ordinary[FRAMES];
  GLuint target; // of copies
  size_t bytes;
  int frames; // in turn
  int turns; // frames of a round
} Bench;

typedef bool (*FrameFunction) (Bench *bench, int frame, GError **error);

static bool
send (Bench *b, int frame, GError **error)
{
  OdlGlRingPlace place;

  if (!odl_gl_ring_find (b->pool, b->ring[frame], &place)) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_GPU, "the frame lies in no ring");
    return false;
  }
  glBindBuffer (GL_COPY_READ_BUFFER, place.buffer);
  glBindBuffer (GL_COPY_WRITE_BUFFER, b->target);
  glCopyBufferSubData (GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER,
                       (GLintptr) place.offset_bytes, 0, (GLsizeiptr) b->bytes);
  return true;
}

static bool
compute (Bench *b, int frame, GError **error)
{
  odl_gl_compute_repeat (b->engine, false);
  return true;
}

static bool
run_ring (Bench *b, int frame, GError **error)
{
  return odl_engine_run (b->engine, b->plan, b->ring[frame], error);
}

static bool
run_overlapped (Bench *b, int frame, GError **error)
{
  odl_engine_prefetch (b->engine, b->ring[(frame + 1) % b->frames]);
  return run_ring (b, frame, error);
}

static bool
run_ordinary (Bench *b, int frame, GError **error)
{
  return odl_engine_run (b->engine, b->plan, b->ordinary[frame], error);
}

// Microseconds per frame; negative on failure.
static double
measure (Bench *b, FrameFunction function, GError **error)
{
  double least = G_MAXDOUBLE;

  for (int round = 0; round < ROUNDS; round++) {
    glFinish ();
    const int64_t start = g_get_monotonic_time ();
    for (int i = 0; i < b->turns; i++)
      if (!function (b, i % b->frames, error))
        return -1;
    glFinish ();
    least = MIN (least, (double) (g_get_monotonic_time () - start) / b->turns);
  }
  return least;
}

static OdlImage *
as_floats (const OdlImage *image, GError **error)
{
  OdlImageInfo info = { .extent = odl_image_info (image)->extent,
                        .channels = 1,
                        .type = ODL_SAMPLE_F32,
                        .stored_max = 1 };
  float *samples;
  OdlImage *floats = odl_image_alloc (&info, (void **) &samples, error);

  for (int y = 0; floats != NULL && y < info.extent.y; y++)
    odl_image_scaled_row (image, 0, y, 0, 0, samples + (size_t) y * info.extent.x);
  return floats;
}

// Each frame with a shade of its own.
static bool
make_frames (Bench *b, int side, OdlSampleType type, GError **error)
{
  g_autoptr (OdlImage) texture = odl_bench_texture (side, side, 1, error);
  size_t made = 0;

  if (texture == NULL)
    return false;
  if (type == ODL_SAMPLE_F32) {
    OdlImage *floats = as_floats (texture, error);
    if (floats == NULL)
      return false;
    odl_image_unref (texture);
    texture = floats;
  }
  const OdlImageInfo *info = odl_image_info (texture);
  for (int i = 0; i < b->frames; i++) {
    void *samples;
    b->ordinary[i] = odl_image_alloc (info, &samples, error);
    if (b->ordinary[i] == NULL)
      return false;
    memcpy (samples, info->planes[0].data, b->bytes);
    memset (samples, i, b->bytes / (size_t) side);
    // The ring grows when it is asked in vain.
    for (int attempt = 0; attempt < 16; attempt++) {
      odl_image_unref (b->ring[i]);
      b->ring[i] = odl_image_alloc_in (b->pool, info, &samples, error);
      if (b->ring[i] == NULL || odl_image_block (b->ring[i]) != NULL)
        break;
      odl_gl_ring_tend (b->pool, &made);
    }
    if (b->ring[i] == NULL)
      return false;
    memcpy (samples, odl_image_info (b->ordinary[i])->planes[0].data, b->bytes);
  }
  return true;
}

static bool
measure_side (Bench *b, int side, OdlSampleType type, GError **error)
{
  static const FrameFunction functions[]
      = { send, compute, run_ring, run_overlapped, run_ordinary };
  double us[G_N_ELEMENTS (functions)];
  OdlRecipe recipe;

  b->bytes = (size_t) side * side * odl_sample_size (type);
  b->frames = (int) CLAMP (RING_BYTES / b->bytes, 2, FRAMES);
  b->turns = CLAMP ((64 << 20) / (int) b->bytes, 16, 200);
  odl_recipe_init (&recipe);
  if (!make_frames (b, side, type, error)
      || !odl_recipe_parse (&recipe, "shrinkage:wavelet=cdf97,levels=3 precision=32",
                            error))
    return false;
  const OdlGeometry geometry = odl_geometry_of (b->ordinary[0]);
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, error);
  if (plan == NULL || !odl_engine_prepare (b->engine, plan, error)
      || !odl_engine_run (b->engine, plan, b->ring[0], error))
    return false;
  b->plan = plan;
  glBindBuffer (GL_COPY_WRITE_BUFFER, b->target);
  glBufferData (GL_COPY_WRITE_BUFFER, (GLsizeiptr) b->bytes, NULL, GL_DYNAMIC_COPY);
  for (size_t i = 0; i < G_N_ELEMENTS (functions); i++) {
    us[i] = measure (b, functions[i], error);
    if (us[i] < 0)
      return false;
  }
  odl_engine_prefetch (b->engine, NULL);
  g_print ("| %d² | %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.2f |\n", side,
           type == ODL_SAMPLE_F32 ? "f32" : "u8", us[0], (double) b->bytes / us[0] / 1000,
           us[1], us[2], us[3], us[4], us[3] / MAX (us[0], us[1]));
  return true;
}

static void
drop_frames (Bench *b)
{
  for (int i = 0; i < FRAMES; i++) {
    g_clear_pointer (&b->ring[i], odl_image_unref);
    g_clear_pointer (&b->ordinary[i], odl_image_unref);
  }
}

static bool
measure_all (int largest, GError **error)
{
  g_autoptr (OdlGlHeadless) headless
      = odl_gl_headless_new_for (ODL_GL_API_DESKTOP, error);
  static const OdlSampleType types[] = { ODL_SAMPLE_U8, ODL_SAMPLE_F32 };
  Bench b = { 0 };
  bool ok = true;

  if (headless == NULL)
    return false;
  b.pool = odl_gl_headless_pool (headless);
  b.engine = odl_engine_open (odl_engine_find ("gl-compute"), error);
  if (b.engine == NULL)
    return false;
  b.engine->pool = b.pool;
  glGenBuffers (1, &b.target);
  g_print (
      "%s\n\n| size | samples | bus | GB/s | compute | in ring | overlapped | copied | "
      "share |\n| --- | --- | --: | --: | --: | --: | --: | --: | --: |\n",
      odl_gl_headless_renderer (headless));
  for (int side = 512; side <= largest && ok; side *= 2)
    for (size_t t = 0; t < G_N_ELEMENTS (types) && ok; t++) {
      if (2 * odl_sample_size (types[t]) * side * side >= RING_BYTES)
        continue; // the ring does not hold two of them
      ok = measure_side (&b, side, types[t], error);
      drop_frames (&b);
    }
  glDeleteBuffers (1, &b.target);
  odl_engine_close (b.engine);
  return ok;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  if (measure_all (argc > 1 ? atoi (argv[1]) : 4096, &error))
    return EXIT_SUCCESS;
  g_printerr ("%s\n", error->message);
  return EXIT_FAILURE;
}
