// SPDX-License-Identifier: MIT
// Times what it costs to draw a picture onto the canvas of the CPU: pictures as the
// engine cpu hands them out (planes of floats, luma beside the colour differences of a
// video) and as sources deliver them, at 1:1, made to fit and magnified. Prints
// milliseconds, median and least of some rounds in which all take turns, and the least
// time of all threads together, which says more on a busy machine.
// Arguments: width height (2048 2048) rounds (15) picture (all) view (all).
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/order.h"
#include "base/parallel.h"
#include "image/display/display.h"
#include "image/image.h"

#define MOST_ROUNDS 1000

typedef enum { WOVEN, PLANES, CHROMA } Layout;

typedef struct {
  const char *name;
  Layout layout; // CHROMA: I420, with a luma of `type`
  OdlSampleType type;
  int channels;
} Kind;

static const Kind kinds[] = {
  { "grey f32", PLANES, ODL_SAMPLE_F32, 1 },   { "grey u8", WOVEN, ODL_SAMPLE_U8, 1 },
  { "colour f32", PLANES, ODL_SAMPLE_F32, 3 }, { "RGB f32", WOVEN, ODL_SAMPLE_F32, 3 },
  { "RGB u8", WOVEN, ODL_SAMPLE_U8, 3 },       { "RGBA u8", WOVEN, ODL_SAMPLE_U8, 4 },
  { "RGB u16", WOVEN, ODL_SAMPLE_U16, 3 },     { "I420 u8", CHROMA, ODL_SAMPLE_U8, 3 },
  { "luma f32", CHROMA, ODL_SAMPLE_F32, 3 },
};

typedef struct {
  const char *name;
  double scale; // canvas pixels to a sample
  bool smooth;
} Zoom;

static const Zoom zooms[]
    = { { "1:1", 1, false }, { "fit", 0.35, true }, { "2:1", 2, true } };

typedef struct {
  OdlImage *image;
  const Kind *kind;
  const Zoom *zoom;
  double wall[MOST_ROUNDS], busy;
} Row;

static void
put_sample (void *samples, OdlSampleType type, size_t at, double part)
{
  if (type == ODL_SAMPLE_U8)
    ((uint8_t *) samples)[at] = (uint8_t) (255 * part);
  else if (type == ODL_SAMPLE_U16)
    ((uint16_t *) samples)[at] = (uint16_t) (65535 * part);
  else
    ((float *) samples)[at] = (float) part;
}

static OdlImage *
make_picture (const Kind *kind, int width, int height, GError **error)
{
  const size_t pixels = (size_t) width * height, size = odl_sample_size (kind->type);
  const size_t chroma_at = pixels * kind->channels * size; // room for more than it takes
  char *samples = g_malloc (chroma_at + 2 * pixels);
  OdlImageInfo info = { .extent = { width, height, 1, 1 },
                        .channels = kind->channels,
                        .type = kind->type };

  for (size_t i = 0; i < pixels * kind->channels; i++)
    put_sample (samples, kind->type, i, (double) (i * 7919 % 1009) / 1008);
  memset (samples + chroma_at, 100, 2 * pixels);
  for (int c = 0; c < kind->channels; c++)
    info.planes[c]
        = kind->layout == WOVEN
              ? (OdlPlane){ samples + c * size, kind->channels * size,
                            kind->channels * size * width, 0, 0 }
              : (OdlPlane){ samples + c * pixels * size, size, width * size, 0, 0 };
  if (kind->layout == CHROMA) {
    const size_t across = (width + 1) / 2;
    info.ycbcr = (OdlYcbcr){ .used = true,
                             .shift_x = 1,
                             .shift_y = 1,
                             .kr = 0.2126,
                             .kb = 0.0722,
                             .chroma_type = ODL_SAMPLE_U8 };
    odl_ycbcr_set_range (&info.ycbcr, 8, false);
    if (kind->type == ODL_SAMPLE_F32)
      info.ycbcr.luma_offset = 0, info.ycbcr.luma_range = 1;
    for (int c = 1; c < 3; c++)
      info.planes[c]
          = (OdlPlane){ samples + chroma_at + (c - 1) * pixels, 1, across, 0, 0 };
  }
  return odl_image_wrap (&info, g_free, samples, error);
}

