// SPDX-License-Identifier: MIT
// A rendered view of a volume, in parallel projection, on part of a canvas. Seen from the
// front at first: the patient's left to the right, head upwards, back away from the
// viewer (x, z and y, where the patient's axes are not known). Rays are sampled every
// half of the shortest voxel side; light falls on what they meet by its gradient.
#pragma once

#include "image/display/display.h"
#include "image/volume/letters.h"
#include "image/volume/planes.h"
#include "image/render/body.h"
#include "image/render/preset.h"
#include "image/surface/look.h"

// What is cut away, up to the cross-hair.
typedef enum {
  ODL_RENDER_WHOLE,
  ODL_RENDER_CUT_FRONT, // before the coronal plane
  ODL_RENDER_CUT_TOP, // above the axial plane
  ODL_RENDER_CUT_SIDE, // to the right of the sagittal plane
  ODL_RENDER_CUT_CORNER, // where all three are cut away; the rest stays
  ODL_RENDER_N_CUTS,
} OdlRenderCut;

extern const char *const odl_render_cut_names[ODL_RENDER_N_CUTS + 1];

typedef struct {
  int x, y, width, height; // canvas pixels
} OdlRenderPlace;

typedef struct {
  OdlBody *body; // borrowed
  OdlBody *original; // left of wipe_x; NULL: the same body everywhere
  int wipe_x; // canvas pixels; 0: no original
  const OdlRenderPreset *preset;
  double points[2]; // scaled values of the first and last point, or of the window's ends
  bool invert; // of the window
  OdlLook look;
  OdlRenderCut cut;
  OdlVoxel voxel; // the cross-hair
  OdlBox box; // if shown, what lies outside is cut away, too
  OdlRenderPlace place;
  int most_rays; // of the processor: fewer are stretched; 0: one for each pixel
} OdlRenderScene;

// The same in numbers, for one body. A canvas pixel's centre (px, py) has the ray
// origin + px · right + py · down + k · forward, k = 0, 1, 2 …, in texture coordinates
// (0 … 1 along each axis), as far as it lies between `low` and `high`.
typedef struct {
  float origin[3], right[3], down[3], forward[3];
  float low[3], high[3];
  float corner[3]; // cut away: what is beyond it along all axes as `beyond` says
  float beyond[3]; // −1 or 1; all 0: no corner
  float steps; // the largest k of any ray
  float texel[3]; // sides of a voxel
  float slope[3]; // from a difference across two voxels to one across a unit of length
  float light[3]; // to the light
  float view[3]; // to the viewer; of unit length, along the sides
  float gain, offset; // from body values to 0 … 1 between the points
  double thickness; // of a step, in hundredths of the longest side
} OdlRenderRays;

OdlRenderRays odl_render_rays (const OdlRenderScene *scene, const OdlBody *body);

// Ambient and diffuse light and gloss on a surface; its exponent is 2 to sharpness. How
// steep a gradient must be to count as a surface.
typedef struct {
  float ambient, diffuse, gloss, steep;
  int sharpness;
} OdlRenderShine;

extern const OdlRenderShine odl_render_shine;

// The opacity at which a ray ends; shaders get it as text.
#define ODL_RENDER_ENOUGH_SHARE 0.98
#define ODL_RENDER_ENOUGH ((float) ODL_RENDER_ENOUGH_SHARE)

// `points` of a scene: scaled values of the ends of a preset, which are of its points or
// of the window. `info` is that of the volume as it came.
void odl_render_find_points (const OdlImageInfo *info,
                             const OdlWindow *window,
                             const OdlRenderPreset *preset,
                             double points[2]);

// Draws into the place of the scene, of RGBA bytes of a canvas (row stride 4 · width;
// BGRA when `blue_first`). Any thread.
void odl_render_draw (const OdlRenderScene *scene,
                      int width,
                      int height,
                      bool blue_first,
                      uint8_t *rgba);

// The place alone, as an image of RGB; black without a body. `over` (of the place's size;
// NULL: nothing) lies on it, white with a dark edge. ODL_ERROR_TOO_LARGE. Any thread.
OdlImage *odl_render_picture (const OdlRenderScene *scene,
                              const OdlOverlay *over,
                              const char *mark,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

// Where the edges of the place lie in the patient, from the rays that draw it: they turn
// with it. `axes`: where those of the volume lead (odl_directions_axes).
void odl_render_letters (const OdlRenderScene *scene,
                         const double axes[3][3],
                         OdlLetters letters);

// Whether `scene` is drawn with fewer rays than pixels.
bool odl_render_is_reduced (const OdlRenderScene *scene);
