// SPDX-License-Identifier: MIT
#include "engine/gl/steps_along.h"

#include <string.h>

#include "filter/own/own.h"
#include "image/contour/contour.h"
#include "plan/compression.h"
#include "plan/numbers.h"

static bool
is_packed (const OdlGlCompiler *c)
{
  return c->params->variant == ODL_GL_PACKED;
}

static bool
compile_load (OdlGlCompiler *c)
{
  const OdlGlDraw draw = {
    .framebuffer = c->target->framebuffers[0],
    .precision = c->target->precision,
    .uniforms.bias = odl_gl_bias (c->params->plan->precision),
  };

  g_array_append_val (c->draws, draw);
  return true;
}

static bool
compile_luma (OdlGlCompiler *c)
{
  return odl_gl_compiler_draw (c, &(OdlGlDrawParams){ .pass = ODL_GL_PASS_LUMA }) != NULL;
}

static bool
compile_recombine (OdlGlCompiler *c)
{
  const bool packed = odl_gl_is_packed (c->params->plan, c->params->variant,
                                        c->step->reads[2], c->index);
  OdlGlDraw *draw = odl_gl_compiler_draw (
      c, &(OdlGlDrawParams){ .pass = ODL_GL_PASS_RECOMBINE,
                             .defines = packed ? "#define PACKED\n" : "" });

  if (draw != NULL && packed)
    draw->textures[2] = c->sources[2]->textures[ODL_GL_PICTURE_PACKED];
  return draw != NULL;
}

static bool
compile_sized (OdlGlCompiler *c, const OdlGlDrawParams *params)
{
  OdlGlDraw *draw = odl_gl_compiler_draw (c, params);

  if (draw == NULL)
    return false;
  draw->uniforms.size[0] = c->out->width;
  draw->uniforms.size[1] = c->out->height;
  return true;
}

static bool
compile_convolve (OdlGlCompiler *c)
{
  // The radius may change from frame to frame; the program supports all radii.
  return compile_sized (c, &(OdlGlDrawParams){ .pass = ODL_GL_PASS_CONVOLVE,
                                               .defines = odl_gl_compiler_axis (c),
                                               .reach = ODL_PLAN_MAX_RADIUS,
                                               .shortest = c->step->axis == ODL_AXIS_X
                                                               ? c->out->width
                                                               : c->out->height });
}

// For every kind whose shader is in shaders/spatial/.
static bool
compile_spatial (OdlGlCompiler *c)
{
  g_autofree char *defines = odl_gl_step_defines (c->params->plan, c->step);

  if (!compile_sized (
          c, &(OdlGlDrawParams){ .pass = ODL_GL_PASS_SPATIAL, .defines = defines }))
    return false;
  OdlGlUniforms *uniforms
      = &g_array_index (c->draws, OdlGlDraw, c->draws->len - 1).uniforms;
  odl_gl_step_taps (c->step, uniforms);
  uniforms->bias = odl_gl_bias (c->params->plan->precision);
  return true;
}

// What is moved, or made of beams, has a size of its own, and a border.
static bool
compile_resized (OdlGlCompiler *c)
{
  const OdlSlot *source = &c->params->plan->slots[c->step->reads[0]];
  g_autofree char *step = odl_gl_step_defines (c->params->plan, c->step);
  g_autofree char *defines
      = g_strdup_printf ("%s#define BORDER %d\n#define SOURCE_SIZE ivec2 (%d, %d)\n",
                         step, (int) c->step->border, source->width, source->height);

  if (!compile_sized (
          c, &(OdlGlDrawParams){ .pass = ODL_GL_PASS_SPATIAL, .defines = defines }))
    return false;
  g_array_index (c->draws, OdlGlDraw, c->draws->len - 1).uniforms.bias
      = odl_gl_bias (c->params->plan->precision);
  return true;
}

// The framebuffer is set for every frame.
static bool
compile_recursive (OdlGlCompiler *c)
{
  return odl_gl_compiler_draw (c, &(OdlGlDrawParams){ .pass = ODL_GL_PASS_RECURSIVE })
         != NULL;
}

static bool
compile_persistence (OdlGlCompiler *c)
{
  return compile_sized (
      c, &(OdlGlDrawParams){ .pass = ODL_GL_PASS_PERSISTENCE,
                             .reach = 2,
                             .shortest = MIN (c->out->width, c->out->height) });
}

static bool
compile_window (OdlGlCompiler *c)
{
  const bool median = c->step->kind == ODL_STEP_TEMPORAL_MEDIAN;
  g_autofree char *defines = g_strdup_printf ("#define FRAMES %d\n", c->step->frames);

  return odl_gl_compiler_draw (
             c, &(OdlGlDrawParams){ .pass = median ? ODL_GL_PASS_TEMPORAL_MEDIAN
                                                   : ODL_GL_PASS_MEAN,
                                    .defines = defines })
         != NULL;
}

