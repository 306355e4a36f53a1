// SPDX-License-Identifier: MIT
#include "engine/gl/steps.h"

#include <string.h>

// BT.601, as in plan.h.
static const float luma_weights[3] = { 0.299f, 0.587f, 0.114f };

// Narrower interiors are not worth two more draw calls.
#define LEAST_INTERIOR 24

// What a signal of one sample is transformed with: it passes through.
static const OdlTaps unit_taps = { 0, 1, { 1 } };
static const OdlTaps no_taps = { 0, 0, { 0 } };

typedef struct {
  const OdlGlStepsParams *params;
  GArray *draws;
  const OdlStep *step;
  const OdlSlot *out;
  const OdlGlSlot *target;
  const OdlGlSlot *sources[3]; // NULL where the step reads nothing
  GError **error;
} Compiler;

typedef struct {
  OdlGlPassId pass;
  const char *defines;
  int reach; // farthest sample that the kernel reads, for the choice of border rule
  int shortest; // of the lines that it runs along
  int framebuffer;
} DrawParams;

static const OdlGlProgram *
program_for (Compiler *c, const DrawParams *params, bool lines, const char *border)
{
  g_autofree char *defines
      = g_strconcat (c->target->precision == 16 ? "#define HALF_TARGET\n" : "", border,
                     params->defines, NULL);

  return odl_gl_programs_get (c->params->programs, params->pass, lines, defines,
                              c->error);
}

// Appends a draw call over the whole target; NULL when its program fails.
static OdlGlDraw *
add_draw (Compiler *c, const DrawParams *params, bool lines)
{
  const bool far = params->reach > params->shortest - 1;
  OdlGlDraw draw = {
    .framebuffer = c->target->framebuffers[params->framebuffer],
    .viewport = { 0, 0, c->target->width, c->target->height },
    .vertices = 3,
    .uniforms.extent = { c->target->width, c->target->height },
  };

  draw.program = program_for (c, params, lines, far ? "#define FOLD_FAR\n" : "");
  if (draw.program == NULL)
    return NULL;
  for (int i = 0; i < 3 && c->sources[i] != NULL; i++)
    draw.textures[i] = c->sources[i]->textures[0];
  g_array_append_val (c->draws, draw);
  return &g_array_index (c->draws, OdlGlDraw, c->draws->len - 1);
}

// Samples of the output, along the axis of the step: from … to − 1.
typedef struct {
  int from, to;
} Range;

// For software rasterisers, where folding costs as much as fetching: gives the `inside`
// of the last draw call, whose kernels reach no border, a program that does not fold.
static bool
split_interior (Compiler *c, const DrawParams *params, Range inside)
{
  const OdlGlDraw whole = g_array_index (c->draws, OdlGlDraw, c->draws->len - 1);
  const int axis = c->step->axis == ODL_AXIS_X ? 0 : 1;
  const Range parts[]
      = { inside, { 0, inside.from }, { inside.to, whole.viewport[2 + axis] } };

  if (!c->params->whole_lines || inside.to - inside.from < LEAST_INTERIOR)
    return true;

  const OdlGlProgram *program = program_for (c, params, false, "#define INTERIOR\n");
  if (program == NULL)
    return false;
  g_array_set_size (c->draws, c->draws->len - 1);
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++) {
    OdlGlDraw part = whole;
    part.viewport[axis] = parts[i].from;
    part.viewport[2 + axis] = parts[i].to - parts[i].from;
    if (i == 0)
      part.program = program;
    if (part.viewport[2 + axis] > 0)
      g_array_append_val (c->draws, part);
  }
  return true;
}

static bool
is_colour (const Compiler *c)
{
  return c->out->channels == 3;
}

static const char *
axis_define (const Compiler *c)
{
  return c->step->axis == ODL_AXIS_X ? "#define AXIS 0\n" : "#define AXIS 1\n";
}

static bool
compile_load (Compiler *c)
{
  const OdlGlDraw draw = {
    .framebuffer = c->target->framebuffers[0],
    .uniforms.bias = odl_gl_bias (c->params->plan->precision),
  };

  g_array_append_val (c->draws, draw);
  return true;
}

static bool
compile_luma (Compiler *c)
{
  OdlGlDraw *draw = add_draw (c, &(DrawParams){ .pass = ODL_GL_PASS_LUMA }, false);

  if (draw == NULL)
    return false;
  memcpy (draw->uniforms.weights, luma_weights, sizeof luma_weights);
  return true;
}

static bool
compile_recombine (Compiler *c)
{
  return add_draw (c, &(DrawParams){ .pass = ODL_GL_PASS_RECOMBINE }, false) != NULL;
}

