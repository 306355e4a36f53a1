// SPDX-License-Identifier: MIT
// An engine against the reference with wavelets of every kind, every border, sizes and
// formats of samples; what it cannot, it refuses in words. The proof test walks the whole
// table.
//
// A software rasteriser compiles every program, and every program again for the sizes of
// its textures: that is what these tests cost. So wavelets, sizes and formats make a
// Latin square, in which each pair of two of them meets once: a third of the sizes for
// each wavelet and border, another third in the next format. With “-m thorough” all meet
// all.
#include <string.h>

#include "base/error.h"
#include "fixture.h"

static const int sizes[][2]
    = { { 1, 1 },  { 1, 5 },   { 6, 1 },   { 2, 3 },   { 3, 2 },   { 5, 7 },
        { 8, 12 }, { 13, 16 }, { 31, 33 }, { 64, 47 }, { 67, 66 }, { 90, 101 } };

// Symmetric of odd and even length, whole numbers, not symmetric of few and many taps.
static const char *const wavelets[]
    = { "cdf97", "cdf53", "int53", "haar", "db4", "coif5", "bior1.3", "bior6.8" };

// Of each in turn one is smaller than most filters, one is large, and the coarse levels
// of the large ones are as small as the small ones.
#define GROUPS 3

typedef struct {
  int channels, precision;
  double bound;
} Format;

static const Format formats[] = { { 1, 32, 1e-5 }, { 1, 16, 4e-3 }, { 3, 32, 1e-5 } };

static const char *
border_name (int border)
{
  return odl_border_names[border + 1]; // "auto" comes first
}

static void
check_plan (OdlEngine *engine, const char *recipe, OdlImage *image, double bound)
{
  const OdlImageInfo *info = odl_image_info (image);
  g_autoptr (OdlPlan) plan = odl_gl_test_plan (recipe, image);
  g_autoptr (GError) error = NULL;

  if (!odl_engine_can_run (engine->klass, plan, NULL)) {
    g_assert_false (odl_engine_prepare (engine, plan, &error));
    g_assert_error (error, ODL_ERROR, ODL_ERROR_UNSUPPORTED);
    g_assert_nonnull (strstr (error->message, engine->klass->name));
    return;
  }
  const double distance = odl_gl_test_distance (engine, recipe, image, true);
  if (!(distance <= bound))
    g_test_message ("%d × %d, %d channels, %s: %g", info->extent.x, info->extent.y,
                    info->channels, recipe, distance);
  g_assert_cmpfloat (distance, <=, bound);
}

// The sizes of a group, or all where there is time.
static void
check_wavelet (OdlEngine *engine,
               const OdlWavelet *wavelet,
               OdlBorder border,
               const Format *format,
               size_t group)
{
  const size_t step = g_test_thorough () ? 1 : GROUPS;

  for (size_t s = group % step; s < G_N_ELEMENTS (sizes); s += step) {
    g_autoptr (OdlImage) image = odl_gl_test_noise (sizes[s][0], sizes[s][1],
                                                    format->channels, ODL_SAMPLE_U8, 3);
    g_autofree char *recipe = g_strdup_printf (
        "soft-threshold:wavelet=%s,levels=16,threshold=0.03 border=%s precision=%d",
        wavelet->name, border_name (border), format->precision);
    check_plan (engine, recipe, image, format->bound);
  }
}

// One text of shaders serves both APIs: grey in 32 bits is for desktop; of the other two
// formats each API sees one with each wavelet and border, by turns.
static bool
is_wanted (size_t turn, size_t format)
{
  const bool desktop = odl_gl_test_api () == ODL_GL_API_DESKTOP;

  if (g_test_thorough ())
    return true;
  return format == 0 ? desktop : ((turn + format) % 2 == 0) == desktop;
}

static void
check_format (size_t format)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  size_t turn = 0;

  for (size_t w = 0; w < G_N_ELEMENTS (wavelets); w++) {
    const OdlWavelet *wavelet = odl_wavelet_find (wavelets[w]);
    for (int border = 0; border < ODL_N_BORDERS; border++)
      if (wavelet->borders & 1u << border && is_wanted (turn++, format))
        check_wavelet (engine, wavelet, (OdlBorder) border, &formats[format],
                       turn + format);
  }
}

// In every way that an engine has, wavelets of every kind.
static void
variants (void)
{
  static const char *const names[] = { "cdf97", "int53", "haar" };
  OdlEngine *engine = odl_gl_test_shared_engine ();
  const OdlEngineVariant *v = engine->klass->variants;
  const bool all = g_test_thorough () || odl_gl_test_api () == ODL_GL_API_DESKTOP;
  const size_t n = all ? G_N_ELEMENTS (names) : 1;
  size_t turn = 0;

  for (; v != NULL && v->name != NULL; v++) {
    if (v->inexact)
      continue;
    g_assert_true (odl_gl_test_choose (engine, v->name));
    for (size_t w = 0; w < n; w++) {
      const OdlWavelet *wavelet = odl_wavelet_find (names[w]);
      for (int border = 0; border < ODL_N_BORDERS; border++)
        if (wavelet->borders & 1u << border && (turn++ % GROUPS == 0 || all))
          check_wavelet (engine, wavelet, (OdlBorder) border, &formats[0], turn);
    }
  }
}

static void
grey_32 (void)
{
  check_format (0);
}

static void
grey_16 (void)
{
  check_format (1);
}

static void
colour_32 (void)
{
  check_format (2);
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "wavelets/grey-agree-with-the-reference", grey_32, NULL, true },
    { "wavelets/grey-in-16-bits-agree-with-the-reference", grey_16 },
    { "wavelets/colour-agree-with-the-reference", colour_32 },
    { "wavelets/variants-agree-with-the-reference", variants, "gl-fragment" },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