static bool
compile_threshold (OdlGlCompiler *c)
{
  const bool colour = odl_gl_compiler_is_colour (c);
  g_autofree char *rule = odl_gl_rule_defines (c->step);
  OdlGlDrawParams params = { .pass = ODL_GL_PASS_THRESHOLD, .defines = rule };
  int first = 0; // of the textures that it reads

  if (c->target->form->n_textures == 0)
    return true; // done by synthesis
  if (is_packed (c)) {
    if (colour)
      params.pass = ODL_GL_PASS_THRESHOLD_PACKED_COLOUR;
  } else if (colour) {
    params.framebuffer = ODL_GL_BANDS_DETAILS;
    params.pass = ODL_GL_PASS_THRESHOLD_COLOUR;
    first = 1;
  }
  OdlGlDraw *draw = odl_gl_compiler_draw (c, &params);
  if (draw == NULL)
    return false;
  memcpy (draw->textures, &c->sources[0]->textures[first],
          c->out->channels * sizeof *draw->textures);
  return true;
}

// `count` textures of both pictures from number `first` on.
static bool
add_combine (OdlGlCompiler *c, OdlGlPassId pass, int framebuffer, int first, int count)
{
  g_autofree char *step = odl_gl_step_defines (c->params->plan, c->step);
  g_autofree char *defines = g_strconcat (step, first == 0 ? "#define LEFT\n" : "", NULL);
  OdlGlDraw *draw = odl_gl_compiler_draw (
      c,
      &(OdlGlDrawParams){ .pass = pass, .defines = defines, .framebuffer = framebuffer });

  if (draw == NULL)
    return false;
  for (int picture = 0; picture < 2; picture++)
    memcpy (draw->textures + picture * count, &c->sources[picture]->textures[first],
            count * sizeof *draw->textures);
  draw->uniforms.bias = odl_gl_bias (c->params->plan->precision);
  return true;
}

static bool
compile_combine (OdlGlCompiler *c)
{
  if (!odl_gl_compiler_is_colour (c))
    return add_combine (c, ODL_GL_PASS_COMBINE, 0, 0, 1);
  if (is_packed (c))
    return add_combine (c, ODL_GL_PASS_COMBINE_PACKED_COLOUR, 0, 0, 3);
  return add_combine (c, ODL_GL_PASS_COMBINE_COLOUR, ODL_GL_BANDS_LOW, 0, 2)
         && add_combine (c, ODL_GL_PASS_COMBINE_COLOUR, ODL_GL_BANDS_HIGH, 2, 2);
}

static bool
add_band (OdlGlCompiler *c,
          const OdlGlTextureStore *source,
          const OdlSlot *bands,
          int band)
{
  const bool colour = odl_gl_compiler_is_colour (c);
  const bool of_its_own = colour && !is_packed (c); // a texture
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

  OdlGlDraw *draw = odl_gl_compiler_draw (
      c, &(OdlGlDrawParams){ .pass = of_its_own ? ODL_GL_PASS_LAYOUT_COLOUR
                                     : colour   ? ODL_GL_PASS_LAYOUT_PACKED_COLOUR
                                                : ODL_GL_PASS_LAYOUT });
  if (draw == NULL)
    return false;
  memset (draw->textures, 0, sizeof draw->textures);
  memcpy (draw->textures, source->textures + (of_its_own ? band : 0),
          (of_its_own ? 1 : c->out->channels) * sizeof *draw->textures);
  memcpy (draw->viewport, viewport, sizeof viewport);
  memcpy (draw->uniforms.origin, viewport, sizeof draw->uniforms.origin);
  draw->uniforms.pick[band] = 1;
  return true;
}

static bool
compile_layout (OdlGlCompiler *c)
{
  const OdlSlot *bands = &c->params->plan->slots[c->step->reads[1]];
  const int approx = c->step->reads[0];

  if (approx != ODL_PLAN_NO_SLOT
      && !add_band (c, odl_gl_texture_stores_at (c->params->stores, approx), bands, 0))
    return false;
  for (int band = 1; band < 4; band++)
    if (!add_band (c, odl_gl_texture_stores_at (c->params->stores, c->step->reads[1]),
                   bands, band))
      return false;
  return true;
}

static bool
compile_forward (OdlGlCompiler *c)
{
  return is_packed (c) ? odl_gl_compile_packed (c) : odl_gl_compile_flat_forward (c);
}

static bool
compile_inverse (OdlGlCompiler *c)
{
  return is_packed (c) ? odl_gl_compile_packed (c) : odl_gl_compile_flat_inverse (c);
}