static bool
compile_sized (Compiler *c, const DrawParams *params)
{
  OdlGlDraw *draw = add_draw (c, params, false);

  if (draw == NULL)
    return false;
  draw->uniforms.size[0] = c->out->width;
  draw->uniforms.size[1] = c->out->height;
  return true;
}

static bool
compile_convolve (Compiler *c)
{
  // The radius may change from frame to frame: the program is right for all of them.
  return compile_sized (c, &(DrawParams){ .pass = ODL_GL_PASS_CONVOLVE,
                                          .defines = axis_define (c),
                                          .reach = ODL_PLAN_MAX_RADIUS,
                                          .shortest = c->step->axis == ODL_AXIS_X
                                                          ? c->out->width
                                                          : c->out->height });
}

static bool
compile_sharpen (Compiler *c)
{
  return compile_sized (c,
                        &(DrawParams){ .pass = ODL_GL_PASS_SHARPEN,
                                       .reach = 1,
                                       .shortest = MIN (c->out->width, c->out->height) });
}

static bool
compile_threshold (Compiler *c)
{
  if (!is_colour (c))
    return add_draw (c, &(DrawParams){ .pass = ODL_GL_PASS_THRESHOLD }, false) != NULL;

  OdlGlDraw *draw = add_draw (c,
                              &(DrawParams){ .pass = ODL_GL_PASS_THRESHOLD_COLOUR,
                                             .framebuffer = ODL_GL_BANDS_DETAILS },
                              false);
  if (draw == NULL)
    return false;
  memcpy (draw->textures, &c->sources[0]->textures[1], 3 * sizeof *draw->textures);
  return true;
}

// Lays two sets of taps over each other, about one origin: out[i] = (a, b) at first + i.
// Returns how many, the first offset in *first.
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

static bool
compile_forward (Compiler *c)
{
  const OdlWavelet *wavelet = c->step->wavelet;
  const bool along_x = c->step->axis == ODL_AXIS_X;
  const int n = along_x ? c->out->width : c->out->height;
  const int halves = is_colour (c) && !along_x ? 2 : 1;
  OdlTaps low = n > 1 ? wavelet->analysis_low : unit_taps;
  OdlTaps high = n > 1 ? wavelet->analysis_high : no_taps;
  OdlGlUniforms uniforms = { .n = n };
  int first;

  high.first += 1; // it is centred on the odd sample
  const int count = pair_taps (&low, &high, uniforms.taps, &first);
  g_autofree char *defines = g_strdup_printf (
      "%s%s#define FIRST (%d)\n#define COUNT %d\n",
      is_colour (c) ? "#define COLOUR\n" : "", axis_define (c), first, count);
  const DrawParams params = { .pass = ODL_GL_PASS_FORWARD,
                              .defines = defines,
                              .reach = MAX (-first, first + count - 1),
                              .shortest = n };

  for (int half = 0; half < halves; half++) {
    DrawParams own = params;
    own.framebuffer = half;
    OdlGlDraw *draw = add_draw (c, &own, false);
    if (draw == NULL)
      return false;
    draw->textures[0] = c->sources[0]->textures[half];
    memcpy (draw->uniforms.taps, uniforms.taps, sizeof uniforms.taps);
    draw->uniforms.n = n;
    // Samples 2 m + first … 2 m + first + count − 1 lie inside.
    const Range inside
        = { (MAX (-first, 0) + 1) / 2, MAX (n - first - count, -2) / 2 + 1 };
    if (!split_interior (c, &own, inside))
      return false;
  }
  return true;
}

// Of taps on the interleaved signal those on low samples (`band` 0) or high ones (1), for
// output samples of `parity`: value[d] belongs to band sample m + first + d of sample 2 m
// + parity.
static OdlTaps
band_taps (const OdlTaps *taps, int parity, int band)
{
  OdlTaps result = { 0 };

  for (int k = 0; k < taps->count; k++) {
    const int offset = taps->first + k + parity; // from sample 2 m
    if ((offset & 1) != band)
      continue;
    if (result.count == 0)
      result.first = (offset - band) / 2;
    result.value[result.count++] = taps->value[k];
  }
  return result;
}

typedef struct {
  OdlGlUniforms uniforms;
  OdlTaps taps[2][2]; // by parity and band
  int first[2], count[2]; // of the pairs, by band
} Synthesis;

