// SPDX-License-Identifier: MIT
// Times the engine gl-compute on a picture that lies on the GPU already: 3-level CDF 9/7
// analysis, shrinkage, synthesis; and the synthesis alone, as for a moved slider. Frames
// follow each other without a pause, so that the clock of the GPU is up. A query per
// frame makes the GPU wait at both its ends; a series of frames within one does not.
// Prints a Markdown table of microseconds. Arguments: sides; or a recipe that takes the
// place of the shrinkage, and sides, "256x256x96" for volumes, or PGM files; before them
// --way=NAME, a variant of the engine, --steps, which tells apart the kinds of steps, and
// --sequence: the files are frames that follow each other, of which the middle one is
// filtered again and again, as one more of the sequence. --colour takes RGB. --frames=N
// measures so many of them, at most 200, where there is no card, and fewer where that
// many take seconds. With a recipe the last columns are a copy of as many floats in the
// same run, and how many of those the frame takes: of 256³,
// "shrinkage:wavelet=cdf97,levels=3,dimensions=3" 256x256x256.
#include <epoxy/gl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "engine/gl/compute/compute.h"
#include "engine/gl/platform/copies.h"
#include "engine/gl/platform/headless.h"
#include "image/beams.h"
#include "image/volume/volume.h"

#define MOST_FRAMES 200
#define COPY_NS 200000000
#define MOST_ROWS 16384 // of a copy
#define MOST_TIMED_FRAMES 24

// A driver that is given more than some ten seconds of work in advance says that it took
// no time, and nothing else (H200: 51 ms a frame were measured with 200, 65 ms were not).
#define MOST_AHEAD_US 2000000
#define FEWEST_FRAMES 5

static bool steps; // tell them apart
static bool in_sequence; // the files are one
static int n_frames = MOST_FRAMES; // of a measurement
static int n_channels = 1; // of pictures that are no files

// The clock falls to a fifth while programs are compiled and pictures made, and takes
// that long to rise again (H200).
#define WARM_UP_US 400000

static int
compare (const void *a, const void *b)
{
  const GLuint64 left = *(const GLuint64 *) a, right = *(const GLuint64 *) b;

  return left < right ? -1 : left > right;
}

// Microseconds of one frame.
typedef struct {
  double median, least; // with a query for each
  double series; // by one query around all
} Times;

static double
measure_series (OdlEngine *engine, int n, bool synthesis_only)
{
  GLuint64 ns = 0;
  GLuint query;

  glGenQueries (1, &query);
  glBeginQuery (GL_TIME_ELAPSED, query);
  for (int i = 0; i < n; i++)
    odl_gl_compute_repeat (engine, synthesis_only);
  glEndQuery (GL_TIME_ELAPSED);
  glGetQueryObjectui64v (query, GL_QUERY_RESULT, &ns);
  glDeleteQueries (1, &query);
  return (double) ns / 1000 / n;
}

static int
frames_to_measure (OdlEngine *engine, bool synthesis_only)
{
  const int64_t begin = g_get_monotonic_time ();

  odl_gl_compute_repeat (engine, synthesis_only);
  glFinish ();
  const int64_t took = MAX (g_get_monotonic_time () - begin, 1);
  return (int) MIN (n_frames, MAX (MOST_AHEAD_US / took, FEWEST_FRAMES));
}

static Times
measure (OdlEngine *engine, bool synthesis_only)
{
  const int n = frames_to_measure (engine, synthesis_only);
  GLuint queries[MOST_FRAMES];
  GLuint64 ns[MOST_FRAMES];

  glGenQueries (n, queries);
  const int64_t end = g_get_monotonic_time () + WARM_UP_US;
  do {
    for (int i = 0; i < n; i++)
      odl_gl_compute_repeat (engine, synthesis_only);
    glFinish ();
  } while (g_get_monotonic_time () < end);
  for (int i = 0; i < n; i++) {
    glBeginQuery (GL_TIME_ELAPSED, queries[i]);
    odl_gl_compute_repeat (engine, synthesis_only);
    glEndQuery (GL_TIME_ELAPSED);
  }
  for (int i = 0; i < n; i++)
    glGetQueryObjectui64v (queries[i], GL_QUERY_RESULT, &ns[i]);
  glDeleteQueries (n, queries);
  qsort (ns, n, sizeof ns[0], compare);
  return (Times){ (double) ns[n / 2] / 1000, (double) ns[0] / 1000,
                  measure_series (engine, n, synthesis_only) };
}