typedef bool (*CompileFunction) (OdlGlCompiler *c);

// Spatial steps without a function of their own take compile_spatial.
static const CompileFunction compile_functions[ODL_N_STEP_KINDS] = {
  [ODL_STEP_LOAD] = compile_load,
  [ODL_STEP_LUMA] = compile_luma,
  [ODL_STEP_CONVOLVE_LINE] = compile_convolve,
  [ODL_STEP_FORWARD] = compile_forward,
  [ODL_STEP_THRESHOLD] = compile_threshold,
  [ODL_STEP_INVERSE] = compile_inverse,
  [ODL_STEP_COMBINE] = compile_combine,
  [ODL_STEP_LAYOUT] = compile_layout,
  [ODL_STEP_SHIFT] = compile_resized,
  [ODL_STEP_SCAN_CONVERT] = compile_resized,
  [ODL_STEP_RECOMBINE] = compile_recombine,
  [ODL_STEP_RECURSIVE] = compile_recursive,
  [ODL_STEP_PERSISTENCE] = compile_persistence,
  [ODL_STEP_MEAN] = compile_window,
  [ODL_STEP_TEMPORAL_MEDIAN] = compile_window,
  [ODL_STEP_MAGNITUDE] = compile_spatial, // of IQ
};

bool
odl_gl_steps_have (const OdlStep *step)
{
  return compile_functions[step->kind] != NULL || odl_gl_has_spatial_shader (step);
}

static bool
compile_step (OdlGlCompiler *c)
{
  const CompileFunction function = compile_functions[c->step->kind];

  if (odl_step_class (c->step) == ODL_STEP_CLASS_MEASURE)
    return true; // nothing is drawn: measure.h
  return function != NULL ? function (c) : compile_spatial (c);
}

bool
odl_gl_steps_compile_spatial (const OdlGlSpatialParams *params, GError **error)
{
  const OdlGlStepsParams own = { .plan = params->plan, .programs = params->programs };
  OdlGlCompiler c = {
    .params = &own,
    .draws = params->draws,
    .step = params->step,
    .out = &params->plan->slots[params->step->writes],
    .target = params->target,
    .error = error,
  };

  memcpy (c.sources, params->sources, sizeof c.sources);
  return compile_step (&c);
}

GArray *
odl_gl_steps_compile (const OdlGlStepsParams *params, GError **error)
{
  const OdlPlan *plan = params->plan;
  g_autoptr (GArray) draws = g_array_new (FALSE, TRUE, sizeof (OdlGlDraw));

  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    OdlGlCompiler c = {
      .params = params,
      .draws = draws,
      .step = step,
      .index = i,
      .out = &plan->slots[step->writes],
      .target = odl_gl_texture_stores_written (params->stores, plan, i),
      .error = error,
    };
    for (size_t r = 0; r < G_N_ELEMENTS (c.sources) && step->reads[r] != ODL_PLAN_NO_SLOT;
         r++)
      c.sources[r] = odl_gl_texture_stores_read (params->stores, plan, i, (int) r);
    params->steps[i].first = (int) draws->len;
    if (!compile_step (&c))
      return NULL;
    params->steps[i].count = (int) draws->len - params->steps[i].first;
    odl_gl_packed_in_strips (params, draws, i);
  }
  return g_steal_pointer (&draws);
}

// Each row of a kernel in whole quads; as many rows of a volume's as there is room for.
static void
set_coefficients (const OdlStep *step, OdlGlUniforms *uniforms)
{
  const int width = step->kernel_width, quads = (width + 3) / 4;

  const int rows = step->kernel_height * MAX (step->kernel_depth, 1);

  G_STATIC_ASSERT ((ODL_PLAN_MAX_KERNEL + 3) / 4 * ODL_PLAN_MAX_KERNEL
                   <= ODL_GL_KERNEL_QUADS);
  for (int y = 0; y < rows && (y + 1) * quads <= ODL_GL_KERNEL_QUADS; y++)
    memcpy (uniforms->coefficients[y * quads], step->parameters.kernel + y * width,
            width * sizeof (float));
}