static void
synthesis_init (Synthesis *s, const OdlWavelet *wavelet, int n)
{
  const OdlTaps *kernels[2] = { &wavelet->synthesis_even, &wavelet->synthesis_odd };

  *s = (Synthesis){ .uniforms.n = n };
  for (int parity = 0; parity < 2; parity++)
    for (int band = 0; band < 2; band++)
      s->taps[parity][band] = n > 1       ? band_taps (kernels[parity], parity, band)
                              : band == 0 ? unit_taps
                                          : no_taps;
  s->count[0]
      = pair_taps (&s->taps[0][0], &s->taps[1][0], s->uniforms.low_taps, &s->first[0]);
  s->count[1]
      = pair_taps (&s->taps[0][1], &s->taps[1][1], s->uniforms.high_taps, &s->first[1]);
}

// `parity` 0 or 1, or −1 for both in one program.
static char *
synthesis_defines (const Synthesis *s, int parity)
{
  static const char *const names[2] = { "LOW", "HIGH" };
  GString *text = g_string_new (NULL);

  if (parity >= 0)
    g_string_append_printf (text, "#define PARITY %d\n", parity);
  for (int band = 0; band < 2; band++) {
    const OdlTaps *own = parity >= 0 ? &s->taps[parity][band] : NULL;
    const int begin = own != NULL && own->count > 0 ? own->first - s->first[band] : 0;
    const int count = own != NULL ? own->count : s->count[band];
    g_string_append_printf (text,
                            "#define %s_FIRST (%d)\n#define %s_SIZE %d\n"
                            "#define %s_BEGIN %d\n#define %s_END %d\n",
                            names[band], s->first[band], names[band],
                            MAX (s->count[band], 1), names[band], begin, names[band],
                            begin + count);
  }
  return g_string_free (text, FALSE);
}

static int
synthesis_reach (const Synthesis *s)
{
  int reach = 0;

  for (int band = 0; band < 2; band++)
    if (s->count[band] > 0) {
      const int last = s->first[band] + s->count[band] - 1;
      reach = MAX (reach, MAX (-2 * s->first[band], 2 * last + 1));
    }
  return reach;
}

// Output samples 2 m and 2 m + 1 whose kernels stay inside.
static Range
synthesis_interior (const Synthesis *s)
{
  const int n = s->uniforms.n;
  Range inside = { 0, n / 2 * 2 };

  for (int band = 0; band < 2; band++)
    if (s->count[band] > 0) {
      const int last = s->first[band] + s->count[band] - 1;
      inside.from = MAX (inside.from, -2 * s->first[band]);
      // 2 (m + last) + band <= n − 1
      inside.to = MIN (inside.to, (n - 1 - band) / 2 * 2 - 2 * last + 2);
    }
  return inside;
}

static void
set_synthesis_textures (const Compiler *c, OdlGlDraw *draw)
{
  if (is_colour (c) && c->step->axis == ODL_AXIS_X)
    memcpy (draw->textures, c->sources[0]->textures, 2 * sizeof *draw->textures);
  if (is_colour (c) && c->step->axis == ODL_AXIS_Y) {
    draw->textures[0] = c->sources[0]->textures[0];
    memcpy (draw->textures + 1, c->sources[1]->textures + 1, 3 * sizeof *draw->textures);
  }
}

static bool
add_synthesis (Compiler *c, const Synthesis *s, int parity)
{
  const bool along_x = c->step->axis == ODL_AXIS_X;
  const int n = s->uniforms.n;
  const int lines = parity == 1 ? odl_high_count (n) : odl_low_count (n);
  g_autofree char *defines = synthesis_defines (s, parity);
  const DrawParams params = {
    .pass = along_x
                ? (is_colour (c) ? ODL_GL_PASS_INVERSE_X_COLOUR : ODL_GL_PASS_INVERSE_X)
                : (is_colour (c) ? ODL_GL_PASS_INVERSE_Y_COLOUR : ODL_GL_PASS_INVERSE_Y),
    .defines = defines,
    .reach = synthesis_reach (s),
    .shortest = n,
  };

  if (lines == 0)
    return true;

  OdlGlDraw *draw = add_draw (c, &params, parity >= 0);
  if (draw == NULL)
    return false;
  if (parity >= 0)
    draw->vertices = 6 * lines;
  set_synthesis_textures (c, draw);
  draw->uniforms.n = n;
  memcpy (draw->uniforms.low_taps, s->uniforms.low_taps, sizeof s->uniforms.low_taps);
  memcpy (draw->uniforms.high_taps, s->uniforms.high_taps, sizeof s->uniforms.high_taps);
  return split_interior (c, &params, synthesis_interior (s));
}

static bool
compile_inverse (Compiler *c)
{
  Synthesis s;

  synthesis_init (&s, c->step->wavelet,
                  c->step->axis == ODL_AXIS_X ? c->out->width : c->out->height);
  if (c->params->whole_lines)
    return add_synthesis (c, &s, -1);
  return add_synthesis (c, &s, 0) && add_synthesis (c, &s, 1);
}

