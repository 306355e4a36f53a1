// SPDX-License-Identifier: MIT
// The recipes that the program brings along. In the text of a recipe the name of a preset
// stands for its filters: -f bone.
#pragma once

#include <stddef.h>

typedef struct {
  const char *name; // "bone"
  const char *label; // translatable: what a menu says
  const char *description; // translatable, one sentence
  const char *text; // of a recipe
} OdlPreset;

size_t odl_preset_count (void);
const OdlPreset *odl_preset_at (size_t index);
const OdlPreset *odl_preset_find (const char *name); // NULL when unknown
