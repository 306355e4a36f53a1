// SPDX-License-Identifier: MIT
// The wavelet transform of a component, by an engine.
#pragma once

#include "engine/engine.h"

G_BEGIN_DECLS

// All bands of `component` (F32, one channel), as plan/plan.h lays an analysis out: one
// picture of the same size, F32. `reversible`: the integer 5/3, whose samples are whole
// numbers; else CDF 9/7. Errors: those of the engine.
OdlImage *odl_j2k_analyse (OdlEngine *engine,
                           OdlImage *component,
                           bool reversible,
                           int levels,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

// The wavelet's name in the table.
const char *odl_j2k_wavelet (bool reversible);

G_END_DECLS
