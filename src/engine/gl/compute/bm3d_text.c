// SPDX-License-Identifier: MIT
// The text that the shaders of BM3D have before their own.
#include "engine/gl/compute/bm3d.h"

#include <math.h>

#include "image/bm3d/noise.h"

#define SIDE ODL_BM3D_SIDE

#define MATCH_STRIPS 3 // of bm3d_match.comp: that invocations divide the window into

void
odl_gl_bm3d_append_number (GString *text, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, g_ascii_formatd (number, sizeof number, "%.9e", value));
}

static bool
are_close (float a, float b)
{
  return fabsf (a - b) < 1e-6F;
}

// Σ row[j] · NAMEj over the first `n`.
static void
append_products (GString *text, const float *row, int n, const char *name)
{
  bool any = false;

  for (int j = 0; j < n; j++) {
    if (are_close (row[j], 0))
      continue;
    g_string_append (text, any ? " + " : "");
    odl_gl_bm3d_append_number (text, row[j]);
    g_string_append_printf (text, " * %s%d", name, j);
    any = true;
  }
  g_string_append (text, any ? ";" : "0.0;");
}

// How a row reads what stands opposite: 1 with the same sign, −1 with the other one, 0
// neither.
static int
symmetry_of (const float row[SIDE])
{
  bool same = true, opposite = true;

  for (int j = 0; j < SIDE / 2; j++) {
    same = same && are_close (row[j], row[SIDE - 1 - j]);
    opposite = opposite && are_close (row[j], -row[SIDE - 1 - j]);
  }
  return same ? 1 : opposite ? -1 : 0;
}

// Whether row SIDE − 1 − i is row i, but for the signs of every column.
static bool
is_paired (const float matrix[SIDE][SIDE], int signs[SIDE])
{
  for (int j = 0; j < SIDE; j++) {
    float column[SIDE];
    for (int i = 0; i < SIDE; i++)
      column[i] = matrix[i][j];
    signs[j] = symmetry_of (column);
    if (signs[j] == 0)
      return false;
  }
  return true;
}

// The results i and SIDE − 1 − i are a sum and a difference of half as many products.
static void
append_pairs (GString *text, const float matrix[SIDE][SIDE], const int signs[SIDE])
{
  for (int i = 0; i < SIDE / 2; i++)
    for (int sign = 1; sign >= -1; sign -= 2) {
      float row[SIDE];
      for (int j = 0; j < SIDE; j++)
        row[j] = signs[j] == sign ? matrix[i][j] : 0;
      g_string_append_printf (text, " float %c%d = ", sign > 0 ? 's' : 'd', i);
      append_products (text, row, SIDE, "a");
    }
  for (int i = 0; i < SIDE; i++)
    g_string_append_printf (text, " a%d = s%d %c d%d;", i, MIN (i, SIDE - 1 - i),
                            i < SIDE / 2 ? '+' : '-', MIN (i, SIDE - 1 - i));
}

// Appends “#define NAME …”, statements that make the vector a0 … a7 matrix · a.
static void
append_transform (GString *text, const char *name, const float matrix[SIDE][SIDE])
{
  int signs[SIDE];

  g_string_append_printf (text, "#define %s {", name);
  if (is_paired (matrix, signs)) {
    append_pairs (text, matrix, signs);
    g_string_append (text, " }\n");
    return;
  }
  for (int j = 0; j < SIDE / 2; j++)
    g_string_append_printf (text, " float s%d = a%d + a%d; float d%d = a%d - a%d;", j, j,
                            SIDE - 1 - j, j, j, SIDE - 1 - j);
  for (int i = 0; i < SIDE; i++) {
    const int symmetry = symmetry_of (matrix[i]);
    g_string_append_printf (text, " float b%d = ", i);
    if (symmetry != 0)
      append_products (text, matrix[i], SIDE / 2, symmetry > 0 ? "s" : "d");
    else
      append_products (text, matrix[i], SIDE, "a");
  }
  for (int i = 0; i < SIDE; i++)
    g_string_append_printf (text, " a%d = b%d;", i, i);
  g_string_append (text, " }\n");
}

// EACH_NAME (macro), a list: macro (i, LETTERi).
static void
append_list (GString *text, const char *name, char letter, int n)
{
  g_string_append_printf (text, "#define EACH_%s(macro)", name);
  for (int i = 0; i < n; i++)
    g_string_append_printf (text, " macro (%d, %c%d)", i, letter, i);
  g_string_append_c (text, '\n');
}

