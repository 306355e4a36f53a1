// SPDX-License-Identifier: MIT
#include "image/annotation/on_plane.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/vector.h"
#include "image/numbers.h"
#include "image/volume/oblique.h"

// Of the directions of a turned plane: their lengths, and the sine between them.
#define MOST_SKEW 1e-6

// Of numbers of voxels: no volume has as many.
#define MOST (G_MAXINT / 4)

static const char *const plane_names[ODL_N_PLANES + 1]
    = { "axial", "coronal", "sagittal", NULL };

// The patient's axis: 0 left, 1 back, 2 head.
static int
through (OdlPlaneKind plane)
{
  static const int axes[ODL_N_PLANES] = { 2, 1, 0 };

  return axes[plane];
}

OdlOnPlane
odl_on_plane_make (const OdlPlanes *planes, OdlPlaneKind plane, const OdlPlanesLook *look)
{
  OdlOnPlane on = { .used = true, .plane = plane };

  if (look->slab.kind != ODL_SLAB_SLICE)
    on.look.slab = look->slab;
  if (look->oblique.turned && look->oblique.plane == plane) {
    on.look.oblique = look->oblique;
    on.look.voxel = look->voxel;
  } else {
    on.look.voxel.at[through (plane)] = look->voxel.at[planes->planes[plane].through];
  }
  return on;
}

OdlPlanesLook
odl_on_plane_look (const OdlOnPlane *on, const OdlImageInfo *volume)
{
  const OdlPlanes planes = odl_planes_of (volume);
  OdlPlanesLook look = on->look;

  if (!look.oblique.turned) {
    look.voxel = (OdlVoxel){ { 0 } };
    look.voxel.at[planes.planes[on->plane].through]
        = on->look.voxel.at[through (on->plane)];
  }
  return look;
}

static bool
are_same (const double *a, const double *b)
{
  for (int i = 0; i < 3; i++)
    if (a[i] != b[i])
      return false;
  return true;
}

bool
odl_on_plane_is_same (const OdlOnPlane *a, const OdlOnPlane *b)
{
  if (!a->used || !b->used)
    return a->used == b->used;
  const OdlPlanesLook *left = &a->look, *right = &b->look;
  return a->plane == b->plane && left->slab.kind == right->slab.kind
         && left->slab.thickness == right->slab.thickness
         && memcmp (left->voxel.at, right->voxel.at, sizeof left->voxel.at) == 0
         && left->oblique.turned == right->oblique.turned
         && are_same (left->oblique.across, right->oblique.across)
         && are_same (left->oblique.down, right->oblique.down);
}

// ---- sizes ---------------------------------------------------------------------------

OdlScale
odl_on_plane_scale (const OdlImageInfo *volume, const OdlOnPlane *on, bool tilted)
{
  const OdlPlanes planes = odl_planes_of (volume);
  const OdlPlanePlace *place = &planes.planes[on->plane];
  const bool turned = on->look.oblique.turned;
  OdlScale scale = { .x = 1, .y = 1 };
  double mm[3];
  bool alike = true;

  for (int i = 0; i < 3; i++) {
    mm[i] = volume->spacing_mm[i] / planes.scale[i];
    alike = alike && mm[i] > 0 && fabs (mm[i] - mm[0]) <= 1e-9 * mm[0];
  }
  scale.skewed = tilted && (turned || place->through != 2);
  scale.known
      = !scale.skewed && (turned ? alike : mm[place->across] > 0 && mm[place->down] > 0);
  if (scale.known) {
    scale.place = volume->spacing_place;
    scale.x = mm[place->across];
    scale.y = mm[place->down];
  }
  return scale;
}

// The plane across the same stored axis.
static OdlPlaneKind
find_across (const OdlPlanes *planes, int axis)
{
  int plane = 0;

  while (planes->planes[plane].through != axis)
    plane++;
  return (OdlPlaneKind) plane;
}

// The same place along an axis, in pixels from the edge of a plane.
static double
along (const OdlPlanes *from, const OdlPlanes *to, int axis, double at)
{
  return from->mirrored[axis] == to->mirrored[axis]
             ? at
             : fmax (from->extent[axis] * from->scale[axis] - at, 0);
}

