// SPDX-License-Identifier: MIT
// An engine against the reference on every size 1 … 67.
#include "fixture.h"

#define MOST 67

// Squares, oblongs, lines and columns.
static void
check_shape (OdlEngine *engine, int shape, int n, int channels, int precision)
{
  const int sizes[][2] = { { n, n }, { n, MOST + 1 - n }, { 1, n }, { n, 1 } };

  odl_gl_test_check_size (engine, sizes[shape][0], sizes[shape][1], channels, precision);
}

// Every size on desktop OpenGL. On GLES, which has the same text of shaders, some sizes,
// and grey in one precision, colour in the other. Each shape of each size is grey in one
// precision and colour in the other, since a size goes wrong in both or in neither.
static void
check_sizes (int channels, int precision, const char *variant)
{
  OdlEngine *engine = odl_gl_test_shared_engine ();
  const bool all = odl_gl_test_api () == ODL_GL_API_DESKTOP;

  odl_gl_test_choose (engine, variant);
  for (int n = 1; n <= MOST; n += all ? 1 : 11)
    for (int shape = 0; shape < 4; shape++)
      if ((n + shape + (channels == 3) + (precision == 16)) % 2 == 0)
        check_shape (engine, shape, n, channels, precision);
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
  const char *variant = odl_gl_test_shared_engine ()->klass->variants[1].name;

  check_sizes (1, 32, variant);
  if (odl_gl_test_api () == ODL_GL_API_DESKTOP)
    check_sizes (3, 32, variant);
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
    { "sizes/grey-in-16-bits-agrees-with-the-reference", grey_16, NULL, true },
    { "sizes/colour-in-32-bits-agrees-with-the-reference", colour_32, NULL, true },
    { "sizes/colour-in-16-bits-agrees-with-the-reference", colour_16 },
    { "sizes/other-way-agrees-with-the-reference", other_way, "gl-compute" },
    { "sizes/packed-agrees-with-the-reference", packed_32, "gl-fragment" },
    { "sizes/packed-in-16-bits-agrees-with-the-reference", packed_16, "gl-fragment",
      true },
    { "sizes/packed-colour-agrees-with-the-reference", packed_colour_32, "gl-fragment",
      true },
    { "sizes/packed-colour-in-16-bits-agrees-with-the-reference", packed_colour_16,
      "gl-fragment" },
  };

  g_test_init (&argc, &argv, NULL);
  return odl_gl_test_run (tests, G_N_ELEMENTS (tests));
}
