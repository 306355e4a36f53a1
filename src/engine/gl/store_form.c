// SPDX-License-Identifier: MIT
#include "engine/gl/store_form.h"

#include "engine/gl/fragment/halves.h"
#include "plan/flow.h"

static const OdlGlStoreForm flat_forms[] = {
  { ODL_SLOT_PICTURE, 1, 1, { { 1, 1, 1 } }, { { 0, 1 } } },
  { ODL_SLOT_PICTURE, 3, 1, { { 4, 1, 1 } }, { { 0, 1 } } },
  { ODL_SLOT_HALF, 1, 1, { { 2, 2, 1 } }, { { 0, 1 } } },
  { ODL_SLOT_HALF, 3, 2, { { 4, 2, 1 }, { 4, 2, 1 } }, { { 0, 2 } } },
  { ODL_SLOT_BANDS, 1, 1, { { 4, 2, 2 } }, { { 0, 1 } } },
  { ODL_SLOT_BANDS,
    3,
    4,
    { { 4, 2, 2 }, { 4, 2, 2 }, { 4, 2, 2 }, { 4, 2, 2 } },
    {
        [ODL_GL_BANDS_LOW] = { 0, 2 },
        [ODL_GL_BANDS_HIGH] = { 2, 2 },
        [ODL_GL_BANDS_DETAILS] = { 1, 3 },
    } },
};

// Packed slots, [1] of colours. Pictures have both forms, flat and packed: textures that
// no step needs are left out.
static const OdlGlStoreForm packed_pictures[2] = {
  { ODL_SLOT_PICTURE,
    1,
    2,
    { { 1, 1, 1 }, { 4, 2, 2 } },
    { [ODL_GL_PICTURE_FLAT] = { 0, 1 }, [ODL_GL_PICTURE_PACKED] = { 1, 1 } } },
  { ODL_SLOT_PICTURE,
    3,
    4,
    { { 4, 1, 1 }, { 4, 2, 2 }, { 4, 2, 2 }, { 4, 2, 2 } },
    { [ODL_GL_PICTURE_FLAT] = { 0, 1 }, [ODL_GL_PICTURE_PACKED] = { 1, 3 } } },
};
static const OdlGlStoreForm packed_halves[2] = {
  { ODL_SLOT_HALF, 1, 1, { { 4, 2, 2 } }, { { 0, 1 } } },
  { ODL_SLOT_HALF, 3, 3, { { 4, 2, 2 }, { 4, 2, 2 }, { 4, 2, 2 } }, { { 0, 3 } } },
};
static const OdlGlStoreForm packed_bands[2] = {
  { ODL_SLOT_BANDS, 1, 1, { { 4, 2, 2 } }, { { 0, 1 } } },
  { ODL_SLOT_BANDS, 3, 3, { { 4, 2, 2 }, { 4, 2, 2 }, { 4, 2, 2 } }, { { 0, 3 } } },
};
const OdlGlStoreForm odl_gl_no_store = { ODL_SLOT_BANDS, 1, 0, { { 0 } }, { { 0 } } };

bool
odl_gl_is_packed (const OdlPlan *plan, OdlGlVariant variant, int slot, int before)
{
  const int writer = odl_plan_last_writer (plan, slot, before);

  return variant == ODL_GL_PACKED && writer >= 0
         && plan->steps[writer].kind == ODL_STEP_INVERSE
         && plan->steps[writer].axis == ODL_AXIS_X;
}

// Whether `step` reads the picture flat: steps of transforms do not, and a filtered luma
// is put back as synthesis left it.
static bool
reads_flat (const OdlPlan *plan, int index, int slot)
{
  const OdlStep *step = &plan->steps[index];

  if (odl_step_class (step) == ODL_STEP_CLASS_TRANSFORM || !odl_step_reads (step, slot))
    return false;
  return step->kind != ODL_STEP_RECOMBINE || step->reads[0] == slot
         || step->reads[1] == slot
         || !odl_gl_is_packed (plan, ODL_GL_PACKED, slot, index);
}

// Whether a step writes a texture of a packed picture or reads it; steps other than those
// of transforms read flat pictures only.
static bool
picture_needs (const OdlPlan *plan, int slot, int texture)
{
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    const bool inverse = step->kind == ODL_STEP_INVERSE;
    if (step->writes == slot && inverse == (texture >= ODL_GL_PICTURE_PACKED))
      return true;
    if (texture == ODL_GL_PICTURE_FLAT && reads_flat (plan, i, slot))
      return true;
  }
  return false;
}

// Bands that only fused thresholds write have no store; most halves are transient.
static bool
needs_store (const OdlPlan *plan, int slot)
{
  if (plan->slots[slot].kind == ODL_SLOT_HALF)
    return odl_gl_must_stay (plan, odl_plan_last_writer (plan, slot, plan->n_steps));
  for (int i = 0; i < plan->n_steps; i++)
    if (plan->steps[i].writes == slot && !odl_plan_is_fused_threshold (plan, i))
      return true;
  return false;
}

static const OdlGlStoreForm *
packed_form_of (const OdlPlan *plan, int slot)
{
  const int colour = plan->slots[slot].channels == 3;

  switch (plan->slots[slot].kind) {
  case ODL_SLOT_PICTURE:
    return &packed_pictures[colour];
  case ODL_SLOT_HALF:
    return needs_store (plan, slot) ? &packed_halves[colour] : &odl_gl_no_store;
  case ODL_SLOT_OCTANTS: // of volumes, which GL engines do not run
  case ODL_SLOT_BANDS:
    break;
  case ODL_SLOT_MASK: // measure.h has these
  case ODL_SLOT_NUMBERS:
    return &odl_gl_no_store;
  }
  return needs_store (plan, slot) ? &packed_bands[colour] : &odl_gl_no_store;
}

const OdlGlStoreForm *
odl_gl_store_form_of (const OdlPlan *plan, OdlGlVariant variant, int slot)
{
  const OdlSlot *wanted = &plan->slots[slot];

  if (variant == ODL_GL_PACKED)
    return packed_form_of (plan, slot);
  if (wanted->kind == ODL_SLOT_MASK || wanted->kind == ODL_SLOT_NUMBERS)
    return &odl_gl_no_store;
  for (size_t i = 0; i < G_N_ELEMENTS (flat_forms); i++)
    if (flat_forms[i].kind == wanted->kind && flat_forms[i].channels == wanted->channels)
      return &flat_forms[i];
  g_assert_not_reached ();
}

const OdlGlStoreForm *
odl_gl_store_form_of_half (const OdlPlan *plan, int slot)
{
  return &packed_halves[plan->slots[slot].channels == 3];
}

bool
odl_gl_store_form_needs (const OdlPlan *plan,
                         const OdlGlStoreForm *form,
                         int slot,
                         int texture)
{
  const bool both_forms = form == &packed_pictures[0] || form == &packed_pictures[1];

  return !both_forms || picture_needs (plan, slot, texture);
}
