// SPDX-License-Identifier: MIT
// What a rendered view shows of a volume: its largest values, or light on what a transfer
// function makes visible. A table.
#pragma once

#include <glib.h>
#include <stdbool.h>

#define ODL_RENDER_MOST_POINTS 6
#define ODL_RENDER_LEVELS 1024

// Between two points colour and opacity go on a straight line; before the first and
// beyond the last one they are theirs.
typedef struct {
  double at; // a value, or a share of the window
  float colour[3];
  float opacity; // of a layer as thick as a hundredth of the volume's longest side
} OdlRenderPoint;

typedef struct {
  const char *name;
  const char *title; // marked for translation
  const char *unit; // of `at`; NULL: shares of the window, from 0, black, to 1, white
  bool maximum; // the largest value on each ray, through the window; no points
  OdlRenderPoint points[ODL_RENDER_MOST_POINTS];
  int n_points;
} OdlRenderPreset;

// NULL beyond the last one, or without one of that name.
const OdlRenderPreset *odl_render_preset_at (size_t i);
const OdlRenderPreset *odl_render_preset_find (const char *name);

// Red, green, blue and opacity of layers `thickness` hundredths of the longest side
// thick, at ODL_RENDER_LEVELS places from the first point to the last one.
void odl_render_preset_fill (const OdlRenderPreset *preset,
                             double thickness,
                             float levels[ODL_RENDER_LEVELS][4]);
