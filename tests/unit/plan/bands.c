// SPDX-License-Identifier: MIT
// Pictures that are filtered in bands of rows are those that are filtered as a whole, bit
// by bit.
#include <string.h>

#include "engine/engine.h"
#include "image/rows.h"
#include "plan/bands.h"

#include "../../helpers/images.h"
#include "../../helpers/plans.h"

#define WIDTH 23 // a vector, and some samples more
#define TALL 4096 // rows enough for bands of any plan

static OdlImage *
make_noise (int height, int channels, OdlSampleType type)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) (height + channels));
  void *samples;
  OdlImage *image = odl_test_image (WIDTH, height, channels, type, &samples);
  const size_t n = (size_t) WIDTH * height * channels;

  for (size_t i = 0; i < n; i++)
    if (type == ODL_SAMPLE_F32)
      ((float *) samples)[i] = (float) g_rand_double (random);
    else
      ((uint8_t *) samples)[i] = (uint8_t) g_rand_int (random);
  return image;
}

static OdlPlan *
make_plan (const char *text, const OdlImage *image, OdlOperands *operands)
{
  OdlGeometry geometry = odl_geometry_of (image);
  OdlRecipe recipe = odl_test_recipe (text);

  geometry.operands = operands;
  for (int i = 0; i < recipe.n_items; i++)
    if (odl_filter_file (recipe.items[i].filter) != NULL)
      odl_recipe_set_file (&recipe, i, "second");
  return odl_test_plan_of (&recipe, &geometry);
}

static OdlImage *
filter (OdlEngine *engine, const char *text, OdlImage *image, OdlOperands *operands)
{
  g_autoptr (OdlPlan) plan = make_plan (text, image, operands);
  g_autoptr (GError) error = NULL;

  // A take of its own, as that of a still.
  engine->moment = (OdlMoment){ engine->moment.take + 1, 1 };
  OdlImage *result = odl_engine_show (engine, plan, image, &error);
  g_assert_no_error (error);
  return result;
}

static float
sample_of (const OdlImage *image, int c, int x, int y)
{
  const OdlPlane *plane = &odl_image_info (image)->planes[c];
  float value;

  memcpy (&value,
          (const char *) plane->data + (size_t) y * plane->row_stride_bytes
              + (size_t) x * plane->sample_stride_bytes,
          sizeof value);
  return value;
}

static void
check_band (const OdlImage *whole,
            const OdlImage *part,
            const OdlBand *band,
            const char *text)
{
  const int channels = odl_image_info (whole)->channels;

  g_assert_cmpint (odl_image_info (part)->channels, ==, channels);
  for (int c = 0; c < channels; c++)
    for (int y = band->first; y < band->end; y++)
      for (int x = 0; x < WIDTH; x++) {
        const float a = sample_of (whole, c, x, y);
        const float b = sample_of (part, c, x, y - band->top);
        if (memcmp (&a, &b, sizeof a) != 0)
          g_error ("%s: channel %d, column %d, row %d of %d … %d is %g instead of %g",
                   text, c, x, y, band->first, band->end, (double) b, (double) a);
      }
}

static OdlOperands *
make_operands (int height, int channels)
{
  OdlOperands *operands = odl_operands_new ();
  g_autoptr (OdlImage) second = make_noise (height, channels == 3 ? 1 : 3, ODL_SAMPLE_U8);

  odl_operands_add (operands, "second", second, NULL);
  return operands;
}

// Filters a picture as a whole and in bands, and returns how many there are.
static int
check_rows (OdlEngine *engine, const char *text, const OdlBands *like, OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  g_autoptr (OdlOperands) operands = make_operands (info->extent.y, info->channels);
  g_autoptr (OdlPlan) plan = make_plan (text, image, operands);
  const OdlBands bands = odl_bands_of (plan, 1);
  g_autoptr (OdlImage) whole = filter (engine, text, image, operands);
  int n = 0;

  g_assert_cmpint (bands.own, ==, like->own);
  for (int first = 0; first < bands.height; n++) {
    const OdlBand band = odl_bands_cut (&bands, first);
    g_autoptr (GError) error = NULL;
    g_assert_cmpint (band.first, ==, first);
    g_autoptr (OdlImage) rows
        = odl_image_some_rows (image, band.from, band.to, band.tail, &error);
    g_assert_no_error (error);
    g_autoptr (OdlOperands) cut = NULL;
    odl_operands_some_rows (operands, bands.height, band.from, band.to, band.tail, &cut,
                            &error);
    g_assert_no_error (error);
    g_autoptr (OdlImage) part = filter (engine, text, rows, cut);
    check_band (whole, part, &band, text);
    first = band.end;
  }
  return n;
}

