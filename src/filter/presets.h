// SPDX-License-Identifier: MIT
// The recipes that the program brings along, files of resources/presets/. In the text of
// a recipe the name of a preset stands for its filters: -f bone.
#pragma once

#include <stddef.h>

typedef struct {
  const char *name; // "bone"; its recipe is resources/presets/bone.txt
  const char *label; // translatable: what a menu says
  const char *description; // translatable, one sentence
} OdlPreset;

size_t odl_preset_count (void);
const OdlPreset *odl_preset_at (size_t index);
const OdlPreset *odl_preset_find (const char *name); // NULL when unknown

// The words of its file, separated by blanks, without the comments. Transfer full.
char *odl_preset_words (const OdlPreset *preset);