void
odl_gl_step_parameters (const OdlStep *step, OdlGlUniforms *uniforms)
{
  G_STATIC_ASSERT (ODL_PLAN_MAX_RADIUS == ODL_GL_MAX_RADIUS);
  // Where there are as many fields as can be, one at least is of the structure.
  G_STATIC_ASSERT (ODL_STEP_MOST_FIELDS == ODL_GL_MOST_PARAMETERS + 1);
  const OdlStepParameters *own = &step->parameters;
  int n = 0;

  for (int band = 0; band < ODL_DETAIL_OCTANTS; band++)
    uniforms->thresholds[band] = (float) own->thresholds[band];
  uniforms->threshold = (float) own->threshold;
  uniforms->hard = (float) own->hard;
  uniforms->weight = (float) own->weight;
  uniforms->radius = own->radius;
  for (int c = 0; c < 3; c++)
    uniforms->weights[c] = (float) own->weights[c];
  for (int k = 0; k <= own->radius; k++)
    uniforms->kernel[k] = (float) own->taps[k];
  set_coefficients (step, uniforms);
  for (const OdlStepField *f = odl_step_row (step->kind)->fields; f->name != NULL; f++)
    if (!odl_step_field_is_structural (f))
      uniforms->parameters[n++] = (float) odl_step_field_value (step, f);
}

bool
odl_gl_has_spatial_shader (const OdlStep *step)
{
  const OdlStepRow *row = odl_step_row (step->kind);
  g_autofree char *file = g_strdup_printf ("spatial/%s.glsl", row->name);

  return row->class == ODL_STEP_CLASS_SPATIAL && odl_gl_has_shader (file);
}

// The shortest side along which the step looks.
static int
shortest_side (const OdlStep *step, const OdlSlot *out)
{
  return step->axis == ODL_AXIS_X   ? out->width
         : step->axis == ODL_AXIS_Y ? out->height
                                    : MIN (out->width, out->height);
}

// The taps for what a step with a wavelet reads, about one origin.
static OdlGlTapRange
taps_range (const OdlStep *step)
{
  const OdlTaps *low = odl_step_taps (step, 0), *high = odl_step_taps (step, 1);
  const int first = MIN (low->first, high->first);

  return (OdlGlTapRange){ first, MAX (low->first + low->count, high->first + high->count)
                                     - first };
}

void
odl_gl_step_taps (const OdlStep *step, OdlGlUniforms *uniforms)
{
  if (step->wavelet == NULL)
    return;
  const OdlGlTapRange range = taps_range (step);
  g_assert (range.count <= ODL_GL_MAX_TAPS);
  for (int r = 0; r < 2; r++) {
    const OdlTaps *taps = odl_step_taps (step, r);
    for (int k = 0; k < taps->count; k++)
      uniforms->low_taps[taps->first - range.first + k][r] = (float) taps->value[k];
  }
  uniforms->first = range.first;
  uniforms->spacing[step->axis == ODL_AXIS_X ? 0 : 1] = odl_step_spacing (step);
}

char *
odl_gl_rule_defines (const OdlStep *step)
{
  return g_strdup_printf ("#define RULE %d\n", step->rule);
}

char *
odl_gl_step_defines (const OdlPlan *plan, const OdlStep *step)
{
  const OdlStepRow *row = odl_step_row (step->kind);
  GString *defines = g_string_new (NULL);
  int n = 0;

  g_string_append_printf (defines, "#define STEP %s\n", row->name);
  for (const OdlStepField *f = row->fields; f->name != NULL; f++) {
    g_autofree char *name = g_ascii_strup (f->name, -1);
    if (odl_step_field_is_structural (f))
      g_string_append_printf (defines, "#define %s %d\n", name,
                              (int) odl_step_field_value (step, f));
    else
      g_string_append_printf (defines, "#define %s parameters[%d]\n", name, n++);
  }
  if (step->reads[1] != ODL_PLAN_NO_SLOT)
    g_string_append (defines, "#define SECOND\n");
  if (step->reads[1] != ODL_PLAN_NO_SLOT
      && plan->slots[step->reads[1]].channels < plan->slots[step->writes].channels)
    g_string_append (defines, "#define SECOND_GREY\n");
  if (step->kind == ODL_STEP_OUTLINE)
    g_string_append_printf (defines, "#define ROWS %d\n#define ROW %d\n",
                            (int) ODL_CONTOUR_ROWS, (int) ODL_CONTOUR_ROW);
  if (step->kind == ODL_STEP_LOG_COMPRESS)
    g_string_append_printf (defines, "#define PARTS %d\n#define LEAST_REFERENCE %g\n",
                            ODL_PEAK_PARTS, ODL_LEAST_REFERENCE);
  if (step->wavelet != NULL)
    g_string_append_printf (defines, "#define BORDER %d\n#define TAPS %d\n",
                            (int) step->border, taps_range (step).count);
  if (step->code != NULL)
    g_string_append_printf (defines, ODL_GL_OWN_CODE "%s\n", step->code->hash);
  if (step->code != NULL
      || odl_step_reach (step) > shortest_side (step, &plan->slots[step->writes]) - 1)
    g_string_append (defines, "#define FOLD_FAR\n");
  return g_string_free (defines, FALSE);
}