// A thick slice of an even number reaches further to one side of its voxel.
static int
same_middle (const OdlPlanes *planes, int axis, const OdlSlab *slab, int at)
{
  const int extent = planes->extent[axis];
  const OdlSlabRange range = odl_slab_range (slab, planes->scale[axis], extent, at);

  return planes->leads[axis] < 0 ? range.first + (range.count - 1) / 2
                                 : range.first + range.count / 2;
}

void
odl_on_plane_settle (OdlOnPlane *on, const OdlImageInfo *volume, OdlPoint *points, int n)
{
  OdlImageInfo plain = *volume;
  memset (plain.patient_axes, 0, sizeof plain.patient_axes);
  const OdlPlanes from = odl_planes_of (&plain), to = odl_planes_of (volume);
  const int axis = through (on->plane);
  const OdlPlaneKind plane = find_across (&to, axis);
  const OdlPlanePlace *old = &from.planes[on->plane], *place = &to.planes[plane];
  double before[2], after[2];

  if (!on->as_stored)
    return;
  odl_planes_centre (&from, on->plane, &on->look.voxel, before);
  odl_planes_centre (&to, plane, &on->look.voxel, after);
  for (int i = 0; i < n; i++) {
    const OdlPoint at = points[i];
    if (on->look.oblique.turned) {
      points[i] = (OdlPoint){ at.x + after[0] - before[0], at.y + after[1] - before[1] };
      continue;
    }
    const double x = along (&from, &to, old->across, at.x);
    const double y = along (&from, &to, old->down, at.y);
    const bool alike = place->across == old->across;
    points[i] = (OdlPoint){ alike ? x : y, alike ? y : x };
  }
  if (!on->look.oblique.turned) {
    const int at = on->look.voxel.at[axis];
    on->look.voxel = (OdlVoxel){ { 0 } };
    on->look.voxel.at[through (plane)]
        = at < to.extent[axis] ? same_middle (&to, axis, &on->look.slab, at) : at;
  } else {
    on->look.oblique.plane = plane;
  }
  on->plane = plane;
  on->as_stored = false;
}

static void
release (void *picture)
{
  odl_image_unref (picture);
}

OdlImage *
odl_on_plane_cut (OdlImage *picture, const OdlImageInfo *volume, OdlPlaneKind plane)
{
  const OdlPlanes planes = odl_planes_of (volume);
  const OdlPlanePlace *place = &planes.planes[plane];
  OdlImageInfo info = *odl_image_info (picture);

  g_return_val_if_fail (info.extent.x == planes.width && info.extent.y == planes.height,
                        NULL);
  info.extent.x = place->width;
  info.extent.y = place->height;
  info.overlay = info.shutter = NULL;
  for (int c = 0; c < info.channels; c++) {
    OdlPlane *samples = &info.planes[c];
    samples->data = (const uint8_t *) samples->data
                    + (ptrdiff_t) place->x * samples->sample_stride_bytes
                    + (ptrdiff_t) place->y * samples->row_stride_bytes;
  }
  OdlImage *cut = odl_image_wrap (&info, release, picture, NULL);
  if (cut) {
    odl_image_ref (picture);
    odl_image_share_padding (cut, picture);
  }
  return cut;
}

OdlImage *
odl_on_plane_compose (OdlImage *volume, const OdlOnPlane *on, GError **error)
{
  const OdlImageInfo *info = odl_image_info (volume);
  const OdlPlanesLook look = odl_on_plane_look (on, info);
  g_autoptr (OdlImage) planes = odl_planes_compose (volume, &look, error);

  return planes != NULL ? odl_on_plane_cut (planes, info, on->plane) : NULL;
}

bool
odl_on_plane_fits (const OdlOnPlane *on, const OdlImageInfo *volume)
{
  const OdlPlanes planes = odl_planes_of (volume);
  const OdlVoxel voxel = odl_on_plane_look (on, volume).voxel;
  double thickest = 1;

  for (int i = 0; i < 3; i++) {
    thickest = fmax (thickest, ceil (planes.scale[i] * planes.extent[i]));
    if (voxel.at[i] < 0 || voxel.at[i] >= planes.extent[i])
      return false;
  }
  return on->look.slab.kind == ODL_SLAB_SLICE || on->look.slab.thickness <= thickest;
}

