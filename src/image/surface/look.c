// SPDX-License-Identifier: MIT
#include "image/surface/look.h"

#include <math.h>

// A drag over the whole canvas.
#define DEGREES 270.0
// The share of the canvas's shorter side that the sphere takes.
#define FILLED 0.94

const OdlLookColours odl_look_colours = {
  .light = { -0.424f, 0.530f, 0.734f },
  .ambient = 0.08f,
  .fill = 0.22f,
  .diffuse = 0.64f,
  .gloss = 0.16f,
  .sharpness = 5,
  .front = { 0.90f, 0.84f, 0.78f },
  .back = { 0.42f, 0.52f, 0.66f },
  .net = { 0.98f, 0.62f, 0.16f },
};

void
odl_look_turn (OdlLook *look, double right, double down)
{
  look->yaw = fmod (look->yaw + DEGREES * right, 360);
  look->pitch = CLAMP (look->pitch + DEGREES * down, -90, 90);
}

void
odl_look_zoom (OdlLook *look, double factor)
{
  const double zoom = look->zoom > 0 ? look->zoom : 1;

  look->zoom = CLAMP (zoom * factor, 1 / ODL_LOOK_MOST_ZOOM, ODL_LOOK_MOST_ZOOM);
}

// How far from the centre the mesh reaches; `mesh` may be NULL.
static double
reach_of (const OdlMesh *mesh, const float centre[3])
{
  float middle[3], radius;
  double off = 0;

  if (mesh == NULL)
    return 0;
  odl_mesh_measure (mesh, middle, &radius);
  for (int i = 0; i < 3; i++) {
    const double d = (double) (middle[i] - centre[i]);
    off += d * d;
  }
  return sqrt (off) + (double) radius;
}

OdlLookMatrix
odl_look_matrix (const OdlLookScene *scene, int width, int height)
{
  const OdlLook *look = &scene->look;
  const double yaw = look->yaw * G_PI / 180, pitch = look->pitch * G_PI / 180;
  const double turn[3][3]
      = { { cos (yaw), 0, sin (yaw) },
          { sin (pitch) * sin (yaw), cos (pitch), -sin (pitch) * cos (yaw) },
          { -cos (pitch) * sin (yaw), sin (pitch), cos (pitch) * cos (yaw) } };
  const double zoom = look->zoom > 0 ? look->zoom : 1;
  const OdlMesh *const meshes[] = { scene->mesh, scene->original, scene->net };
  OdlLookMatrix matrix = { 0 };
  float radius;

  odl_mesh_measure (scene->whole, matrix.centre, &radius);
  double reach = (double) radius;
  for (size_t i = 0; i < G_N_ELEMENTS (meshes); i++)
    reach = MAX (reach, reach_of (meshes[i], matrix.centre));
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      matrix.turn[i][k] = (float) turn[i][k];
  matrix.scale = (float) (zoom * FILLED * MIN (width, height) / 2 / (double) radius);
  matrix.depth = (float) (1 / (1.01 * reach));
  return matrix;
}
