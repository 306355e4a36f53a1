// SPDX-License-Identifier: MIT
#include "engine/gl/compute/lanes.h"

// Of include/lanes.glsl: samples of a line that a row of lanes makes, by levels.
static const int strips_of[ODL_GL_FUSION_LEVELS] = { 120, 104 };

// Transforms reach four samples beyond a line; shorter lines are mirrored more than once.
#define NEAR_SIDE 8

static void
append_number (GString *text, const char *name, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.12e", value);
  g_string_append_printf (text, "#define %s (%s)\n", name, number);
}

// Constants are computed here in double precision: shader compilers would use single
// precision, whose error is the same on every level, and would not find that the gain of
// HL and LH is 1.
static void
append_gain (GString *text, const char *band, double gain)
{
  g_autofree char *name = g_strconcat (band, "_GAIN", NULL);
  g_autofree char *share = g_strconcat (band, "_SHARE", NULL);

  append_number (text, name, gain);
  append_number (text, share, 1 / gain);
}

GString *
odl_gl_lifting_defines (const OdlStep *step)
{
  const OdlLifting *lifting = &step->wavelet->lifting;
  const double low = lifting->low_gain, high = lifting->high_gain;
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "#define STEPS %d\n", lifting->count);
  for (int i = 0; i < lifting->count; i++) {
    const char name[] = { 'S', 'T', 'E', 'P', '_', (char) ('0' + i), '\0' };
    append_number (text, name, lifting->step[i]);
  }
  append_number (text, "LOW_GAIN", low);
  append_number (text, "HIGH_GAIN", high);
  append_gain (text, "LL", low * low);
  append_gain (text, "MIXED", low * high);
  append_gain (text, "HH", high * high);
  return text;
}

void
odl_gl_append_whole_defines (GString *text, const OdlStep *step)
{
  append_number (text, "UNITS", 1 / step->quantum);
  append_number (text, "ROUND", ODL_WAVELET_ROUND);
  g_string_append (text, "#define REVERSIBLE\n");
}

static char *
lane_defines (const OdlGlDispatchParams *params,
              const OdlStep *step,
              const OdlSlot *level,
              const char *more)
{
  GString *text = odl_gl_lifting_defines (step);

  g_string_append (text, more);
  g_string_append_printf (text, "#define GROUP %d\n", ODL_GL_SHAPE_LANES);
  if (step->wavelet->reversible) {
    odl_gl_append_whole_defines (text, step);
    if (level->height == 1)
      g_string_append (text, "#define ONE_ROW\n");
  }
  g_string_append_printf (text, "#define BORDER %d\n", step->border);
  if (MIN (level->width, level->height) < NEAR_SIDE)
    g_string_append (text, "#define FOLD_FAR\n");
  if (params->caps->subgroups && step->border == ODL_BORDER_WHOLE_SAMPLE
      && level->width % 4 == 0 && level->width >= NEAR_SIDE)
    g_string_append (text, "#define MIRROR_LANES\n");
  return g_string_free (text, FALSE);
}

void
odl_gl_lanes_share (OdlGlDispatch *dispatch, OdlGlShape shape)
{
  const int *size = dispatch->uniforms.size;
  const int strip = strips_of[dispatch->lanes.levels - 1];
  const int strips = (size[0] + strip - 1) / strip;
  const int lines = 1 << dispatch->lanes.levels; // made by a pair of rows
  const int pairs = (size[1] + lines - 1) / lines;
  // Two idle warps of four would be too many.
  const int across = strips >= shape.across - 1 ? shape.across : 1;
  const int rows = shape.rows * (ODL_GL_SHAPE_WARPS / across);

  dispatch->uniforms.rows = shape.rows;
  dispatch->uniforms.across = across;
  dispatch->groups[0] = (GLuint) ((strips + across - 1) / across);
  dispatch->groups[1] = (GLuint) ((pairs + rows - 1) / rows);
}

bool
odl_gl_lanes_fill (const OdlGlDispatchParams *params,
                   const OdlStep *step,
                   bool forward,
                   const OdlSlot *level,
                   const char *defines,
                   OdlGlDispatch *dispatch,
                   GError **error)
{
  g_autofree char *all = lane_defines (params, step, level, defines);

  dispatch->lanes = (OdlGlLevelKind){ (double) level->width * level->height * level->depth
                                          * level->channels,
                                      level->precision, !forward, 1 };
  dispatch->uniforms.size[0] = level->width;
  dispatch->uniforms.size[1] = level->height;
  dispatch->groups[2] = (GLuint) (level->channels * level->depth);
  // Synthesis finds more of the coarser level's output in the cache if it begins where
  // that level ended.
  dispatch->uniforms.upwards = !forward && step->level % 2 == 1;
  odl_gl_lanes_share (dispatch, odl_gl_tuning_shape (params->tuning, &dispatch->lanes));
  dispatch->program = odl_gl_programs_get (params->programs,
                                           forward ? ODL_GL_PASS_COMPUTE_FORWARD
                                                   : ODL_GL_PASS_COMPUTE_INVERSE,
                                           false, all, error);
  return dispatch->program != NULL;
}