// The smallest bands that a plan allows.
static OdlBands
bands_of_tall (const char *text, int channels, OdlSampleType type)
{
  void *samples;
  g_autoptr (OdlImage) image = odl_test_image (WIDTH, TALL, channels, type, &samples);
  g_autoptr (OdlOperands) operands = make_operands (TALL, channels);
  g_autoptr (OdlPlan) plan = make_plan (text, image, operands);

  return odl_bands_of (plan, 1);
}

// A picture of three bands and, below them, the fewest rows that are a band of their own
// and `extra` more; with fewer than those the third one takes them.
static void
check (OdlEngine *engine, const char *text, int channels, OdlSampleType type, int extra)
{
  const OdlBands bands = bands_of_tall (text, channels, type);
  const int rest = MAX (bands.more, 1) + extra;

  g_test_message ("%s, %d channels, %d rows more", text, channels, extra);
  g_assert_cmpint (bands.own, >, 0);
  g_autoptr (OdlImage) image = make_noise (3 * bands.own + rest, channels, type);
  const int n = check_rows (engine, text, &bands, image);
  g_assert_true (extra < 0 ? n == 3 : n > 3);
}

static OdlEngine *
open_engine (const char *name)
{
  return odl_engine_open (odl_engine_find (name), NULL);
}

static const char *const engines[] = { "cpu", "reference" };

// Whether it measures whole pictures.
static bool
measures_whole (const OdlFilter *filter)
{
  static const char *const names[]
      = { "trough-threshold", "time-gain", "contours", "bivariate", "bm3d",
          "register",         "clahe",     NULL };

  return odl_filter_finds_thresholds (filter) || g_strv_contains (names, filter->name);
}

// What takes the reference long, with a shorter reach: the engine cpu runs it as it
// comes.
static const char *
short_form (const char *text)
{
  return g_str_equal (text, "non-local-means") ? "non-local-means:patch=3,search=7"
         : g_str_equal (text, "srad")          ? "srad:steps=9"
                                               : text;
}

static void
test_filters (gconstpointer name)
{
  static const char *const more[] = { "gaussian:sigma=3 shrinkage sharpen:neighbours=8",
                                      "soft-threshold:wavelet=int53,levels=2 colour=luma",
                                      "shrinkage:levels=4 colour=luma",
                                      "gaussian colour=luma",
                                      "sharpen shrinkage:transform=stationary",
                                      "shrinkage shrinkage:wavelet=cdf53 persistence",
                                      "gaussian mix shrinkage border=periodic",
                                      "convolve:border=periodic mix",
                                      "gaussian convolve:shape=gaussian,size=17",
                                      "mix colour=luma" };
  g_autoptr (OdlEngine) engine = open_engine (name);

  for (size_t i = 0; i < odl_filter_count () + G_N_ELEMENTS (more); i++) {
    const bool chain = i >= odl_filter_count ();
    const char *text = chain ? more[i - odl_filter_count ()] : odl_filter_at (i)->name;
    if (g_str_equal (name, "reference"))
      text = short_form (text);
    if (chain || !measures_whole (odl_filter_at (i))) {
      check (engine, text, 1, ODL_SAMPLE_F32, -1);
      check (engine, text, 3, ODL_SAMPLE_U8, 0);
      check (engine, text, 4, ODL_SAMPLE_U8, 1);
    } else
      g_assert_cmpint (bands_of_tall (text, 1, ODL_SAMPLE_F32).own, ==, 0);
  }
}

// What its lines begin with depends on their length.
static bool
sees_all_rows (const OdlWavelet *wavelet, int transform)
{
  return transform == ODL_TRANSFORM_DUAL_TREE && !wavelet->reversible;
}