static double
clock_ms (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return 1e3 * (double) time.tv_sec + 1e-6 * (double) time.tv_nsec;
}

static void
draw (Row *row, int round)
{
  const OdlImageInfo *info = odl_image_info (row->image);
  const OdlWindow window = { .mode = ODL_WINDOW_FULL };
  const int width = MAX ((int) (info->extent.x * row->zoom->scale), 1);
  const int height = MAX ((int) (info->extent.y * row->zoom->scale), 1);
  g_autofree uint8_t *canvas = g_malloc0 (4 * (size_t) width * height);
  const OdlDisplayScene scene
      = { .scaled = row->image,
          .display = odl_display_make (info, &window, ODL_NO_DETAILS),
          .smooth = row->zoom->smooth,
          .blue_first = true };
  OdlView view = odl_view_make (info->extent.x, info->extent.y, 1);

  odl_view_layout (&view, width, height);
  memset (canvas, 1, 4 * (size_t) width * height);
  const double wall = clock_ms (CLOCK_MONOTONIC);
  const double busy = clock_ms (CLOCK_PROCESS_CPUTIME_ID);
  odl_display_render_view (&scene, &view, width, height, canvas);
  row->wall[round] = clock_ms (CLOCK_MONOTONIC) - wall;
  const double took = clock_ms (CLOCK_PROCESS_CPUTIME_ID) - busy;
  row->busy = round == 0 ? took : MIN (row->busy, took);
}

static void
print_rows (Row *rows, int n, int rounds)
{
  g_print ("%-12s %-4s %8s %8s %8s\n", "picture", "view", "median", "least", "threads");
  for (int i = 0; i < n; i++) {
    qsort (rows[i].wall, rounds, sizeof rows[i].wall[0], odl_order_doubles);
    g_print ("%-12s %-4s %8.2f %8.2f %8.2f\n", rows[i].kind->name, rows[i].zoom->name,
             rows[i].wall[rounds / 2], rows[i].wall[0], rows[i].busy);
  }
}

int
main (int argc, char **argv)
{
  const int width = argc > 1 ? atoi (argv[1]) : 2048;
  const int height = argc > 2 ? atoi (argv[2]) : 2048;
  const int rounds = CLAMP (argc > 3 ? atoi (argv[3]) : 15, 1, MOST_ROUNDS);
  const char *picture = argc > 4 && !g_str_equal (argv[4], "all") ? argv[4] : NULL;
  const char *view = argc > 5 ? argv[5] : NULL;
  g_autofree Row *rows = g_new0 (Row, G_N_ELEMENTS (kinds) * G_N_ELEMENTS (zooms));
  int n = 0;

  if (width < 1 || height < 1)
    return 2;
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autoptr (GError) error = NULL;
    if (picture != NULL && !g_str_equal (picture, kinds[i].name))
      continue;
    g_autoptr (OdlImage) image = make_picture (&kinds[i], width, height, &error);
    if (image == NULL) {
      g_printerr ("%s: %s\n", kinds[i].name, error->message);
      return 1;
    }
    for (size_t z = 0; z < G_N_ELEMENTS (zooms); z++)
      if (view == NULL || g_str_equal (view, zooms[z].name))
        rows[n++] = (Row){ odl_image_ref (image), &kinds[i], &zooms[z], { 0 }, 0 };
  }
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < n; i++)
      draw (&rows[i], round);
  g_print ("%d x %d, %d threads, ms to draw it on the CPU's canvas\n", width, height,
           odl_parallel_threads ());
  print_rows (rows, n, rounds);
  for (int i = 0; i < n; i++)
    odl_image_unref (rows[i].image);
  return 0;
}