// A grey picture of 8 or 16 bits ("P5").
static OdlImage *
read_pgm (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  gsize length;
  int width, height, most, read = 0;
  void *samples;

  if (!g_file_get_contents (path, &text, &length, error))
    return NULL;
  if (sscanf (text, "P5 %d %d %d%n", &width, &height, &most, &read) != 3 || width < 1
      || height < 1 || width > MOST_ROWS || height > MOST_ROWS)
    g_error ("%s is no PGM file", path);
  const size_t n = (size_t) width * height, bytes = most > 255 ? 2 : 1;
  const OdlImageInfo info = { .extent = { width, height, 1 },
                              .channels = 1,
                              .type = bytes > 1 ? ODL_SAMPLE_U16 : ODL_SAMPLE_U8 };
  OdlImage *image = odl_image_alloc (&info, &samples, error);
  if (image == NULL || length < read + 1 + n * bytes)
    g_error ("%s is cut", path);
  memcpy (samples, text + read + 1, n * bytes);
  for (size_t i = 0; bytes > 1 && i < n; i++)
    ((guint16 *) samples)[i] = GUINT16_FROM_BE (((guint16 *) samples)[i]);
  return image;
}

// Of "512" or "512x333" or "256x256x96"; the slices are equal. Or of a file.
static OdlImage *
make_picture (const char *size, GError **error)
{
  if (g_str_has_suffix (size, ".pgm"))
    return read_pgm (size, error);
  g_auto (GStrv) sides = g_strsplit (size, "x", 3);
  const int n = (int) g_strv_length (sides), width = atoi (sides[0]);
  g_autoptr (OdlImage) slice
      = odl_bench_texture (width, n > 1 ? atoi (sides[1]) : width, n_channels, error);
  void *samples;

  if (slice == NULL || n < 3)
    return g_steal_pointer (&slice);
  OdlImage *volume = odl_volume_alloc (slice, atoi (sides[2]), &samples, error);
  for (int z = 0; volume != NULL && z < atoi (sides[2]); z++)
    odl_volume_put (volume, samples, z, slice);
  return volume;
}

// The same samples as those of a curvilinear array of ±30°, which scan-convert asks for.
static OdlImage *
as_beams (OdlImage *image)
{
  OdlImageInfo info = *odl_image_info (image);

  info.beams = (OdlBeams){ ODL_BEAMS_CURVILINEAR, 60, -M_PI / 6, 0, 0, 1, 0.0385 };
  info.beams.step = -2 * info.beams.first / MAX (info.extent.x - 1, 1);
  return odl_image_with_info (image, &info);
}

// Appends what a copy of the same samples takes, and the row's end.
static bool
print_copies (const OdlImage *image, double frame, GError **error)
{
  const OdlExtent extent = odl_image_info (image)->extent;
  int width = extent.x, height = extent.y * extent.z;
  OdlGlTimes times;

  for (; height > MOST_ROWS && height % 2 == 0; height /= 2)
    width *= 2;
  if (!odl_gl_copy_time (ODL_GL_COPY_BUFFER, width, height, COPY_NS, &times, error))
    return false;
  double us = 0;
  for (int i = 0; i < times.n; i++)
    us = i == 0 ? (double) times.ns[i] / 1000 : MIN (us, (double) times.ns[i] / 1000);
  g_print (" %.1f | %.2f |\n", us, frame / us);
  return true;
}

// What the steps of each kind take together, the least of some frames.
static bool
measure_steps (OdlEngine *engine, const OdlPlan *plan, OdlImage *image, GError **error)
{
  double least[ODL_N_STEP_KINDS], sum[ODL_N_STEP_KINDS];

  for (int k = 0; k < ODL_N_STEP_KINDS; k++)
    least[k] = G_MAXDOUBLE;
  engine->timing = true;
  for (int frame = 0; frame < MIN (n_frames, MOST_TIMED_FRAMES); frame++) {
    if (!odl_engine_run (engine, plan, image, error))
      return false;
    glFinish ();
    memset (sum, 0, sizeof sum);
    for (int i = 0; i < plan->n_steps; i++)
      sum[plan->steps[i].kind] += (double) engine->step_ns[i] / 1000;
    for (int k = 0; k < ODL_N_STEP_KINDS && frame > MIN (n_frames, MOST_TIMED_FRAMES) / 2;
         k++)
      least[k] = MIN (least[k], sum[k]);
  }
  engine->timing = false;
  for (int k = 0; k < ODL_N_STEP_KINDS; k++)
    if (least[k] > 0 && least[k] < G_MAXDOUBLE)
      g_print ("%s %.1f µs; ", odl_step_row ((OdlStepKind) k)->name, least[k]);
  g_print ("\n");
  return true;
}