// All wavelets with all borders, at heights of every kind in turn.
static void
test_wavelets (gconstpointer name)
{
  g_autoptr (OdlEngine) engine = open_engine (name);

  for (int extra = -2; extra < 2; extra++)
    for (size_t w = 0; w < odl_wavelet_count (); w++)
      for (OdlBorder border = 0; border < ODL_N_BORDERS; border++) {
        const OdlWavelet *wavelet = odl_wavelet_at (w);
        const int transform = (int) w / 2 % ODL_N_TRANSFORMS;
        if ((wavelet->borders & 1u << border) == 0 || ((int) w + extra) % 2 != 0)
          continue;
        g_autofree char *text = g_strdup_printf (
            "hard-threshold:wavelet=%s,levels=2,transform=%s,threshold=0.1 border=%s",
            wavelet->name, odl_transform_names[transform], odl_border_names[border + 1]);
        if (sees_all_rows (wavelet, transform))
          g_assert_cmpint (bands_of_tall (text, 1, ODL_SAMPLE_U8).own, ==, 0);
        else
          check (engine, text, 1, ODL_SAMPLE_U8, extra);
      }
}

// Coefficients do not lie row by row; so many levels see all rows; small pictures gain
// nothing.
static void
test_whole (void)
{
  g_autoptr (OdlImage) image = make_noise (512, 1, ODL_SAMPLE_U8);
  g_autoptr (OdlPlan) view = make_plan ("shrinkage view=analysis", image, NULL);
  g_autoptr (OdlPlan) deep = make_plan ("shrinkage:levels=7", image, NULL);
  g_autoptr (OdlPlan) placed
      = make_plan ("shrinkage:transform=stationary view=analysis", image, NULL);
  g_autoptr (OdlPlan) usual = make_plan ("shrinkage", image, NULL);

  g_assert_cmpint (odl_bands_of (view, 1).own, ==, 0);
  g_assert_cmpint (odl_bands_of (placed, 1).own, ==, 0);
  g_assert_cmpint (odl_bands_of (deep, 1).own, ==, 0);
  g_assert_cmpint (odl_bands_of (usual, 1).own, >, 0);
  g_assert_cmpint (odl_bands_of (usual, ODL_BAND_BYTES).own, ==, 0);
}

typedef struct {
  OdlRows rows;
  OdlImage *whole;
} Parts;

static bool
next_part (OdlRows *rows, GError **error)
{
  Parts *parts = (Parts *) rows;

  odl_image_unref (rows->image);
  rows->first = rows->end;
  rows->end = MIN (rows->first + 10, rows->height);
  rows->top = MAX (rows->first - 3, 0);
  rows->image = odl_image_some_rows (parts->whole, rows->top, rows->end, 0, error);
  return true;
}

// Interleaved rows become planes.
static void
test_gather (void)
{
  g_autoptr (OdlImage) image = make_noise (33, 3, ODL_SAMPLE_F32);
  Parts parts = { { .height = 33, .next = next_part }, image };

  const bool has_first = next_part (&parts.rows, NULL);
  g_assert_true (has_first);
  g_autoptr (OdlImage) gathered = odl_rows_gather (&parts.rows, NULL);
  const OdlBand all = { .end = 33 };
  check_band (image, gathered, &all, "gathered");
  g_clear_pointer (&parts.rows.image, odl_image_unref);
}

int
main (int argc, char **argv)
{
  // By Fourier transforms parts have other roundings than the whole, and from what size
  // on these are taken depends on how long the processor's vectors are.
  g_setenv ("ODL_CPU", "direct", FALSE);
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (engines); i++) {
    g_autofree char *filters = g_strconcat ("/plan/bands/filters/", engines[i], NULL);
    g_autofree char *wavelets = g_strconcat ("/plan/bands/wavelets/", engines[i], NULL);
    g_test_add_data_func (filters, engines[i], test_filters);
    g_test_add_data_func (wavelets, engines[i], test_wavelets);
  }
  g_test_add_func ("/plan/bands/whole", test_whole);
  g_test_add_func ("/plan/bands/gather", test_gather);
  return g_test_run ();
}
