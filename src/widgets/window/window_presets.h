// SPDX-License-Identifier: MIT
// Grey levels by name, for pictures of one modality each: those that are built in, or
// those that somebody made of them. As text they are a line for each, with tabs:
// modality, name, centre, width. Main thread.
#pragma once

#include <glib.h>
#include <stdbool.h>

#define ODL_MOST_PRESETS 8 // of a modality, for Alt+2 … Alt+9
#define ODL_PRESET_MOST 1e9 // largest centre, either sign, and width
#define ODL_PRESETS_KEY "window-presets" // of the settings

typedef struct {
  char *modality; // “CT”; “”: of pictures that name none
  char *name; // not empty
  double centre, width; // in the file's unit; width > 0
} OdlWindowPreset;

// OdlWindowPreset, which the array owns. `text` NULL or "": those that are built in.
// Lines that make no sense are left out.
GPtrArray *odl_window_presets_parse (const char *text);
char *odl_window_presets_to_text (const GPtrArray *presets); // transfer full

// Appends a copy; name and modality lose tabs and line ends. False: there are as many of
// the modality already as there are keys, or the numbers make no sense.
bool odl_window_presets_add (GPtrArray *presets, const OdlWindowPreset *preset);

// The n-th of a modality, from 0; NULL: there are fewer. Borrowed.
OdlWindowPreset *
odl_window_presets_nth (const GPtrArray *presets, const char *modality, int n);