static bool
add_band (Compiler *c, const OdlGlSlot *source, const OdlSlot *bands, int band)
{
  const bool colour = is_colour (c);
  const bool right = band >= 2; // LL, LH, HL, HH
  const bool below = band % 2 == 1;
  const int viewport[4] = {
    right ? odl_low_count (bands->width) : 0,
    below ? odl_low_count (bands->height) : 0,
    right ? odl_high_count (bands->width) : odl_low_count (bands->width),
    below ? odl_high_count (bands->height) : odl_low_count (bands->height),
  };

  if (viewport[2] == 0 || viewport[3] == 0)
    return true;

  OdlGlDraw *draw = add_draw (
      c, &(DrawParams){ .pass = colour ? ODL_GL_PASS_LAYOUT_COLOUR : ODL_GL_PASS_LAYOUT },
      false);
  if (draw == NULL)
    return false;
  memset (draw->textures, 0, sizeof draw->textures);
  draw->textures[0] = source->textures[colour ? band : 0];
  memcpy (draw->viewport, viewport, sizeof viewport);
  memcpy (draw->uniforms.origin, viewport, sizeof draw->uniforms.origin);
  draw->uniforms.pick[band] = 1;
  return true;
}

static bool
compile_layout (Compiler *c)
{
  const OdlSlot *bands = &c->params->plan->slots[c->step->reads[1]];
  const int approx = c->step->reads[0];

  if (approx != ODL_PLAN_NO_SLOT
      && !add_band (c, odl_gl_targets_slot (c->params->targets, approx), bands, 0))
    return false;
  for (int band = 1; band < 4; band++)
    if (!add_band (c, odl_gl_targets_slot (c->params->targets, c->step->reads[1]), bands,
                   band))
      return false;
  return true;
}

typedef bool (*CompileFunction) (Compiler *c);

static const CompileFunction compile_functions[] = {
  [ODL_STEP_LOAD] = compile_load,           [ODL_STEP_LUMA] = compile_luma,
  [ODL_STEP_CONVOLVE] = compile_convolve,   [ODL_STEP_SHARPEN] = compile_sharpen,
  [ODL_STEP_FORWARD] = compile_forward,     [ODL_STEP_THRESHOLD] = compile_threshold,
  [ODL_STEP_INVERSE] = compile_inverse,     [ODL_STEP_LAYOUT] = compile_layout,
  [ODL_STEP_RECOMBINE] = compile_recombine,
};

bool
odl_gl_steps_compile_spatial (const OdlGlSpatialParams *params, GError **error)
{
  const OdlGlStepsParams own = { .plan = params->plan, .programs = params->programs };
  Compiler c = {
    .params = &own,
    .draws = params->draws,
    .step = params->step,
    .out = &params->plan->slots[params->step->writes],
    .target = params->target,
    .error = error,
  };

  memcpy (c.sources, params->sources, sizeof c.sources);
  return compile_functions[params->step->kind](&c);
}

GArray *
odl_gl_steps_compile (const OdlGlStepsParams *params, GError **error)
{
  const OdlPlan *plan = params->plan;
  g_autoptr (GArray) draws = g_array_new (FALSE, TRUE, sizeof (OdlGlDraw));

  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    Compiler c = {
      .params = params,
      .draws = draws,
      .step = step,
      .out = &plan->slots[step->writes],
      .target = odl_gl_targets_slot (params->targets, step->writes),
      .error = error,
    };
    for (int r = 0; r < 3 && step->reads[r] != ODL_PLAN_NO_SLOT; r++)
      c.sources[r] = odl_gl_targets_slot (params->targets, step->reads[r]);
    params->steps[i].first = (int) draws->len;
    if (!compile_functions[step->kind](&c))
      return NULL;
    params->steps[i].count = (int) draws->len - params->steps[i].first;
  }
  return g_steal_pointer (&draws);
}

void
odl_gl_step_parameters (const OdlStep *step, OdlGlUniforms *uniforms)
{
  G_STATIC_ASSERT (ODL_PLAN_MAX_RADIUS == ODL_GL_MAX_RADIUS);

  uniforms->threshold = (float) step->threshold;
  uniforms->hard = step->hard ? 1 : 0;
  uniforms->amount = (float) step->amount;
  uniforms->diagonal = step->neighbours == 8 ? 1 : 0;
  uniforms->radius = step->radius;
  for (int k = 0; k <= step->radius; k++)
    uniforms->kernel[k] = (float) step->taps[k];
}
