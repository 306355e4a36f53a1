// SPDX-License-Identifier: MIT
// Chooses an engine and keeps it open, with the GL context that it may need.
#pragma once

#include "engine/choice.h"
#include "engine/grid_volume.h"
#include "filter/recipe.h"
#include "image/rows.h"

typedef struct _OdlRunner OdlRunner;

// `engine`: an engine, with or without a variant, or "auto"; NULL: what ODL_ENGINE says,
// else auto. ODL_ERROR_USAGE for an unknown name, ODL_ERROR_GPU where the engine cannot
// run here.
//
// "auto" is the CPU: for a few pictures, starting OpenGL and reading results back costs
// more than it gains. Only in a long run of pictures are the engines measured, on the
// picture that was read first, or what an earlier measurement found is taken.
OdlRunner *odl_runner_new (const char *engine, GError **error);

// Likewise for a recipe. Of code of files “auto” is gl-compute, from the beginning.
OdlRunner *
odl_runner_new_for (const char *engine, const OdlRecipe *recipe, GError **error);
void odl_runner_free (OdlRunner *runner);

// For what the window saves: that engine, or the processor's where it cannot run. It
// stays, and is not measured.
OdlRunner *odl_runner_open (OdlEngineChoice choice, GError **error);

// Another one with the same engine and second pictures, for another thread; it does not
// measure engines. Errors as above.
OdlRunner *odl_runner_new_like (const OdlRunner *runner, GError **error);

// Whether its engine needs a GL context.
bool odl_runner_needs_gl (const OdlRunner *runner);

// Another input comes: what was noted of the engine is said of it, too, once.
void odl_runner_begin_input (OdlRunner *runner);

// How many pictures are still to come, for "auto"; 0 at first.
void odl_runner_expect (OdlRunner *runner, int pictures);

// The next picture does not follow the one before: it is the first of its input. Pictures
// that are processed from then on are the frames of a sequence, in their order, for
// filters over time.
void odl_runner_begin (OdlRunner *runner);

// Second pictures of the recipes to come, which odl_runner_geometry hands to plans; NULL:
// none.
void odl_runner_set_operands (OdlRunner *runner, OdlOperands *operands);
// The geometry of no picture yet, with the second pictures alone.
OdlGeometry odl_runner_operands (const OdlRunner *runner);
OdlGeometry odl_runner_geometry (const OdlRunner *runner, const OdlImage *image);

// What geometries say of the next pictures: whether they are volumes that follow each
// other in time, and which ones stand about them (NULL: none).
void odl_runner_set_time (OdlRunner *runner, bool in_time, OdlNeighbours *neighbours);

// Where the next result goes, too, as odl_grid_volume_process has it, until NULL: nobody
// draws it.
void odl_runner_set_grid (OdlRunner *runner, OdlGridVolume *grid);

// What is told how far a result is, and may stop it with ODL_ERROR_CANCELLED, until NULL:
// nobody waits.
void odl_runner_set_progress (OdlRunner *runner, OdlProgress *progress);

// Skips a frame whose result is not needed and on which no later frame depends.
void odl_runner_pass (OdlRunner *runner, const OdlImage *frame);

// "gl-fragment:quads". Valid until the next odl_runner_process.
const char *odl_runner_engine (const OdlRunner *runner);

// The engine, for other plans, until the next picture; its context is current in the
// thread of the runner. NULL: none is open.
OdlEngine *odl_runner_lend_engine (OdlRunner *runner);

// The plan for `input` and its result, see odl_engine_process and odl_engine_show. An
// "auto" runner whose engine refuses the image goes on with another and says so in *note
// (translated, transfer full, else NULL). *plan is set on success. With filters over time
// the engine stays the same within a sequence, unless it fails.
OdlImage *odl_runner_process (OdlRunner *runner,
                              const OdlRecipe *recipe,
                              OdlImage *input,
                              OdlPlan **plan,
                              char **note,
                              GError **error);

// The result of a plan that is there, at its moment, by the engine that is open.
OdlImage *odl_runner_run (OdlRunner *runner,
                          const OdlPlan *plan,
                          OdlMoment moment,
                          OdlImage *input,
                          GError **error);

// As odl_runner_process for a single picture whose rows are written in order: a large one
// is filtered in bands as `rows` advances, so that neither its result nor intermediate
// pictures are in memory as a whole. The pixels are the same, bit by bit. *plan is that
// of the whole picture. The rows are owned by the runner and valid until the next
// picture; they have the value map of the result. NULL on errors.
OdlRows *odl_runner_rows (OdlRunner *runner,
                          const OdlRecipe *recipe,
                          OdlImage *input,
                          OdlPlan **plan,
                          char **note,
                          GError **error);

// The content of a slot of `plan`, which was the last one that ran for a whole picture,
// as odl_engine_read_back has it.
OdlImage *
odl_runner_read_back (OdlRunner *runner, const OdlPlan *plan, int slot, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlRunner, odl_runner_free)
