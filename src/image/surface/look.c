// SPDX-License-Identifier: MIT
#include "image/surface/look.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "image/display/display.h"

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

// The surface drawn by the processor: triangles with a depth buffer, lit per pixel, as
// shaders/display/surface.frag does it. The canvas is drawn at twice its size, from which
// edges get their smoothness.

#define FINER 2 // pixels of the drawing for each of the canvas, along x and y
#define BAND 64 // rows of the drawing that are drawn together
// Lines of the net lie this far before the surface, as a share of the depth.
#define LIFT 0.004f

typedef struct {
  float x, y, z; // z: 0 at the middle, 1 nearest
  float normal[3];
} Corner;

// What one band of rows is drawn into.
typedef struct {
  int width; // of the drawing
  int first, end; // rows
  int left, right; // columns that may be drawn
  float *depths; // −∞: nothing there
  float *colours; // 3 for each
} Band;

static Corner *
place_corners (const OdlMesh *mesh, const OdlLookMatrix *matrix, int width, int height)
{
  const size_t n = (size_t) mesh->columns * (size_t) mesh->rows;
  Corner *corners = g_try_new (Corner, n);

  for (size_t i = 0; corners != NULL && i < n; i++) {
    float at[3] = { 0 }, normal[3] = { 0 };
    for (int k = 0; k < 3; k++)
      for (int c = 0; c < 3; c++) {
        at[k] += matrix->turn[k][c] * (mesh->positions[3 * i + c] - matrix->centre[c]);
        if (mesh->normals != NULL)
          normal[k] += matrix->turn[k][c] * mesh->normals[3 * i + c];
      }
    corners[i] = (Corner){ (float) width / 2 + matrix->scale * at[0],
                           (float) height / 2 - matrix->scale * at[1],
                           matrix->depth * at[2],
                           { normal[0], normal[1], normal[2] } };
  }
  return corners;
}