// What shaders do with the values of a group's blocks and with the lines of an
// invocation: in loops, or one after the other. Software rasterisers take ten seconds to
// compile the latter, and cards put arrays into memory.
static void
append_lists (GString *text, const OdlGlBm3dWork *work, bool loops)
{
  const int most = work->most, lines = work->lines;

  if (loops) {
    g_string_append_printf (
        text,
        "#define VALUES\n#define FACTORS vec4 l[%d], h[%d];\n"
        "#define EACH_BLOCK(macro) for (int z = 0; z < n; z++) { macro (z, "
        "SAMPLE_OF_BLOCK (z)) }\n"
        "#define EACH_LINE(macro) for (int i = 0; i < LINES; i++) { macro (i, "
        "l[OPAQUE (i)], h[OPAQUE (i)]) }\n"
        "#define ALONG for (int width = 1; width < n; width *= 2) for (int z = 0; z < n; "
        "z++) if ((z & width) == 0) BUTTERFLY (SAMPLE_OF_BLOCK (z), SAMPLE_OF_BLOCK (z + "
        "width))\n",
        lines, lines);
    if (work->few > 0)
      g_string_append (text, "#define EACH_FEW(macro) EACH_BLOCK (macro)\n");
    return;
  }
  append_list (text, "BLOCK", 'v', most);
  if (work->few > 0)
    append_list (text, "FEW", 'v', work->few);
  g_string_append (text,
                   "#define VALUES EACH_BLOCK (DECLARE)\n#define FACTORS vec4 l0, h0");
  for (int i = 1; i < lines; i++)
    g_string_append_printf (text, ", l%d, h%d", i, i);
  g_string_append (text, ";\n#define EACH_LINE(macro)");
  for (int i = 0; i < lines; i++)
    g_string_append_printf (text, " macro (%d, l%d, h%d)", i, i, i);
  g_string_append (text, "\n#define ALONG");
  for (int width = 1; width < most; width *= 2) {
    g_string_append_printf (text, " if (n > %d) {", width);
    for (int z = 0; z < most; z++)
      if ((z & width) == 0)
        g_string_append_printf (text, " BUTTERFLY (v%d, v%d)", z, z + width);
    g_string_append (text, " }");
  }
  g_string_append_c (text, '\n');
}

// What bm3d_noise.comp reads of the transform, and the bounds of variances.
static void
append_noise (GString *text, const OdlBm3dTransform *transform)
{
  g_string_append (text, "#define COLOURED\n#define LEAST_SHARE ");
  odl_gl_bm3d_append_number (text, ODL_BM3D_LEAST_SHARE);
  g_string_append (text, "\n#define LEAST_VARIANCE ");
  odl_gl_bm3d_append_number (text, ODL_BM3D_LEAST_VARIANCE);
  g_string_append (text, "\n#define CAUTION ");
  odl_gl_bm3d_append_number (text, ODL_BM3D_CAUTION);
  g_string_append (text, "\n#define NO_NOISE ");
  odl_gl_bm3d_append_number (text, ODL_BM3D_NO_NOISE);
  g_string_append (text, "\n#define OVERLAPS ");
  for (int i = 0; i < SIDE * SIDE; i++) {
    g_string_append (text, i > 0 ? ", " : "");
    odl_gl_bm3d_append_number (text,
                               odl_bm3d_overlap (transform->forward[i / SIDE], i % SIDE));
  }
  g_string_append_c (text, '\n');
}

void
odl_gl_bm3d_append_defines (GString *text, const OdlGlBm3dWork *work, bool loops)
{
  const bool second = work->second;
  const double farthest = work->coloured ? ODL_BM3D_FARTHEST_WHITENED
                          : second       ? ODL_BM3D_FARTHEST
                                         : ODL_BM3D_FARTHEST_FIRST;
  OdlBm3dTransform transform;
  double window[SIDE];

  g_string_append_printf (text,
                          "#define MOST %d\n#define BLOCKS %d\n"
                          "#define TILE %d\n#define STEP_OF_BLOCKS %d\n"
                          "#define REACH %d\n#define RUN %d\n#define FARTHEST ",
                          work->most, work->beside, work->tile, work->step, work->reach,
                          (2 * work->reach + 1) / MATCH_STRIPS);
  odl_gl_bm3d_append_number (text, farthest * SIDE * SIDE);
  g_string_append (text, "\n#define SHRINKAGE ");
  odl_gl_bm3d_append_number (text, ODL_BM3D_SHRINKAGE);
  g_string_append (text, "\n#define LEAST ");
  odl_gl_bm3d_append_number (text, second ? ODL_BM3D_LEAST : ODL_BM3D_LEAST_FIRST);
  g_string_append (text, "\n#define KAISER ");
  odl_bm3d_window (window);
  for (int i = 0; i < SIDE; i++) {
    g_string_append (text, i > 0 ? ", " : "");
    odl_gl_bm3d_append_number (text, window[i]);
  }
  g_string_append_c (text, '\n');
  if (second)
    odl_bm3d_cosines (&transform);
  else
    odl_bm3d_wavelets (&transform);
  append_transform (text, "GROUP_FORWARD", transform.forward);
  append_transform (text, "GROUP_INVERSE", transform.inverse);
  append_lists (text, work, loops);
  if (work->coloured)
    append_noise (text, &transform);
}