// ---- text ----------------------------------------------------------------------------

static void
append_numbers (GString *text, const double *numbers, int n)
{
  for (int i = 0; i < n; i++) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf (text, "%s%s", i > 0 ? "/" : "",
                            g_ascii_dtostr (number, sizeof number, numbers[i]));
  }
}

char *
odl_on_plane_to_text (const OdlOnPlane *on)
{
  const OdlPlanesLook *look = &on->look;
  GString *text = g_string_new (plane_names[on->plane]);
  double numbers[6];

  g_string_append_c (text, ':');
  for (int i = 0; i < 3; i++)
    numbers[i] = look->voxel.at[i];
  if (look->oblique.turned) {
    append_numbers (text, numbers, 3);
    memcpy (numbers, look->oblique.across, sizeof look->oblique.across);
    memcpy (numbers + 3, look->oblique.down, sizeof look->oblique.down);
    g_string_append (text, ":turned:");
    append_numbers (text, numbers, 6);
  } else {
    append_numbers (text, &numbers[through (on->plane)], 1);
  }
  if (look->slab.kind != ODL_SLAB_SLICE) {
    g_string_append_printf (text, ":%s:", odl_slab_names[look->slab.kind]);
    append_numbers (text, &look->slab.thickness, 1);
  }
  return g_string_free (text, FALSE);
}

static bool
read_numbers (const char *text, double *numbers, int n)
{
  g_auto (GStrv) words = g_strsplit (text, "/", -1);

  if (g_strv_length (words) != (guint) n)
    return false;
  for (int i = 0; i < n; i++)
    if (!odl_number_from_text (words[i], &numbers[i]))
      return false;
  return true;
}

static bool
read_voxels (const char *text, int *voxels, int n)
{
  double numbers[3];

  if (!read_numbers (text, numbers, n))
    return false;
  for (int i = 0; i < n; i++) {
    if (!(numbers[i] >= 0) || numbers[i] != floor (numbers[i]))
      return false;
    voxels[i] = (int) fmin (numbers[i], MOST);
  }
  return true;
}

static bool
read_turned (const char *text, OdlOblique *oblique)
{
  double numbers[6];

  if (!read_numbers (text, numbers, 6))
    return false;
  memcpy (oblique->across, numbers, sizeof oblique->across);
  memcpy (oblique->down, numbers + 3, sizeof oblique->down);
  oblique->turned = true;
  return fabs (odl_dot (numbers, numbers) - 1) < MOST_SKEW
         && fabs (odl_dot (numbers + 3, numbers + 3) - 1) < MOST_SKEW
         && fabs (odl_dot (numbers, numbers + 3)) < MOST_SKEW;
}

static int
find_word (const char *word, const char *const *words)
{
  for (int i = 0; words[i]; i++)
    if (g_strcmp0 (word, words[i]) == 0)
      return i;
  return -1;
}

static bool
read_slab (const char *kind, const char *thickness, OdlSlab *slab)
{
  const int found = find_word (kind, odl_slab_names);

  if (found <= ODL_SLAB_SLICE || !odl_number_from_text (thickness, &slab->thickness))
    return false;
  slab->kind = (OdlSlabKind) found;
  slab->thickness = fmin (slab->thickness, MOST);
  return slab->thickness >= 1;
}

bool
odl_on_plane_from_text (const char *text, OdlOnPlane *on)
{
  g_auto (GStrv) words = g_strsplit (text, ":", -1);
  const guint n = g_strv_length (words);
  const int plane = n > 0 ? find_word (words[0], plane_names) : -1;
  guint next = 2;

  *on = (OdlOnPlane){ .used = true };
  if (plane < 0 || n < 2)
    return false;
  on->plane = (OdlPlaneKind) plane;
  if (n >= 4 && g_str_equal (words[2], "turned")) {
    on->look.oblique.plane = on->plane;
    if (!read_voxels (words[1], on->look.voxel.at, 3)
        || !read_turned (words[3], &on->look.oblique))
      return false;
    next = 4;
  } else if (!read_voxels (words[1], &on->look.voxel.at[through (on->plane)], 1)) {
    return false;
  }
  return n == next
         || (n == next + 2 && read_slab (words[next], words[next + 1], &on->look.slab));
}