// Of a normal in the canvas's axes.
static void
light (const float normal[3], float colour[3])
{
  const OdlLookColours *c = &odl_look_colours;
  const float length
      = sqrtf (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  const float sign = (normal[2] < 0 ? -1.0f : 1.0f) / MAX (length, 1e-20f);
  const float n[3] = { sign * normal[0], sign * normal[1], sign * normal[2] };
  const float towards = n[0] * c->light[0] + n[1] * c->light[1] + n[2] * c->light[2];
  // The z of the light's mirror image.
  float mirror = MAX (2 * towards * n[2] - c->light[2], 0);

  for (int i = 0; i < c->sharpness; i++)
    mirror *= mirror;
  const float level = c->ambient + c->fill * n[2] + c->diffuse * MAX (towards, 0);
  for (int i = 0; i < 3; i++)
    colour[i] = (normal[2] < 0 ? c->back : c->front)[i] * level + c->gloss * mirror;
}

static void
draw_pixel (const Band *band, int x, int y, float depth, const float colour[3])
{
  const size_t at = (size_t) (y - band->first) * (size_t) band->width + (size_t) x;

  if (!(depth > band->depths[at]))
    return;
  band->depths[at] = depth;
  memcpy (band->colours + 3 * at, colour, 3 * sizeof *colour);
}

static float
edge (const Corner *a, const Corner *b, float x, float y)
{
  return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

static void
draw_triangle (const Band *band, const Corner *a, const Corner *b, const Corner *c)
{
  const float area = edge (a, b, c->x, c->y);
  const float top = MIN (MIN (a->y, b->y), c->y), bottom = MAX (MAX (a->y, b->y), c->y);
  const float left = MIN (MIN (a->x, b->x), c->x), right = MAX (MAX (a->x, b->x), c->x);

  if (!(fabsf (area) > 1e-12f) || !(bottom >= (float) band->first)
      || !(top < (float) band->end) || !(right >= (float) band->left)
      || !(left < (float) band->right))
    return;
  const int y0 = MAX ((int) floorf (MAX (top, (float) band->first)), band->first);
  const int y1 = (int) ceilf (MIN (bottom, (float) band->end));
  const int x0 = MAX ((int) floorf (MAX (left, (float) band->left)), band->left);
  const int x1 = (int) ceilf (MIN (right, (float) band->right));
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++) {
      const float px = (float) x + 0.5f, py = (float) y + 0.5f;
      const float u = edge (b, c, px, py) / area, v = edge (c, a, px, py) / area;
      const float w = 1 - u - v;
      if (u < 0 || v < 0 || w < 0)
        continue;
      const float depth = u * a->z + v * b->z + w * c->z;
      float normal[3], colour[3];
      for (int i = 0; i < 3; i++)
        normal[i] = u * a->normal[i] + v * b->normal[i] + w * c->normal[i];
      light (normal, colour);
      draw_pixel (band, x, y, depth, colour);
    }
}

static void
draw_mesh (const Band *band, const OdlMesh *mesh, const Corner *corners)
{
  for (int row = 0; row + 1 < mesh->rows; row++)
    for (int column = 0; column + 1 < mesh->columns; column++) {
      const Corner *a = corners + (size_t) row * (size_t) mesh->columns + column;
      const Corner *c = a + mesh->columns;
      draw_triangle (band, a, a + 1, c + 1);
      draw_triangle (band, a, c + 1, c);
    }
}

static void
draw_line (const Band *band, const Corner *a, const Corner *b)
{
  const float dx = b->x - a->x, dy = b->y - a->y;
  const float longer = MAX (fabsf (dx), fabsf (dy));
  // What lies far outside takes no longer.
  const int steps = (int) MIN (ceilf (longer), 65536.0f);

  for (int i = 0; i <= steps; i++) {
    const float t = steps > 0 ? (float) i / (float) steps : 0;
    const float x = a->x + t * dx, y = a->y + t * dy;
    if (!(x >= (float) band->left && x < (float) band->right && y >= (float) band->first
          && y < (float) band->end))
      continue;
    draw_pixel (band, (int) x, (int) y, a->z + t * (b->z - a->z) + LIFT,
                odl_look_colours.net);
  }
}

static void
draw_net (const Band *band, const OdlMesh *net, const Corner *corners)
{
  for (int row = 0; row < net->rows; row++)
    for (int column = 0; column < net->columns; column++) {
      const Corner *a = corners + (size_t) row * (size_t) net->columns + column;
      if (column + 1 < net->columns)
        draw_line (band, a, a + 1);
      if (row + 1 < net->rows)
        draw_line (band, a, a + net->columns);
    }
}

// A mesh or a net, ready to be drawn between two columns.
typedef struct {
  const OdlMesh *mesh;
  Corner *corners;
  bool is_net;
  int left, right;
} Part;

#define MOST_PARTS 3

// The mean of FINER × FINER pixels, in 8 bits.
static void
store_rows (const Band *band, bool blue_first, int width, uint8_t *rgba)
{
  for (int y = band->first / FINER; y < band->end / FINER; y++)
    for (int x = 0; x < width; x++) {
      uint8_t *pixel = rgba + 4 * ((size_t) y * (size_t) width + (size_t) x);
      for (int c = 0; c < 3; c++) {
        float sum = 0;
        for (int k = 0; k < FINER * FINER; k++) {
          const size_t row = (size_t) (FINER * y + k / FINER - band->first);
          const size_t at = row * (size_t) band->width + (size_t) (FINER * x + k % FINER);
          sum += MIN (band->colours[3 * at + (size_t) c], 1.0f);
        }
        pixel[blue_first ? 2 - c : c] = (uint8_t) (sum * 255 / (FINER * FINER) + 0.5f);
      }
      pixel[3] = 255;
    }
}

static bool
draw_band (const Part *parts, int n_parts, Band *band)
{
  const size_t n = (size_t) band->width * BAND;

  band->depths = g_try_new (float, n);
  band->colours = g_try_new (float, 3 * n);
  for (size_t i = 0; band->depths != NULL && i < n; i++)
    band->depths[i] = -INFINITY;
  for (size_t i = 0; band->colours != NULL && i < 3 * n; i++)
    band->colours[i] = ODL_CANVAS_LEVEL / 255.0f;
  if (band->depths == NULL || band->colours == NULL)
    return false;
  for (int i = 0; i < n_parts; i++) {
    band->left = parts[i].left;
    band->right = parts[i].right;
    if (parts[i].is_net)
      draw_net (band, parts[i].mesh, parts[i].corners);
    else
      draw_mesh (band, parts[i].mesh, parts[i].corners);
  }
  return true;
}

static int
list_parts (const OdlLookScene *scene, int width, Part parts[MOST_PARTS])
{
  const int wipe = scene->original != NULL ? FINER * scene->wipe_x : 0;
  int n = 0;

  if (wipe > 0)
    parts[n++] = (Part){ scene->original, NULL, false, 0, wipe };
  parts[n++] = (Part){ scene->mesh, NULL, false, wipe, width };
  if (scene->net != NULL)
    parts[n++] = (Part){ scene->net, NULL, true, wipe, width };
  return n;
}

bool
odl_look_draw (const OdlLookScene *scene,
               int width,
               int height,
               bool blue_first,
               uint8_t *rgba)
{
  const int wide = FINER * width, high = FINER * height;
  Part parts[MOST_PARTS];
  const int n_parts = list_parts (scene, wide, parts);
  bool good = true;

  const OdlLookMatrix matrix = odl_look_matrix (scene, wide, high);
  for (int i = 0; i < n_parts; i++) {
    parts[i].corners = place_corners (parts[i].mesh, &matrix, wide, high);
    good = good && parts[i].corners != NULL;
  }
  const int n_bands = good ? (high + BAND - 1) / BAND : 0;
  ODL_PARALLEL_FOR
  for (int b = 0; b < n_bands; b++) {
    Band band = { .width = wide, .first = b * BAND, .end = MIN ((b + 1) * BAND, high) };
    if (draw_band (parts, n_parts, &band))
      store_rows (&band, blue_first, width, rgba);
    g_free (band.depths);
    g_free (band.colours);
  }
  for (int i = 0; i < n_parts; i++)
    g_free (parts[i].corners);
  return good;
}
