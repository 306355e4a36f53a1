// SPDX-License-Identifier: MIT
// What is not a transform of 2 to 5 points is one of `a` times `b` points: `a` of them,
// `b` apart, turned, and then `b` that follow one another. Place p · b + q, with q a
// place of b, then has the frequency p + a · (that of q).
#include "engine/gl/compute/fourier/radix.h"

#include <math.h>

typedef struct {
  int n, a, b; // b 1: a step of include/fourier.glsl
} Radix;

static const Radix radices[]
    = { { 1, 1, 1 },  { 2, 2, 1 },  { 3, 3, 1 },  { 4, 4, 1 },  { 5, 5, 1 },
        { 6, 2, 3 },  { 8, 2, 4 },  { 9, 3, 3 },  { 10, 2, 5 }, { 12, 3, 4 },
        { 15, 3, 5 }, { 16, 4, 4 }, { 18, 2, 9 }, { 20, 4, 5 } };

static const Radix *
find_radix (int n)
{
  for (size_t i = 0; i < G_N_ELEMENTS (radices); i++)
    if (radices[i].n == n)
      return &radices[i];
  return NULL;
}

// Steps of similar length keep few registers busy.
OdlGlRadix
odl_gl_radix_for (int n)
{
  OdlGlRadix best = { 0, 0 };

  for (size_t i = 0; i < G_N_ELEMENTS (radices); i++)
    for (size_t k = 0; k <= i; k++) {
      const OdlGlRadix radix = { radices[k].n, radices[i].n };
      const int points = odl_gl_radix_points (radix), least = odl_gl_radix_points (best);
      if (points >= n
          && (least == 0 || points < least
              || (points == least && radix.second < best.second)))
        best = radix;
    }
  return best;
}

static int
frequency_at (int n, int place)
{
  const Radix *radix = find_radix (n);

  return radix->b == 1
             ? place
             : place / radix->b + radix->a * frequency_at (radix->b, place % radix->b);
}

int
odl_gl_radix_turns (OdlGlRadix radix)
{
  return radix.second * (radix.first - 1);
}

void
odl_gl_radix_write_turns (OdlGlRadix radix, float *turns)
{
  const int points = odl_gl_radix_points (radix);

  for (int j = 0; j < radix.second; j++)
    for (int k = 1; k < radix.first; k++) {
      const double angle
          = -2 * G_PI * (j * frequency_at (radix.first, k) % points) / points;
      *turns++ = (float) cos (angle);
      *turns++ = (float) sin (angle);
    }
}

static void
append_turn (GString *text, double angle)
{
  char x[G_ASCII_DTOSTR_BUF_SIZE], y[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, "vec2 (%s, %s)",
                          g_ascii_formatd (x, sizeof x, "%.9e", cos (angle)),
                          g_ascii_formatd (y, sizeof y, "%.9e", sin (angle)));
}

// “{ vec2 t[n] = vec2[n] (x[at], x[at + apart], …); ”.
static void
append_gather (GString *text, int n, int at, int apart)
{
  g_string_append_printf (text, "{ vec2 t[%d] = vec2[%d] (", n, n);
  for (int k = 0; k < n; k++)
    g_string_append_printf (text, "%sx[%d]", k > 0 ? ", " : "", at + k * apart);
  g_string_append (text, "); ");
}

// The part of `a` points, whose results, or before the way back points, are turned.
static void
append_wide (GString *text, const Radix *radix, int i, bool inverse)
{
  append_gather (text, radix->a, i, radix->b);
  for (int p = 1; p < radix->a && inverse && i > 0; p++) {
    g_string_append_printf (text, "t[%d] = times (t[%d], ", p, p);
    append_turn (text, 2 * G_PI * i * p / radix->n);
    g_string_append (text, "); ");
  }
  g_string_append (text, inverse ? "back (t); " : "forward (t); ");
  for (int p = 0; p < radix->a; p++) {
    g_string_append_printf (text, "x[%d] = ", i + p * radix->b);
    if (inverse || i == 0 || p == 0) {
      g_string_append_printf (text, "t[%d]; ", p);
      continue;
    }
    g_string_append_printf (text, "times (t[%d], ", p);
    append_turn (text, -2 * G_PI * i * p / radix->n);
    g_string_append (text, "); ");
  }
  g_string_append (text, "} ");
}

static void
append_narrow (GString *text, const Radix *radix, int p, bool inverse)
{
  append_gather (text, radix->b, p * radix->b, 1);
  g_string_append (text, inverse ? "back (t); " : "forward (t); ");
  for (int q = 0; q < radix->b; q++)
    g_string_append_printf (text, "x[%d] = t[%d]; ", p * radix->b + q, q);
  g_string_append (text, "} ");
}

static void
append_function (GString *text, const Radix *radix, bool inverse)
{
  g_string_append_printf (text, "void %s (inout vec2 x[%d]) { ",
                          inverse ? "back" : "forward", radix->n);
  for (int p = 0; p < radix->a && inverse; p++)
    append_narrow (text, radix, p, true);
  for (int i = 0; i < radix->b; i++)
    append_wide (text, radix, i, inverse);
  for (int p = 0; p < radix->a && !inverse; p++)
    append_narrow (text, radix, p, false);
  g_string_append (text, "} ");
}

static void
append_radix (GString *text, int n, guint64 *known)
{
  const Radix *radix = find_radix (n);

  if (radix->b == 1 || (*known & G_GUINT64_CONSTANT (1) << n) != 0)
    return;
  *known |= G_GUINT64_CONSTANT (1) << n;
  append_radix (text, radix->a, known);
  append_radix (text, radix->b, known);
  append_function (text, radix, false);
  append_function (text, radix, true);
}

static void
append_each (GString *text, const char *name, int n)
{
  g_string_append_printf (text, "#define %s(macro)", name);
  for (int i = 0; i < n; i++)
    g_string_append_printf (text, " macro (%d)", i);
  g_string_append_c (text, '\n');
}

void
odl_gl_radix_append (OdlGlRadix radix, GString *text)
{
  guint64 known = 0;

  g_string_append (text, "#define TRANSFORMS ");
  append_radix (text, radix.first, &known);
  append_radix (text, radix.second, &known);
  g_string_append_c (text, '\n');
  append_each (text, "EACH_FIRST", radix.first);
  append_each (text, "EACH_SECOND", radix.second);
}
