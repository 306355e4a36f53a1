// SPDX-License-Identifier: MIT
#include "engine/gl/compute/step_compiler.h"

#include "engine/gl/steps.h"
#include "plan/flow.h"

// Of include/quads.glsl.
#define QUAD_GROUP_X 16
#define QUAD_GROUP_Y 8
#define NUMBERS_BINDING 3 // of include/shrink.glsl

void
odl_gl_cover_quads (OdlGlDispatch *dispatch,
                    int width,
                    int height,
                    const OdlGlStore *target,
                    int planes)
{
  dispatch->uniforms.size[0] = width;
  dispatch->uniforms.size[1] = height;
  odl_gl_set_layout (dispatch->uniforms.target_layout, target);
  dispatch->groups[0] = (GLuint) ((target->pitch + QUAD_GROUP_X - 1) / QUAD_GROUP_X);
  dispatch->groups[1] = (GLuint) ((height + QUAD_GROUP_Y - 1) / QUAD_GROUP_Y);
  dispatch->groups[2] = (GLuint) (planes * target->slices);
}

void
odl_gl_cover_tall (OdlGlDispatch *dispatch,
                   int width,
                   int height,
                   const OdlGlStore *target,
                   int channels)
{
  odl_gl_cover_quads (dispatch, width, height * target->slices, target, channels);
  dispatch->uniforms.target_layout[1] = target->plane * target->slices;
  dispatch->groups[2] = (GLuint) channels;
}

void
odl_gl_bind_numbers (const OdlGlStepCompiler *c,
                     const OdlStep *step,
                     int target,
                     OdlGlDispatch *dispatch)
{
  const int numbers = odl_step_numbers (step);

  if (numbers == ODL_PLAN_NO_SLOT)
    return;
  dispatch->buffers[NUMBERS_BINDING] = store_at (c->params, numbers)->buffer;
  dispatch->written = 1u << target;
}

bool
odl_gl_add_dispatch (const OdlGlStepCompiler *c,
                     OdlGlPassId pass,
                     const char *defines,
                     OdlGlDispatch *dispatch)
{
  dispatch->program
      = odl_gl_programs_get (c->params->programs, pass, false, defines, c->error);
  if (dispatch->program == NULL)
    return false;
  g_array_append_val (c->dispatches, *dispatch);
  return true;
}

bool
odl_gl_add_quads (OdlGlStepCompiler *c,
                  OdlGlPassId pass,
                  const char *more_defines,
                  OdlGlDispatch dispatch)
{
  const OdlPlan *plan = c->params->plan;
  const OdlSlot *slot = &plan->slots[c->step->writes];
  const OdlGlStore *target
      = store_at (c->params, c->sum != NULL ? c->sum->writes : c->step->writes);
  const int reads
      = c->step->reads[0] != ODL_PLAN_NO_SLOT ? c->step->reads[0] : c->step->reads[1];
  const OdlGlStore *source
      = reads != ODL_PLAN_NO_SLOT ? store_at (c->params, reads) : NULL;
  g_autofree char *precisions
      = odl_gl_precision_defines (c->params->caps, source, target->precision);
  g_autofree char *defines = g_strconcat (precisions, more_defines, NULL);
  int n = 0;

  if (c->step->kind == ODL_STEP_LAYOUT)
    dispatch.buffers[n++] = source->buffer; // the bindings stay where they are
  for (int r = n; r < ODL_STEP_MOST_READS; r++)
    if (c->step->reads[r] != ODL_PLAN_NO_SLOT
        && c->step->reads[r] != odl_step_numbers (c->step))
      dispatch.buffers[n++] = store_at (c->params, c->step->reads[r])->buffer;
  dispatch.buffers[n] = target->buffer;
  odl_gl_bind_numbers (c, c->step, n, &dispatch);
  if (dispatch.groups[0] == 0)
    odl_gl_cover_quads (&dispatch, slot->width, slot->height, target, slot->channels);
  return odl_gl_add_dispatch (c, pass, defines, &dispatch);
}
