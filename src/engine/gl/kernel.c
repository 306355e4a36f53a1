// SPDX-License-Identifier: MIT
#include <string.h>

#include "engine/gl/compiler.h"
#include "wavelet/border.h"

// The taps for a signal of one sample, which is unchanged.
static const OdlTaps unit_taps = { 0, 1, { 1 } };
static const OdlTaps no_taps = { 0, 0, { 0 } };

// Of taps on a signal those on even samples (`input` 0) or odd ones (1), for output
// samples of parity `output`: value[d] belongs to even or odd sample m + first + d, where
// the output is sample 2 m + output.
static OdlTaps
taps_on (const OdlTaps *taps, int output, int input)
{
  OdlTaps result = { 0 };

  for (int k = 0; k < taps->count; k++) {
    const int offset = taps->first + k + output; // from sample 2 m
    if ((offset & 1) != input)
      continue;
    if (result.count == 0)
      result.first = (offset - input) / 2;
    result.value[result.count++] = taps->value[k];
  }
  return result;
}

// Aligns two sets of taps about one origin: out[i] = (a, b) at first + i. Returns their
// number, and the first offset in *first.
static int
pair_taps (const OdlTaps *a, const OdlTaps *b, float out[][2], int *first)
{
  const OdlTaps *taps[2] = { a, b };
  int last = -G_MAXINT;

  *first = G_MAXINT;
  for (int i = 0; i < 2; i++)
    if (taps[i]->count > 0) {
      *first = MIN (*first, taps[i]->first);
      last = MAX (last, taps[i]->first + taps[i]->count - 1);
    }
  if (last < *first) {
    *first = 0;
    return 0;
  }
  g_assert (last - *first < ODL_GL_MAX_TAPS);
  memset (out, 0, (last - *first + 1) * sizeof *out);
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < taps[i]->count; k++)
      out[taps[i]->first - *first + k][i] = (float) taps[i]->value[k];
  return last - *first + 1;
}

static void
pair_up (OdlGlKernel *kernel)
{
  for (int input = 0; input < 2; input++)
    kernel->count[input] = pair_taps (&kernel->own[0][input], &kernel->own[1][input],
                                      kernel->taps[input], &kernel->first[input]);
}

void
odl_gl_kernel_init_copy (OdlGlKernel *kernel, int n)
{
  *kernel = (OdlGlKernel){
    .n = n,
    .length = n,
    .own = { { unit_taps, no_taps }, { no_taps, no_taps } },
  };
  pair_up (kernel);
}

void
odl_gl_kernel_init (OdlGlKernel *kernel, const OdlStep *step, int n)
{
  const OdlWavelet *wavelet = step->wavelet;
  const bool forward = step->kind == ODL_STEP_FORWARD;
  const OdlTaps *outputs[2] = {
    forward ? &wavelet->analysis_low : &wavelet->synthesis_even,
    forward ? &wavelet->analysis_high : &wavelet->synthesis_odd,
  };

  if (n == 1) {
    odl_gl_kernel_init_copy (kernel, n);
    return;
  }
  *kernel = (OdlGlKernel){ .n = n, .length = odl_border_length (step->border, n) };
  for (int output = 0; output < 2; output++)
    for (int input = 0; input < 2; input++)
      kernel->own[output][input] = taps_on (outputs[output], output, input);
  pair_up (kernel);
}

int
odl_gl_kernel_reach (const OdlGlKernel *kernel)
{
  int reach = 0;

  for (int input = 0; input < 2; input++)
    if (kernel->count[input] > 0) {
      const int last = kernel->first[input] + kernel->count[input] - 1;
      reach = MAX (reach, MAX (-2 * kernel->first[input], 2 * last + 1));
    }
  return reach;
}

OdlGlRange
odl_gl_kernel_interior (const OdlGlKernel *kernel)
{
  const int n = kernel->length;
  OdlGlRange inside = { 0, n / 2 };

  for (int input = 0; input < 2; input++)
    if (kernel->count[input] > 0) {
      const int last = kernel->first[input] + kernel->count[input] - 1;
      inside.from = MAX (inside.from, -kernel->first[input]);
      // 2 (m + last) + input <= n − 1
      inside.to = MIN (inside.to, (n - 1 - input) / 2 - last + 1);
    }
  return inside;
}

char *
odl_gl_kernel_defines (const OdlGlKernel *kernel, const OdlStep *step, int output)
{
  static const char *const names[2] = { "LOW", "HIGH" };
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "#define BORDER %d\n", (int) step->border);
  for (int input = 0; input < 2; input++) {
    const OdlTaps *own = output >= 0 ? &kernel->own[output][input] : NULL;
    const int begin
        = own != NULL && own->count > 0 ? own->first - kernel->first[input] : 0;
    const int count = own != NULL ? own->count : kernel->count[input];
    g_string_append_printf (text,
                            "#define %s_FIRST (%d)\n#define %s_SIZE %d\n"
                            "#define %s_BEGIN %d\n#define %s_END %d\n",
                            names[input], kernel->first[input], names[input],
                            MAX (kernel->count[input], 1), names[input], begin,
                            names[input], begin + count);
  }
  if (step->wavelet->reversible && kernel->n > 1)
    g_string_append (
        text, "#define REVERSIBLE\n#define ROUND " G_STRINGIFY (ODL_WAVELET_ROUND) "\n");
  return g_string_free (text, FALSE);
}

void
odl_gl_kernel_set (const OdlGlKernel *kernel, const OdlStep *step, OdlGlDraw *draw)
{
  G_STATIC_ASSERT (sizeof draw->uniforms.low_taps == sizeof kernel->taps[0]);

  draw->uniforms.n = kernel->length;
  draw->uniforms.quantum = (float) step->quantum;
  memcpy (draw->uniforms.low_taps, kernel->taps[0], sizeof kernel->taps[0]);
  memcpy (draw->uniforms.high_taps, kernel->taps[1], sizeof kernel->taps[1]);
}

OdlGlTapRange
odl_gl_kernel_range (const OdlGlKernel *kernel)
{
  int first = G_MAXINT, last = -G_MAXINT;

  for (int input = 0; input < 2; input++)
    if (kernel->count[input] > 0) {
      first = MIN (first, kernel->first[input]);
      last = MAX (last, kernel->first[input] + kernel->count[input] - 1);
    }
  return (OdlGlTapRange){ first, last - first + 1 };
}

void
odl_gl_kernel_set_pairs (const OdlGlKernel *kernel, const OdlStep *step, OdlGlDraw *draw)
{
  const OdlGlTapRange range = odl_gl_kernel_range (kernel);

  g_assert (range.count <= ODL_GL_MAX_TAPS);
  draw->uniforms.n = kernel->length;
  draw->uniforms.quantum = (float) step->quantum;
  memset (draw->uniforms.pair_taps, 0, sizeof draw->uniforms.pair_taps);
  for (int input = 0; input < 2; input++)
    for (int k = 0; k < kernel->count[input]; k++)
      memcpy (
          &draw->uniforms.pair_taps[kernel->first[input] - range.first + k][2 * input],
          kernel->taps[input][k], sizeof kernel->taps[input][k]);
}
