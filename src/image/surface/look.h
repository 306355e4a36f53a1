// SPDX-License-Identifier: MIT
// How a surface is looked at, in parallel projection: on the canvas x goes to the right,
// y upwards and z to the viewer.
#pragma once

#include "image/surface/mesh.h"

// Zero shows x to the right, y upwards, z to the viewer.
typedef struct {
  double yaw, pitch; // degrees about the upright axis, then about the one to the right
  double zoom; // 1, or 0: the sphere about the surface just fits
} OdlLook;

// The same for a canvas: a place is shown at middle + scale · (place − centre) · turn.
typedef struct {
  float centre[3];
  float turn[3][3]; // rows: the canvas's axes
  float scale; // pixels for each unit
  float depth; // the reciprocal of the distance that is clipped, in front and behind
} OdlLookMatrix;

#define ODL_LOOK_MOST_ZOOM 50.0

// Turns by a drag over so many sides of the canvas; pitch stays within a quarter.
void odl_look_turn (OdlLook *look, double right, double down);
void odl_look_zoom (OdlLook *look, double factor);

// What both canvases draw with; colours are shares of full scale.
typedef struct {
  float light[3]; // direction, unit length, in the canvas's axes
  float ambient, fill, diffuse; // from everywhere, from the viewer, from the light
  float gloss; // at the mirror's direction
  int sharpness; // of the gloss: the exponent is 2 to that power
  float front[3], back[3]; // the side that normals point from, and the other one
  float net[3];
} OdlLookColours;

extern const OdlLookColours odl_look_colours;

// What is drawn, in this order: left of `wipe_x` the original, from there on the mesh,
// the net over both where it is not hidden.
typedef struct {
  OdlMesh *mesh;
  OdlMesh *original; // NULL: not needed
  OdlMesh *net; // of the mesh; NULL: not shown
  OdlMesh *whole; // that which fits the canvas: of the picture as it came
  OdlLook look;
  int wipe_x; // 0: no original
} OdlLookScene;

OdlLookMatrix odl_look_matrix (const OdlLookScene *scene, int width, int height);

// Draws into RGBA bytes (row stride 4 · width; BGRA when `blue_first`) on the grey of the
// canvas. False: there is no memory. Any thread.
bool odl_look_draw (const OdlLookScene *scene,
                    int width,
                    int height,
                    bool blue_first,
                    uint8_t *rgba);
