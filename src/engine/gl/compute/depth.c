// SPDX-License-Identifier: MIT
// Dispatches of the steps along z of volumes (shaders/include/depth.glsl), whose details
// synthesis shrinks as it reads them.
#include "engine/gl/compute/step_compiler.h"

#include "engine/gl/compute/bank.h"
#include "engine/gl/compute/lanes.h"
#include "engine/gl/steps.h"
#include "plan/flow.h"
#include "wavelet/border.h"

#define GROUP 64 // invocations, a quad each
#define MOST_PAIRS 16 // of slices, that an invocation makes
#define LEAST_PAIRS 4
#define ENOUGH_INVOCATIONS (1 << 17) // of an H200
// Transforms reach four slices beyond a line; shorter lines are mirrored more than once.
#define NEAR_DEPTH 8

static bool
lifts (const OdlGlStepCompiler *c, int depth)
{
  const OdlStep *step = c->step;

  if (depth == 1)
    return false; // it is copied
  return step->wavelet->reversible
         || (step->wavelet->lifting.count > 0 && !c->params->convolution
             && step->border != ODL_BORDER_ZERO
             && odl_border_length (step->border, depth) == depth);
}

static char *
depth_defines (const OdlGlStepCompiler *c, int depth, const char *more)
{
  const OdlStep *step = c->step;
  GString *text = g_string_new (more);

  g_string_append_printf (text, "#define GROUP %d\n#define BORDER %d\n", GROUP,
                          step->border);
  if (!lifts (c, depth)) {
    g_string_append_printf (text,
                            "#define PAD %d\n#define TAPS_MAX %d\n#define FOLD_FAR\n",
                            ODL_GL_BANK_PAD, ODL_GL_MAX_TAPS);
    return g_string_free (text, FALSE);
  }
  g_autoptr (GString) lifting = odl_gl_lifting_defines (step);
  g_string_append (text, lifting->str);
  if (step->wavelet->reversible)
    odl_gl_append_whole_defines (text, step);
  if (depth < NEAR_DEPTH)
    g_string_append (text, "#define FOLD_FAR\n");
  return g_string_free (text, FALSE);
}

// Pairs of slices for each invocation: many, since each begins two pairs before its own,
// but few where there are not enough invocations.
static int
share (int quads, int channels, int depth)
{
  const int pairs = (depth + 1) / 2;
  int rows = MOST_PAIRS;

  while (rows > LEAST_PAIRS
         && (double) quads * channels * ((pairs + rows - 1) / rows) < ENOUGH_INVOCATIONS)
    rows /= 2;
  return rows;
}

static void
cover_columns (const OdlGlStepCompiler *c,
               const OdlGlStore *source,
               const OdlGlStore *target,
               OdlGlDispatch *dispatch)
{
  OdlGlUniforms *uniforms = &dispatch->uniforms;
  const int depth = target->slices, quads = target->plane;

  uniforms->size[0] = quads;
  uniforms->size[1] = depth;
  uniforms->source_layout[0] = source->plane;
  uniforms->source_layout[1] = source->plane * source->slices;
  uniforms->target_layout[0] = target->plane;
  uniforms->target_layout[1] = target->plane * target->slices;
  uniforms->rows = share (quads, target->planes, depth);
  if (!lifts (c, depth)) {
    uniforms->lone[1] = odl_gl_lone_sample (c->step->border, depth);
    if (depth > 1)
      odl_gl_bank_taps (c->step, c->step->kind == ODL_STEP_FORWARD, uniforms);
  }
  dispatch->groups[0] = (GLuint) ((quads + GROUP - 1) / GROUP);
  dispatch->groups[1]
      = (GLuint) (((depth + 1) / 2 + uniforms->rows - 1) / uniforms->rows);
  dispatch->groups[2] = (GLuint) target->planes;
}

