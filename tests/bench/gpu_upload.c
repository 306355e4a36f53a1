// SPDX-License-Identifier: MIT
// Times new frames of 8-bit samples and of single floats on the engine gl-compute:
// 3-level CDF 9/7 analysis, shrinkage, synthesis. `bus`: the samples go to the GPU and no
// more is done; `compute`: frames that lie there; `in ring`: frames that a source wrote
// into the mapped ring, uploaded and computed one after the other; `overlapped`: each
// announced, so that it travels beside the work on the one before; `copied`: as `in
// ring`, from ordinary memory; `renewed`: as `overlapped`, but each frame lies in a block
// that the ring has lent anew, as a source does that keeps up: then fences are waited
// for, too, and looked at (`overlapped` keeps the same blocks in turn). The shares are
// `overlapped` and `renewed` by the larger of bus and compute. Frames follow each other
// without a pause; prints a Markdown table of microseconds per frame, the least of
// several rounds. Announced frames are compared with others, sample by sample.
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
  int outside; // frames of the last round that found no block of the ring
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

// Gives the block of the frame before back and takes whichever is free.
static bool
run_renewed (Bench *b, int frame, GError **error)
{
  OdlImage **before = &b->ring[(frame + b->frames - 1) % b->frames];
  void *samples;

  if (frame == 0)
    b->outside = 0;
  g_clear_pointer (before, odl_image_unref);
  *before
      = odl_image_alloc_in (b->pool, odl_image_info (b->ordinary[0]), &samples, error);
  if (*before == NULL)
    return false;
  b->outside += odl_image_block (*before) == NULL;
  return run_overlapped (b, frame, error);
}

static bool
run_ordinary (Bench *b, int frame, GError **error)
{
  return odl_engine_run (b->engine, b->plan, b->ordinary[frame], error);
}

// The last of some frames, of which `function` runs each.
static OdlImage *
result_after (Bench *b, FrameFunction function, int frames, GError **error)
{
  for (int i = 0; i < frames; i++)
    if (!function (b, i % b->frames, error))
      return NULL;
  odl_engine_prefetch (b->engine, NULL);
  return b->engine->klass->read_back (b->engine, b->plan, b->plan->result, error);
}

// Announced frames give the picture that others give.
static bool
check (Bench *b, GError **error)
{
  for (int more = 1; more <= b->frames; more++) {
    const int frames = 2 * b->frames + more;
    g_autoptr (OdlImage) expected = result_after (b, run_ring, frames, error);
    g_autoptr (OdlImage) got
        = expected != NULL ? result_after (b, run_overlapped, frames, error) : NULL;
    if (got == NULL)
      return false;
    const OdlExtent *extent = &odl_image_info (got)->extent;
    if (memcmp (odl_image_info (expected)->planes[0].data,
                odl_image_info (got)->planes[0].data,
                (size_t) extent->x * extent->y * sizeof (float))
        != 0) {
      g_set_error (error, ODL_ERROR, ODL_ERROR_GPU,
                   "%d announced frames of %d × %d give another picture", frames,
                   extent->x, extent->y);
      return false;
    }
  }
  return true;
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

// The same texture for each frame, so many rows further up: no sample stays as it was.
static void
write_frame (const Bench *b, const OdlImage *texture, int rows, char *samples)
{
  const OdlImageInfo *info = odl_image_info (texture);
  const char *all = info->planes[0].data;
  const size_t above = (size_t) rows * b->bytes / info->extent.y;

  memcpy (samples, all + above, b->bytes - above);
  memcpy (samples + b->bytes - above, all, above);
}

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
    write_frame (b, texture, 37 * i, samples);
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
      = { send, compute, run_ring, run_overlapped, run_ordinary, run_renewed };
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
  if (!check (b, error))
    return false;
  glBindBuffer (GL_COPY_WRITE_BUFFER, b->target);
  glBufferData (GL_COPY_WRITE_BUFFER, (GLsizeiptr) b->bytes, NULL, GL_DYNAMIC_COPY);
  for (size_t i = 0; i < G_N_ELEMENTS (functions); i++) {
    us[i] = measure (b, functions[i], error);
    if (us[i] < 0)
      return false;
  }
  odl_engine_prefetch (b->engine, NULL);
  g_print (
      "| %d² | %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.2f | %.1f | %.2f |\n",
      side, type == ODL_SAMPLE_F32 ? "f32" : "u8", us[0],
      (double) b->bytes / us[0] / 1000, us[1], us[2], us[3], us[4],
      us[3] / MAX (us[0], us[1]), us[5], us[5] / MAX (us[0], us[1]));
  if (b->outside > 0)
    g_printerr ("%d of %d renewed frames found no block of the ring\n", b->outside,
                b->turns);
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
      "share | renewed | share |\n"
      "| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n",
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
