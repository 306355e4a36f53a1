// SPDX-License-Identifier: MIT
// An engine against the reference on every size 1 … 67.
#include "fixture.h"

#define MOST 67

// Of every kind.
static const char *const wavelets[] = { "cdf97", "cdf53" };

static void
check (OdlEngine *engine, int width, int height, int channels, int precision)
{
  const double bound = precision == 16 ? 2e-3 : 1e-5;
  g_autoptr (OdlImage) image
      = odl_gl_test_noise (width, height, channels, ODL_SAMPLE_U8, width * 100 + height);

  for (size_t w = 0; w < G_N_ELEMENTS (wavelets); w++) {
    g_autofree char *recipe
        = g_strdup_printf ("soft-threshold:wavelet=%s,levels=16,threshold=0.05 "
                           "precision=%d",
                           wavelets[w], precision);
    const double distance = odl_gl_test_distance (engine, recipe, image, false);
    if (distance > bound)
      g_test_message ("%d × %d, %d channels, %s: %g", width, height, channels, recipe,
                      distance);
    g_assert_cmpfloat (distance, <=, bound);
  }
}

// Every size on desktop OpenGL, some on GLES, which has the same text of shaders.
static void
check_sizes (int channels, int precision, const char *variant)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  const bool all = odl_gl_test_api () == ODL_GL_API_DESKTOP;

  odl_gl_test_choose (engine, variant);
  for (int n = 1; n <= MOST; n += all ? 1 : 11) {
    check (engine, n, n, channels, precision);
    check (engine, n, MOST + 1 - n, channels, precision);
    check (engine, 1, n, channels, precision);
    check (engine, n, 1, channels, precision);
  }
}

static void
grey_32 (void)
{
  check_sizes (1, 32, "quads");
}

static void
grey_16 (void)
{
  check_sizes (1, 16, "quads");
}

static void
colour_32 (void)
{
  check_sizes (3, 32, "quads");
}

static void
colour_16 (void)
{
  check_sizes (3, 16, "quads");
}

static void
other_way (void)
{
  check_sizes (1, 32, odl_gl_test_shared_engine ()->klass->variants[1].name);
}

static void
packed_32 (void)
{
  check_sizes (1, 32, "packed");
}

static void
packed_16 (void)
{
  check_sizes (1, 16, "packed");
}

static void
packed_colour_32 (void)
{
  check_sizes (3, 32, "packed");
}

static void
packed_colour_16 (void)
{
  check_sizes (3, 16, "packed");
}

int
main (int argc, char **argv)
{
  static const OdlGlTest tests[] = {
    { "sizes/grey-in-32-bits-agrees-with-the-reference", grey_32 },
    { "sizes/grey-in-16-bits-agrees-with-the-reference", grey_16 },
    { "sizes/colour-in-32-bits-agrees-with-the-reference", colour_32 },
    { "sizes/colour-in-16-bits-agrees-with-the-reference", colour_16 },
    { "sizes/other-way-agrees-with-the-reference", other_way, "gl-compute" },
    { "sizes/packed-agrees-with-the-reference", packed_32, "gl-fragment" },
    { "sizes/packed-in-16-bits-agrees-with-the-reference", packed_16, "gl-fragment" },
    { "sizes/packed-colour-agrees-with-the-reference", packed_colour_32, "gl-fragment" },
    { "sizes/packed-colour-in-16-bits-agrees-with-the-reference", packed_colour_16,
      "gl-fragment" },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
