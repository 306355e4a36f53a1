// SPDX-License-Identifier: MIT
// How a result is shown, and what is said of it, wherever it is written. Any thread.
#pragma once

#include "image/display/display.h"
#include "image/render/render.h"
#include "plan/plan.h"
#include "source/source.h"

// How a result of `plan` and its recipe on `input` is displayed with `window`, or with
// the window of its own that it has instead (plan/result_window.h).
OdlDisplay odl_result_display (const OdlImage *input,
                               const OdlPlan *plan,
                               const OdlRecipe *recipe,
                               const OdlWindow *window);

// Such a result, displayed like that, U8 or U16.
OdlImage *odl_result_render (const OdlImage *result,
                             const OdlImage *input,
                             const OdlPlan *plan,
                             const OdlRecipe *recipe,
                             const OdlWindow *window,
                             int bits,
                             GError **error);

// The rendered view of a volume of `source`, with letters at its edges where it is known
// how the volume lies in the patient; `lettered` false: without.
OdlImage *odl_result_view (const OdlRenderScene *scene,
                           const OdlSource *source,
                           bool lettered,
                           const char *mark,
                           GError **error);

// A recipe and the engine that ran it, after the noise that was added (NULL: none), as
// text for a file's metadata; not translated, since programs read it. Transfer full.
char *
odl_result_describe (const OdlRecipe *recipe, const char *engine, const char *noise);