static bool
compile_forward (OdlGlStepCompiler *c)
{
  const OdlGlStore *source = store_at (c->params, c->step->reads[0]);
  const OdlGlStore *target = store_at (c->params, c->step->writes);
  OdlGlDispatch dispatch = new_dispatch (c);
  g_autofree char *precisions
      = odl_gl_precision_defines (c->params->caps, source, target->precision);
  g_autofree char *defines = depth_defines (c, target->slices, precisions);

  cover_columns (c, source, target, &dispatch);
  dispatch.buffers[0] = source->buffer;
  dispatch.buffers[1] = target->buffer;
  return odl_gl_add_dispatch (c, ODL_GL_PASS_COMPUTE_DEPTH_FORWARD, defines, &dispatch);
}

static bool
compile_inverse (OdlGlStepCompiler *c)
{
  const OdlPlan *plan = c->params->plan;
  const int writer = odl_plan_last_writer (plan, c->step->reads[1], c->index);
  const bool fused = odl_plan_is_fused_threshold (plan, writer);
  const OdlGlStore *approx = store_at (c->params, c->step->reads[0]);
  const OdlGlStore *details
      = store_at (c->params, fused ? plan->steps[writer].reads[0] : c->step->reads[1]);
  const OdlGlStore *target = store_at (c->params, c->step->writes);
  OdlGlDispatch dispatch = new_dispatch (c);
  g_autofree char *precisions
      = odl_gl_precision_defines (c->params->caps, details, target->precision);
  const OdlStep *threshold = fused ? &plan->steps[writer] : c->step;
  g_autofree char *own = g_strconcat (
      precisions, odl_gl_measured_defines (odl_step_numbers (threshold)), NULL);
  g_autofree char *defines = depth_defines (c, target->slices, own);

  cover_columns (c, details, target, &dispatch);
  odl_gl_bind_numbers (c, threshold, 2, &dispatch);
  if (fused)
    dispatch.parameters = writer;
  dispatch.uniforms.approx_plane = approx->plane;
  dispatch.uniforms.second_layout[0] = details->plane / ODL_BANDS;
  dispatch.uniforms.second_layout[1] = approx->plane * approx->slices;
  dispatch.buffers[0] = approx->buffer;
  dispatch.buffers[1] = details->buffer;
  dispatch.buffers[2] = target->buffer;
  return odl_gl_add_dispatch (c, ODL_GL_PASS_COMPUTE_DEPTH_INVERSE, defines, &dispatch);
}

bool
odl_gl_compile_depth (OdlGlStepCompiler *c)
{
  return c->step->kind == ODL_STEP_FORWARD ? compile_forward (c) : compile_inverse (c);
}

bool
odl_gl_compile_depth_threshold (OdlGlStepCompiler *c)
{
  const OdlGlStore *source = store_at (c->params, c->step->reads[0]);
  const OdlGlStore *target = store_at (c->params, c->step->writes);
  OdlGlDispatch dispatch = new_dispatch (c);
  g_autofree char *precisions
      = odl_gl_precision_defines (c->params->caps, source, target->precision);
  g_autofree char *rule = odl_gl_rule_defines (c->step);
  const int radius = c->step->side / 2;
  g_autofree char *defines = g_strdup_printf (
      "%s%s%s#define GROUP %d\n#define RADIUS %d\n", precisions, rule,
      odl_gl_measured_defines (odl_step_numbers (c->step)), GROUP, radius);
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];

  dispatch.uniforms.extent[0] = slot->width;
  dispatch.uniforms.extent[1] = slot->height;
  dispatch.uniforms.source_layout[0] = source->pitch;
  dispatch.uniforms.size[1] = target->plane;
  dispatch.uniforms.depth = target->slices;
  dispatch.uniforms.approx_plane = target->plane / ODL_BANDS;
  dispatch.groups[0] = (GLuint) ((target->plane + GROUP - 1) / GROUP);
  dispatch.groups[1] = 1;
  dispatch.groups[2] = (GLuint) (target->planes * target->slices);
  dispatch.buffers[0] = source->buffer;
  dispatch.buffers[1] = target->buffer;
  odl_gl_bind_numbers (c, c->step, 1, &dispatch);
  return odl_gl_add_dispatch (c, ODL_GL_PASS_COMPUTE_DEPTH_THRESHOLD, defines, &dispatch);
}
