// SPDX-License-Identifier: MIT
// The canvas without GL: the display step on the CPU, for the visible part only, at
// device resolution.
#pragma once

#include "widgets/viewport/surface/surface_meshes.h"

#define ODL_TYPE_SOFT_CANVAS (odl_soft_canvas_get_type ())
G_DECLARE_FINAL_TYPE (OdlSoftCanvas, odl_soft_canvas, ODL, SOFT_CANVAS, GtkWidget)

GtkWidget *odl_soft_canvas_new (const OdlCanvasOwner *owner);

// RGBA bytes that it shows now. Transfer full; NULL before the first frame.
GBytes *odl_soft_canvas_grab (OdlSoftCanvas *canvas, int *width, int *height);

// Paints a scene into RGBA bytes (row stride 4 · width; BGRA when `blue_first`), badge
// included. `meshes` keeps those of a surface; not used where the scene has none. Needs
// the frame's result, and its original where the scene shows it; false without.
bool odl_scene_paint (const OdlScene *scene,
                      OdlSurfaceMeshes *meshes,
                      int width,
                      int height,
                      bool blue_first,
                      uint8_t *rgba);
