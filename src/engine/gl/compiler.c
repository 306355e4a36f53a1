// SPDX-License-Identifier: MIT
#include "engine/gl/compiler.h"

#include <string.h>

// For narrower interiors two more draw calls cost more than they save.
#define LEAST_INTERIOR 24

// The program of a pass, with `border` in front of its defines.
static const OdlGlProgram *
program_of (OdlGlCompiler *c, const OdlGlDrawParams *params, const char *border)
{
  g_autofree char *defines
      = g_strconcat (c->target->precision == 16 ? "#define HALF_TARGET\n" : "", border,
                     params->defines, NULL);

  return odl_gl_programs_get (c->params->programs, params->pass, params->lines, defines,
                              c->error);
}

OdlGlDraw *
odl_gl_compiler_draw (OdlGlCompiler *c, const OdlGlDrawParams *params)
{
  const bool far = params->reach > params->shortest - 1;
  OdlGlDraw draw = {
    .framebuffer = c->target->framebuffers[params->framebuffer],
    .vertices = 3,
  };

  odl_gl_store_framebuffer_size (c->target, params->framebuffer, draw.viewport + 2);
  memcpy (draw.uniforms.extent, draw.viewport + 2, sizeof draw.uniforms.extent);

  draw.program = program_of (c, params, far ? "#define FOLD_FAR\n" : "");
  if (draw.program == NULL)
    return NULL;
  for (int i = 0; i < 3 && c->sources[i] != NULL; i++)
    draw.textures[i] = c->sources[i]->textures[0];
  g_array_append_val (c->draws, draw);
  return &g_array_index (c->draws, OdlGlDraw, c->draws->len - 1);
}

void
odl_gl_compiler_cut (const OdlGlCompiler *c, OdlGlDraw *draw, OdlGlRange lines)
{
  const int axis = c->step->axis == ODL_AXIS_X ? 0 : 1;

  draw->viewport[axis] = lines.from;
  draw->viewport[2 + axis] = lines.to - lines.from;
}

bool
odl_gl_compiler_split (OdlGlCompiler *c, const OdlGlDrawParams *params, OdlGlRange inside)
{
  const OdlGlDraw whole = g_array_index (c->draws, OdlGlDraw, c->draws->len - 1);
  const int axis = c->step->axis == ODL_AXIS_X ? 0 : 1;
  const OdlGlRange parts[]
      = { inside, { 0, inside.from }, { inside.to, whole.viewport[2 + axis] } };

  if (!c->params->interiors || inside.to - inside.from < LEAST_INTERIOR)
    return true;

  const OdlGlProgram *program = program_of (c, params, "#define INTERIOR\n");
  if (program == NULL)
    return false;
  g_array_set_size (c->draws, c->draws->len - 1);
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++) {
    OdlGlDraw part = whole;
    if (i == 0)
      part.program = program;
    odl_gl_compiler_cut (c, &part, parts[i]);
    if (parts[i].to > parts[i].from)
      g_array_append_val (c->draws, part);
  }
  return true;
}
