// SPDX-License-Identifier: MIT
#include "engine/gl/operands.h"

typedef struct {
  OdlGlUpload *upload;
  OdlImage *image; // the uploaded image; NULL: none
  OdlGlDraw draw; // inputs of a draw call that reads `image`
} Operand;

struct _OdlGlOperands {
  const OdlGlCaps *caps;
  OdlGlPrograms *programs;
  OdlEngineCounters *counters;
  OdlImagePool *no_pool; // always NULL: operands are in no pool
  GPtrArray *all; // Operand; the first is input 1
};

static void
operand_free (void *data)
{
  Operand *operand = data;

  odl_gl_upload_free (operand->upload);
  g_clear_pointer (&operand->image, odl_image_unref);
  g_free (operand);
}

OdlGlOperands *
odl_gl_operands_new (const OdlGlCaps *caps,
                     OdlGlPrograms *programs,
                     OdlEngineCounters *counters)
{
  OdlGlOperands *operands = g_new0 (OdlGlOperands, 1);

  operands->caps = caps;
  operands->programs = programs;
  operands->counters = counters;
  operands->all = g_ptr_array_new_with_free_func (operand_free);
  return operands;
}

void
odl_gl_operands_free (OdlGlOperands *operands)
{
  if (operands == NULL)
    return;
  g_ptr_array_unref (operands->all);
  g_free (operands);
}

void
odl_gl_operands_keep (OdlGlOperands *operands, int n)
{
  if ((int) operands->all->len > n)
    g_ptr_array_set_size (operands->all, n);
}

static Operand *
operand_at (OdlGlOperands *operands, int input)
{
  while ((int) operands->all->len < input) {
    Operand *operand = g_new0 (Operand, 1);
    operand->upload = odl_gl_upload_new (operands->caps, operands->programs,
                                         operands->counters, &operands->no_pool);
    g_ptr_array_add (operands->all, operand);
  }
  return g_ptr_array_index (operands->all, input - 1);
}

bool
odl_gl_operands_load (OdlGlOperands *operands,
                      const OdlStep *step,
                      OdlGlDraw *draw,
                      GError **error)
{
  Operand *operand = operand_at (operands, step->input);
  OdlImage *image = step->parameters.operand;
  const OdlGlDraw own = *draw;

  if (operand->image != image || operand->draw.precision != own.precision) {
    g_clear_pointer (&operand->image, odl_image_unref);
    if (!odl_gl_upload_image (operand->upload, image, own.precision, draw, error))
      return false;
    odl_gl_upload_drop_buffers (operand->upload);
    operand->image = odl_image_ref (image);
    operand->draw = *draw;
  }
  *draw = operand->draw;
  draw->framebuffer = own.framebuffer;
  draw->uniforms.bias = own.uniforms.bias;
  return true;
}
