// SPDX-License-Identifier: MIT
// Undo and redo of recipes and annotations, in one row of steps. Pure; one thread.
#pragma once

#include "filter/recipe.h"
#include "image/annotation/annotations.h"

// Changes with the same tag that follow each other within this time are one step: the
// drag of a slider.
#define ODL_HISTORY_COALESCE_MS 1000

// Steps kept; the oldest goes first.
#define ODL_HISTORY_MAX_STEPS 200

typedef struct {
  GArray *steps; // of a recipe and the annotations beside it
  guint position; // index of the current one
  char *tag; // of the change that made the current one; NULL: it takes no more changes
  int64_t changed_ms;
} OdlHistory;

// Starts with a recipe and annotations (NULL: none) that cannot be undone.
void odl_history_init (OdlHistory *history,
                       const OdlRecipe *first,
                       OdlAnnotations *annotations);
void odl_history_clear (OdlHistory *history);

// `copy` is begun by this.
void odl_history_copy (const OdlHistory *history, OdlHistory *copy);

// Valid until the next call that changes `history`.
const OdlRecipe *odl_history_current (const OdlHistory *history);
OdlAnnotations *odl_history_annotations (const OdlHistory *history); // NULL: none

// Makes `recipe` the current one and forgets what could be redone. `tag` names what
// changed, such as "0/threshold/0"; NULL never coalesces. `now_ms` is any clock that does
// not go back. False when nothing changed.
bool odl_history_push (OdlHistory *history,
                       const OdlRecipe *recipe,
                       const char *tag,
                       int64_t now_ms);

// Puts `recipe`, what the current one has become by itself, in its place. False when
// nothing changed, the memory of what was measured included.
bool odl_history_amend (OdlHistory *history, const OdlRecipe *recipe);

// As odl_history_push, of annotations, with the recipe as it is, always as a step of its
// own; whatever they are is a change.
void
odl_history_annotate (OdlHistory *history, OdlAnnotations *annotations, int64_t now_ms);

// The recipe of step `i`, below steps->len. Valid until the next call that changes
// `history`.
const OdlRecipe *odl_history_recipe_at (const OdlHistory *history, guint i);

bool odl_history_can_undo (const OdlHistory *history);
bool odl_history_can_redo (const OdlHistory *history);

// False when there is nothing to undo or redo.
bool odl_history_undo (OdlHistory *history);
bool odl_history_redo (OdlHistory *history);
