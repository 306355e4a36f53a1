// SPDX-License-Identifier: MIT
// Chooses an engine and keeps it, with the GL context that it may need.
#pragma once

#include "engine/engine.h"
#include "filter/recipe.h"

typedef struct _OdlRunner OdlRunner;

// `engine`: a name of the registry, or "auto": gl-fragment where a GPU renders, else cpu.
// ODL_ERROR_USAGE for an unknown name, ODL_ERROR_GPU where the engine cannot run here.
OdlRunner *odl_runner_new (const char *engine, GError **error);
void odl_runner_free (OdlRunner *runner);

const char *odl_runner_engine (const OdlRunner *runner);

// The plan for `input` and its result, see odl_engine_process. An "auto" runner whose GPU
// refuses the image goes on with the CPU and says so in *note (translated, transfer full,
// else NULL). *plan is set on success.
OdlImage *odl_runner_process (OdlRunner *runner,
                              const OdlRecipe *recipe,
                              OdlImage *input,
                              OdlPlan **plan,
                              char **note,
                              GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlRunner, odl_runner_free)
