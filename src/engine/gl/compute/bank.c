// SPDX-License-Identifier: MIT
#include "engine/gl/compute/bank.h"

#include "wavelet/border.h"

// A work group's tile of samples; shared memory holds it with what filters reach beyond
// its sides: 16 KiB, what GLES 3.1 guarantees, is enough for the longest filters.
#define TILE_X 64
#define TILE_Y 16
#define PAIRS 2 // of rows, that an invocation makes at once
#define GROUP 128

// Filters a and b of pairs: taps `first` (even) … `first + count − 1` about the even
// sample.
typedef struct {
  const OdlTaps *a;
  const OdlTaps *b; // about the odd sample
  int first, count;
} Bank;

bool
odl_gl_bank_takes (const OdlGlDispatchParams *params,
                   const OdlStep *step,
                   const OdlSlot *level)
{
  if (step->wavelet->reversible)
    return false;
  return params->convolution || step->wavelet->lifting.count == 0
         || odl_border_length (step->border, level->width) < level->width
         || odl_border_length (step->border, level->height) < level->height
         || (step->border != ODL_BORDER_WHOLE_SAMPLE
             && MIN (level->width, level->height) == 1);
}

static Bank
bank_of (const OdlWavelet *w, bool forward)
{
  const OdlTaps *a = forward ? &w->analysis_low : &w->synthesis_even;
  const OdlTaps *b = forward ? &w->analysis_high : &w->synthesis_odd;
  // The pair itself is always within reach.
  const int first = MIN (MIN (a->first, b->first + 1), 0) & ~1;
  const int last = MAX (MAX (a->first + a->count - 1, b->first + b->count), 1);

  return (Bank){ a, b, first, last - first + 1 };
}

static void
fill_taps (const Bank *bank, float taps[][2])
{
  for (int k = 0; k < bank->a->count; k++)
    taps[ODL_GL_BANK_PAD + bank->a->first - bank->first + k][0]
        = (float) bank->a->value[k];
  for (int k = 0; k < bank->b->count; k++)
    taps[ODL_GL_BANK_PAD + bank->b->first + 1 - bank->first + k][1]
        = (float) bank->b->value[k];
}

int
odl_gl_lone_sample (OdlBorder border, int n)
{
  return n == 1 || odl_border_length (border, n) < n ? n - 1 : -1;
}

void
odl_gl_bank_taps (const OdlStep *step, bool forward, OdlGlUniforms *uniforms)
{
  const Bank bank = bank_of (step->wavelet, forward);

  g_assert (bank.count <= ODL_GL_MAX_TAPS);
  fill_taps (&bank, uniforms->bank_taps);
  uniforms->window[0] = bank.first;
  uniforms->window[1] = bank.count;
}

bool
odl_gl_bank_fill (const OdlGlDispatchParams *params,
                  const OdlStep *step,
                  bool forward,
                  const OdlSlot *level,
                  const char *defines,
                  OdlGlDispatch *dispatch,
                  GError **error)
{
  g_autofree char *all = g_strdup_printf (
      "%s#define GROUP %d\n#define TILE_X %d\n#define TILE_Y %d\n#define PAIRS %d\n"
      "#define PAD %d\n#define TAPS_MAX %d\n#define BORDER %d\n#define FOLD_FAR\n",
      defines, GROUP, TILE_X, TILE_Y, PAIRS, ODL_GL_BANK_PAD, ODL_GL_MAX_TAPS,
      step->border);

  odl_gl_bank_taps (step, forward, &dispatch->uniforms);
  dispatch->uniforms.lone[0] = odl_gl_lone_sample (step->border, level->width);
  dispatch->uniforms.lone[1] = odl_gl_lone_sample (step->border, level->height);
  dispatch->uniforms.size[0] = level->width;
  dispatch->uniforms.size[1] = level->height;
  dispatch->groups[0] = (GLuint) ((level->width + TILE_X - 1) / TILE_X);
  dispatch->groups[1] = (GLuint) ((level->height + TILE_Y - 1) / TILE_Y);
  dispatch->groups[2] = (GLuint) (level->channels * level->depth);
  dispatch->program = odl_gl_programs_get (params->programs,
                                           forward ? ODL_GL_PASS_COMPUTE_BANK_FORWARD
                                                   : ODL_GL_PASS_COMPUTE_BANK_INVERSE,
                                           false, all, error);
  return dispatch->program != NULL;
}
