// SPDX-License-Identifier: MIT
#include "engine/gl/variant.h"

#include <glib/gi18n-lib.h>

const OdlEngineVariant odl_gl_variants[ODL_GL_N_VARIANTS + 1] = {
  [ODL_GL_QUADS]
  = { "quads", N_ ("synthesis draws even and odd lines one by one"), false },
  [ODL_GL_PACKED]
  = { "packed", N_ ("four samples to a texel; nothing is drawn twice"), false },
  [ODL_GL_MIRROR]
  = { "mirror", N_ ("the hardware mirrors at the border: inexact there"), true },
};

// Hardware mirroring suits one border only, and cannot round mirrored samples.
static bool
mirrors (const OdlPlan *plan)
{
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    if (step->wavelet != NULL
        && (step->border != ODL_BORDER_WHOLE_SAMPLE || step->wavelet->reversible))
      return false;
  }
  return true;
}

OdlGlVariant
odl_gl_variant_for (OdlGlVariant wanted, const OdlPlan *plan)
{
  return wanted == ODL_GL_MIRROR && !mirrors (plan) ? ODL_GL_QUADS : wanted;
}