// The frames about the middle one of `files`, and that one.
static OdlNeighbours *
read_sequence (const char *const *files, OdlImage **middle, GError **error)
{
  const int n = (int) g_strv_length ((char **) files);
  g_autoptr (OdlNeighbours) about = odl_neighbours_new (n / 2, n);

  for (int i = 0; i < n; i++) {
    g_autoptr (OdlImage) picture = make_picture (files[i], error);
    if (picture == NULL)
      return NULL;
    g_autoptr (OdlImage) image = as_beams (picture);
    odl_neighbours_put (about, i, image);
  }
  *middle = odl_image_ref (odl_neighbours_find (about, n / 2));
  return g_steal_pointer (&about);
}

static bool
measure_size (OdlEngine *engine,
              const char *filter,
              const char *const *sizes,
              int precision,
              GError **error)
{
  const char *size = *sizes;
  g_autofree char *text
      = filter != NULL ? g_strdup (filter)
                       : g_strdup_printf ("shrinkage:wavelet=cdf97,levels=3 precision=%d",
                                          precision);
  g_autoptr (OdlImage) middle = NULL;
  g_autoptr (OdlNeighbours) about
      = in_sequence ? read_sequence (sizes, &middle, error) : NULL;
  g_autoptr (OdlImage) picture
      = in_sequence ? g_steal_pointer (&middle) : make_picture (size, error);
  OdlRecipe recipe;

  if (picture == NULL)
    return false;
  // Frames are beams already, and are to stay the same objects.
  g_autoptr (OdlImage) image = in_sequence ? odl_image_ref (picture) : as_beams (picture);
  odl_recipe_init (&recipe);
  if (!odl_recipe_parse (&recipe, text, error))
    return false;
  OdlGeometry geometry = odl_geometry_of (image);
  if (!odl_recipe_is_volumetric (&recipe))
    geometry.depth = 1;
  geometry.neighbours = about;
  g_autoptr (OdlPlan) plan = odl_plan_new (&recipe, &geometry, error);
  if (plan == NULL || !odl_engine_prepare (engine, plan, error)
      || !odl_engine_run (engine, plan, image, error))
    return false;
  const Times frame = measure (engine, false), slider = measure (engine, true);
  g_print ("| %s | %d | %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |", size, precision,
           engine->variant, frame.median, frame.least, frame.series, slider.median,
           slider.least, slider.series);
  if (filter != NULL && !print_copies (image, frame.series, error))
    return false;
  if (filter == NULL)
    g_print ("\n");
  return !steps || measure_steps (engine, plan, image, error);
}

static bool
measure_all (const char *way,
             const char *filter,
             const char *const *sizes,
             GError **error)
{
  static const int precisions[] = { 32, 16 };
  g_autoptr (OdlGlHeadless) headless
      = odl_gl_headless_new_for (ODL_GL_API_DESKTOP, error);
  bool ok = true;

  if (headless == NULL)
    return false;
  OdlEngine *engine = odl_engine_open (odl_engine_find ("gl-compute"), error);
  if (engine == NULL || (way != NULL && !odl_engine_choose (engine, way, error)))
    return false;
  g_print (
      "%s\n\n| size | bits | way | frame, median | least | of a series | slider, median "
      "| "
      "least | of a series |%s\n| --- | --: | --- | --: | --: | --: | --: | --: | --: "
      "|%s\n",
      odl_gl_headless_renderer (headless), filter != NULL ? " copy | copies |" : "",
      filter != NULL ? " --: | --: |" : "");
  for (; *sizes != NULL && ok; sizes += in_sequence ? g_strv_length ((char **) sizes) : 1)
    for (size_t p = 0; p < (filter == NULL ? G_N_ELEMENTS (precisions) : 1) && ok; p++)
      ok = measure_size (engine, filter, sizes, precisions[p], error);
  odl_engine_close (engine);
  return ok;
}

int
main (int argc, char **argv)
{
  static const char *const sizes[] = { "512", "1024", "2048", "4096", "8192", NULL };
  const char *way = NULL;
  for (; argc > 1 && g_str_has_prefix (argv[1], "--"); argv++, argc--)
    if (g_str_has_prefix (argv[1], "--way="))
      way = argv[1] + strlen ("--way=");
    else if (g_str_equal (argv[1], "--colour"))
      n_channels = 3;
    else if (g_str_equal (argv[1], "--sequence"))
      in_sequence = true;
    else if (g_str_has_prefix (argv[1], "--frames="))
      n_frames = CLAMP (atoi (argv[1] + strlen ("--frames=")), 1, MOST_FRAMES);
    else
      steps = g_str_equal (argv[1], "--steps");
  const bool own = argc > 1 && !g_ascii_isdigit (argv[1][0]);
  const char *filter = own ? argv[1] : NULL;
  const char *const *given = (const char *const *) argv + (own ? 2 : 1);
  g_autoptr (GError) error = NULL;

  if (measure_all (way, filter, *given != NULL ? given : sizes, &error))
    return EXIT_SUCCESS;
  g_printerr ("%s\n", error->message);
  return EXIT_FAILURE;
}
