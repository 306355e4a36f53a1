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

// Returns how many bands there are; the smallest that the plan allows.
static int
check (OdlEngine *engine, const char *text, OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  g_autoptr (OdlOperands) operands = odl_operands_new ();
  g_autoptr (OdlImage) second
      = make_noise (info->extent.y, info->channels == 3 ? 1 : 3, ODL_SAMPLE_U8);
  odl_operands_add (operands, "second", second, NULL);
  g_autoptr (OdlPlan) plan = make_plan (text, image, operands);
  const OdlBands bands = odl_bands_of (plan, 1);
  g_autoptr (OdlImage) whole = filter (engine, text, image, operands);
  int n = 0, first = 0;

  for (; bands.own > 0 && first < bands.height; n++) {
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

static OdlEngine *
open_engine (const char *name)
{
  return odl_engine_open (odl_engine_find (name), NULL);
}

static const char *const engines[] = { "cpu", "reference" };

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
  g_autoptr (OdlImage) grey = make_noise (900, 1, ODL_SAMPLE_F32);
  g_autoptr (OdlImage) colour = make_noise (901, 3, ODL_SAMPLE_U8);
  g_autoptr (OdlImage) alpha = make_noise (902, 4, ODL_SAMPLE_U8);

  for (size_t i = 0; i < odl_filter_count () + G_N_ELEMENTS (more); i++) {
    const bool chain = i >= odl_filter_count ();
    const char *text = chain ? more[i - odl_filter_count ()] : odl_filter_at (i)->name;
    if (g_str_equal (text, "decouple")) // five levels reach beyond bands of so few rows
      text = "decouple:levels=2";
    // These measure whole pictures.
    if ((!chain && odl_filter_finds_thresholds (odl_filter_at (i)))
        || g_str_equal (text, "trough-threshold") || g_str_equal (text, "time-gain")
        || g_str_equal (text, "contours") || g_str_equal (text, "bivariate")
        || g_str_equal (text, "bm3d") || g_str_equal (text, "register")
        || g_str_equal (text, "clahe")) {
      g_assert_cmpint (check (engine, text, grey), ==, 0);
      continue;
    }
    g_assert_cmpint (check (engine, text, grey), >, 2);
    g_assert_cmpint (check (engine, text, colour), >, 2);
    g_assert_cmpint (check (engine, text, alpha), >, 2);
  }
}

// All wavelets with all borders, at heights of every kind in turn.
static void
test_wavelets (gconstpointer name)
{
  g_autoptr (OdlEngine) engine = open_engine (name);

  for (int height = 1024; height < 1028; height++) {
    g_autoptr (OdlImage) image = make_noise (height, 1, ODL_SAMPLE_U8);
    for (size_t w = 0; w < odl_wavelet_count (); w++)
      for (OdlBorder border = 0; border < ODL_N_BORDERS; border++) {
        const OdlWavelet *wavelet = odl_wavelet_at (w);
        if ((wavelet->borders & 1u << border) == 0 || (w + (size_t) height) % 2 != 0)
          continue;
        g_autofree char *text = g_strdup_printf (
            "hard-threshold:wavelet=%s,levels=2,transform=%s,threshold=0.1 border=%s",
            wavelet->name, odl_transform_names[w / 2 % ODL_N_TRANSFORMS],
            odl_border_names[border + 1]);
        const int bands = check (engine, text, image);
        if (w / 2 % ODL_N_TRANSFORMS == ODL_TRANSFORM_DUAL_TREE && !wavelet->reversible)
          g_assert_cmpint (bands, ==,
                           0); // what its lines begin with depends on their length
        else
          g_assert_cmpint (bands, >, 1);
      }
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
