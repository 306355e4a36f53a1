// SPDX-License-Identifier: MIT
// Three planes of a volume in one picture: proportions, values, and the way back from a
// pixel to a voxel.
#include <glib.h>
#include <math.h>

#include "image/grips.h"
#include "image/volume/oblique.h"
#include "image/volume/volume.h"

// Each voxel says where it is.
static double
value_at (int x, int y, int z)
{
  return x + 20 * y + 400 * z;
}

static OdlImage *
make_volume (const double spacing[3], OdlSampleType type)
{
  OdlImageInfo info = { .extent = { 9, 7, 5, 1 }, .channels = 1, .type = type };
  void *samples;

  for (int axis = 0; axis < 3; axis++)
    info.spacing_mm[axis] = spacing[axis];
  if (type == ODL_SAMPLE_F32)
    info.stored_max = 2000;
  OdlImage *volume = odl_image_alloc (&info, &samples, NULL);
  g_assert_nonnull (volume);
  for (int z = 0, i = 0; z < 5; z++)
    for (int y = 0; y < 7; y++)
      for (int x = 0; x < 9; x++, i++)
        if (type == ODL_SAMPLE_F32)
          ((float *) samples)[i] = (float) value_at (x, y, z);
        else
          ((gint16 *) samples)[i] = (gint16) value_at (x, y, z);
  return volume;
}

static double
stored (const OdlImage *image, int x, int y)
{
  const OdlImageInfo *info = odl_image_info (image);
  float scaled;

  odl_image_scaled_span (image, 0, x, 1, y, 0, 0, &scaled);
  return info->stored_min + (double) scaled * (info->stored_max - info->stored_min);
}

// Sides of 2 mm that a file's numbers make 2.0000001: no row more than voxels.
static void
test_rounded_sides (void)
{
  static const double nearly[3] = { 2, 2.0000002, 2.2 };
  g_autoptr (OdlImage) volume = make_volume (nearly, ODL_SAMPLE_S16);
  const OdlPlanes planes = odl_planes_of (odl_image_info (volume));

  g_assert_cmpint (planes.planes[ODL_PLANE_AXIAL].height, ==, 7);
  g_assert_cmpfloat (planes.scale[1], ==, 1);
  g_assert_cmpfloat_with_epsilon (planes.scale[2], 1.1, 1e-12);
}

// Of cubes every voxel is one pixel, and its value is exact.
static void
test_cubes (void)
{
  static const double cubes[3] = { 0.5, 0.5, 0.5 };
  static const OdlSampleType types[] = { ODL_SAMPLE_S16, ODL_SAMPLE_F32 };

  for (size_t t = 0; t < G_N_ELEMENTS (types); t++) {
    g_autoptr (OdlImage) volume = make_volume (cubes, types[t]);
    const OdlPlanes planes = odl_planes_of (odl_image_info (volume));
    OdlVoxel voxel = { { 2, 3, 1 } };
    g_autoptr (OdlImage) picture
        = odl_planes_compose (volume, &(OdlPlanesLook){ .voxel = voxel }, NULL);
    const OdlImageInfo *info = odl_image_info (picture);
    int seen[ODL_N_PLANES] = { 0 };

    g_assert_cmpint (info->type, ==, types[t]);
    g_assert_cmpfloat (info->spacing_mm[0], ==, 0.5);
    for (int y = 0; y < info->extent.y; y++)
      for (int x = 0; x < info->extent.x; x++) {
        OdlVoxel at = voxel;
        const OdlPlaneKind kind = odl_planes_find (&planes, x + 0.5, y + 0.5, &at);
        if (kind == ODL_N_PLANES)
          continue;
        seen[kind]++;
        g_assert_cmpfloat_with_epsilon (stored (picture, x, y),
                                        value_at (at.at[0], at.at[1], at.at[2]), 1e-2);
      }
    g_assert_cmpint (seen[ODL_PLANE_AXIAL], ==, 9 * 7);
    g_assert_cmpint (seen[ODL_PLANE_CORONAL], ==, 9 * 5);
    g_assert_cmpint (seen[ODL_PLANE_SAGITTAL], ==, 7 * 5);
  }
}

// Voxels that are four times as high are four pixels high, and the highest slice is on
// top.
static void
test_proportions (void)
{
  static const double tall[3] = { 0.5, 0.5, 2 };
  g_autoptr (OdlImage) volume = make_volume (tall, ODL_SAMPLE_S16);
  const OdlPlanes planes = odl_planes_of (odl_image_info (volume));
  const OdlPlanePlace *coronal = &planes.planes[ODL_PLANE_CORONAL];
  OdlVoxel voxel = { { 2, 3, 1 } };
  g_autoptr (OdlImage) picture
      = odl_planes_compose (volume, &(OdlPlanesLook){ .voxel = voxel }, NULL);

  g_assert_cmpint (coronal->width, ==, 9);
  g_assert_cmpint (coronal->height, ==, 20);
  g_assert_cmpfloat_with_epsilon (stored (picture, coronal->x + 4, coronal->y),
                                  value_at (4, 3, 4), 1e-2);
  g_assert_cmpfloat_with_epsilon (stored (picture, coronal->x + 4, coronal->y + 19),
                                  value_at (4, 3, 0), 1e-2);
  // Between two slices: 3/8 and 5/8 of the way from one centre to the next, rounded.
  g_assert_cmpfloat_with_epsilon (stored (picture, coronal->x + 4, coronal->y + 9),
                                  value_at (4, 3, 2) + 50, 1e-2);
  OdlVoxel at = voxel;
  g_assert_cmpint (odl_planes_find (&planes, coronal->x + 4.5, coronal->y + 4.5, &at), ==,
                   ODL_PLANE_CORONAL);
  g_assert_cmpint (at.at[0], ==, 4);
  g_assert_cmpint (at.at[1], ==, 3);
  g_assert_cmpint (at.at[2], ==, 3);
}

// Values that rise along no axis.
static double
mixed_at (int x, int y, int z)
{
  return (7 * x + 11 * y + 13 * z) % 31;
}

static OdlImage *
make_mixed_volume (void)
{
  OdlImageInfo info = { .extent = { 9, 7, 5, 1 },
                        .channels = 1,
                        .type = ODL_SAMPLE_F32,
                        .stored_max = 31,
                        .spacing_mm = { 0.5, 0.5, 0.5 } };
  void *samples;
  OdlImage *volume = odl_image_alloc (&info, &samples, NULL);

  g_assert_nonnull (volume);
  for (int z = 0, i = 0; z < 5; z++)
    for (int y = 0; y < 7; y++)
      for (int x = 0; x < 9; x++, i++)
        ((float *) samples)[i] = (float) mixed_at (x, y, z);
  return volume;
}

// What a slab through `at` of a plane shows, from each of its voxels.
static double
value_of_slab (OdlVoxel at, int through, OdlSlabKind kind, int first, int count)
{
  double sum = 0, most = -1e9, least = 1e9;

  for (int i = first; i < first + count; i++) {
    at.at[through] = i;
    const double value = mixed_at (at.at[0], at.at[1], at.at[2]);
    sum += value;
    most = MAX (most, value);
    least = MIN (least, value);
  }
  return kind == ODL_SLAB_MEAN ? sum / count : kind == ODL_SLAB_MAXIMUM ? most : least;
}

// Every pixel of three thick planes of cubes about two places, one of them in a corner.
static void
test_slabs (void)
{
  static const struct {
    double thickness;
    OdlVoxel at;
    int first[3], count[3]; // by axis
  } slabs[] = {
    { 1, { { 2, 3, 1 } }, { 2, 3, 1 }, { 1, 1, 1 } },
    { 3, { { 2, 3, 2 } }, { 1, 2, 1 }, { 3, 3, 3 } },
    { 3, { { 8, 0, 4 } }, { 6, 0, 2 }, { 3, 3, 3 } },
    { 6, { { 4, 3, 2 } }, { 1, 0, 0 }, { 6, 6, 5 } },
    { 100, { { 0, 6, 3 } }, { 0, 0, 0 }, { 9, 7, 5 } },
  };
  g_autoptr (OdlImage) volume = make_mixed_volume ();
  const OdlPlanes planes = odl_planes_of (odl_image_info (volume));

  for (size_t i = 0; i < G_N_ELEMENTS (slabs); i++)
    for (int kind = ODL_SLAB_MEAN; kind < ODL_N_SLABS; kind++) {
      const OdlSlab slab = { (OdlSlabKind) kind, slabs[i].thickness };
      g_autoptr (OdlImage) picture = odl_planes_compose (
          volume, &(OdlPlanesLook){ .voxel = slabs[i].at, .slab = slab }, NULL);
      for (int y = 0; y < planes.height; y++)
        for (int x = 0; x < planes.width; x++) {
          OdlVoxel at = slabs[i].at;
          const OdlPlaneKind plane = odl_planes_find (&planes, x + 0.5, y + 0.5, &at);
          if (plane == ODL_N_PLANES)
            continue;
          const int through = planes.planes[plane].through;
          g_assert_cmpfloat_with_epsilon (stored (picture, x, y),
                                          value_of_slab (at, through, slab.kind,
                                                         slabs[i].first[through],
                                                         slabs[i].count[through]),
                                          1e-4);
        }
    }
}

// A slab is as thick along all axes, in millimetres: two voxels of 2 mm are eight of 0.5.
static void
test_thickness (void)
{
  static const double tall[3] = { 0.5, 0.5, 2 };
  g_autoptr (OdlImage) volume = make_volume (tall, ODL_SAMPLE_S16);
  const OdlPlanes planes = odl_planes_of (odl_image_info (volume));
  const OdlSlab slab = { ODL_SLAB_MEAN, 8 };

  g_assert_cmpint (odl_slab_range (&slab, planes.scale[0], 9, 4).count, ==, 8);
  const OdlSlabRange along_z = odl_slab_range (&slab, planes.scale[2], 5, 2);
  g_assert_cmpint (along_z.count, ==, 2);
  g_assert_cmpint (along_z.first, ==, 1);
}

// The lines of the cross-hair lie on the voxel, in all planes, whatever it is.
static void
test_cross_hair (void)
{
  static const double tall[3] = { 1, 2, 3 };
  g_autoptr (OdlImage) volume = make_volume (tall, ODL_SAMPLE_S16);
  const OdlPlanes planes = odl_planes_of (odl_image_info (volume));

  for (int z = 0; z < 5; z++)
    for (int y = 0; y < 7; y++)
      for (int x = 0; x < 9; x++) {
        OdlVoxel voxel = { { x, y, z } };
        g_autoptr (OdlImage) picture
            = odl_planes_compose (volume, &(OdlPlanesLook){ .voxel = voxel }, NULL);
        const OdlOverlay *overlay = odl_image_info (picture)->overlay;
        for (int py = 0; py < planes.height; py++)
          for (int px = 0; px < planes.width; px++) {
            OdlVoxel at = voxel;
            if (!odl_overlay_has (overlay, px, py))
              continue;
            g_assert_cmpint (odl_planes_find (&planes, px + 0.5, py + 0.5, &at), !=,
                             ODL_N_PLANES);
            g_assert_cmpint ((at.at[0] != x) + (at.at[1] != y) + (at.at[2] != z), <=, 1);
          }
      }
}

// ---- A turned plane ----

// Millimetres from the centre of the first voxel; the volume below rises evenly along
// a direction that is no axis.
static double
slope_at (const double mm[3])
{
  return 700 + 11 * mm[0] - 7 * mm[1] + 5 * mm[2];
}

static const double uneven[3] = { 0.5, 1, 2 };

static OdlImage *
make_slope (void)
{
  OdlImageInfo info = { .extent = { 40, 30, 20, 1 },
                        .channels = 1,
                        .type = ODL_SAMPLE_F32,
                        .stored_max = 2000,
                        .spacing_mm = { uneven[0], uneven[1], uneven[2] } };
  void *samples;
  OdlImage *volume = odl_image_alloc (&info, &samples, NULL);

  for (int z = 0, i = 0; z < 20; z++)
    for (int y = 0; y < 30; y++)
      for (int x = 0; x < 40; x++, i++)
        ((float *) samples)[i] = (float) slope_at (
            (const double[]){ x * uneven[0], y * uneven[1], z * uneven[2] });
  return volume;
}

// A plane that is turned by nothing is the plane.
static void
test_straight (void)
{
  g_autoptr (OdlImage) volume = make_slope ();
  const OdlPlanes planes = odl_planes_of (odl_image_info (volume));
  OdlPlanesLook look = { .voxel = { { 17, 12, 9 } } };
  g_autoptr (OdlImage) plain = odl_planes_compose (volume, &look, NULL);

  for (int p = 0; p < ODL_N_PLANES; p++) {
    look.oblique = odl_oblique_straight (&planes, (OdlPlaneKind) p);
    g_assert_cmpfloat (odl_oblique_angle (&planes, &look.oblique), <, 1e-9);
    g_autoptr (OdlImage) same = odl_planes_compose (volume, &look, NULL);
    for (int y = 0; y < planes.height; y++)
      for (int x = 0; x < planes.width; x++) {
        OdlVoxel a = look.voxel, b = look.voxel;
        g_assert_cmpfloat_with_epsilon (stored (same, x, y), stored (plain, x, y), 2e-3);
        if (odl_planes_find (&planes, x + 0.5, y + 0.5, &a) != (OdlPlaneKind) p)
          continue;
        g_assert_true (odl_oblique_find (&planes, &look, x + 0.5, y + 0.5, &b));
        g_assert_cmpmem (&a, sizeof a, &b, sizeof b);
      }
  }
}

// Turned by 30° as it is seen in the axial plane, then leant by 20°: values are those of
// the places in millimetres, which are worked out here by hand.
static void
test_turned (void)
{
  const double c = cos (G_PI / 6), s = sin (G_PI / 6);
  const double k = cos (G_PI / 9), l = sin (G_PI / 9);
  // To the right of the picture, and downwards, which leads to the viewer's side.
  const double across[3] = { c, s, 0 }, down[3] = { -s * l, c * l, -k };
  g_autoptr (OdlImage) volume = make_slope ();
  const OdlPlanes planes = odl_planes_of (odl_image_info (volume));
  const OdlPlanePlace *place = &planes.planes[ODL_PLANE_CORONAL];
  OdlPlanesLook look = { .voxel = { { 19, 14, 10 } } };
  double centre[2];
  int inside = 0;

  look.oblique = odl_oblique_straight (&planes, ODL_PLANE_CORONAL);
  odl_oblique_turn (&planes, &look.oblique, ODL_PLANE_AXIAL, G_PI / 6);
  odl_oblique_lean (&planes, &look.oblique, 0, G_PI / 9);
  g_assert_cmpfloat_with_epsilon (cos (odl_oblique_angle (&planes, &look.oblique)), c * k,
                                  1e-9);
  odl_planes_centre (&planes, ODL_PLANE_CORONAL, &look.voxel, centre);
  g_autoptr (OdlImage) picture = odl_planes_compose (volume, &look, NULL);
  for (int y = 0; y < place->height; y++)
    for (int x = 0; x < place->width; x++) {
      double mm[3];
      bool deep = true; // not in the outermost half of a voxel
      OdlVoxel at;
      for (int i = 0; i < 3; i++) {
        const double n = i == 0 ? 39 : i == 1 ? 29 : 19;
        mm[i] = look.voxel.at[i] * uneven[i]
                + 0.5
                      * ((x + 0.5 - centre[0]) * across[i]
                         + (y + 0.5 - centre[1]) * down[i]);
        deep = deep && mm[i] >= 0 && mm[i] <= n * uneven[i];
      }
      if (!deep)
        continue;
      inside++;
      g_assert_cmpfloat_with_epsilon (stored (picture, place->x + x, place->y + y),
                                      slope_at (mm), 2e-3);
      g_assert_true (
          odl_oblique_find (&planes, &look, place->x + x + 0.5, place->y + y + 0.5, &at));
      for (int i = 0; i < 3; i++)
        g_assert_cmpfloat (fabs (at.at[i] * uneven[i] - mm[i]), <=, uneven[i] / 2 + 1e-9);
    }
  g_assert_cmpint (inside, >, 500);
}

// The trace in the axial plane lies at 30°, and so do its handles; dragging one of them
// by 30° back straightens the plane.
static void
test_traces (void)
{
  g_autoptr (OdlImage) volume = make_slope ();
  const OdlPlanes planes = odl_planes_of (odl_image_info (volume));
  OdlPlanesLook look = { .voxel = { { 19, 14, 10 } } };
  OdlPlanesGrip grips[ODL_PLANES_MOST_GRIPS];
  double centre[2], trace[2];

  look.oblique = odl_oblique_straight (&planes, ODL_PLANE_CORONAL);
  g_assert_cmpint (odl_planes_grips (&planes, &look, grips), ==, 4);
  odl_oblique_turn (&planes, &look.oblique, ODL_PLANE_AXIAL, G_PI / 6);
  g_assert_true (odl_oblique_trace (&planes, &look.oblique, ODL_PLANE_CORONAL,
                                    ODL_PLANE_AXIAL, trace));
  g_assert_cmpfloat_with_epsilon (trace[1] / trace[0], tan (G_PI / 6), 1e-9);
  odl_planes_centre (&planes, ODL_PLANE_AXIAL, &look.voxel, centre);
  const int n = odl_planes_grips (&planes, &look, grips);
  g_autoptr (OdlImage) picture = odl_planes_compose (volume, &look, NULL);
  const OdlOverlay *overlay = odl_image_info (picture)->overlay;
  int n_axial = 0;
  for (int i = 0; i < n; i++) {
    g_assert_true (odl_overlay_has (overlay, (int) grips[i].x, (int) grips[i].y));
    if (grips[i].seen_in != ODL_PLANE_AXIAL)
      continue;
    n_axial++;
    const double x = grips[i].x - centre[0], y = grips[i].y - centre[1];
    g_assert_cmpfloat_with_epsilon (y / x, tan (G_PI / 6), 1e-9);
    const double from[2] = { grips[i].x, grips[i].y };
    const double to[2] = { centre[0] + (x > 0 ? 9 : -9), centre[1] };
    OdlPlanesLook dragged = look;
    odl_planes_drag (&planes, &grips[i], from, to, &dragged);
    g_assert_cmpfloat (odl_oblique_angle (&planes, &dragged.oblique), <, 1e-9);
  }
  g_assert_cmpint (n_axial, ==, 2);
}

// A voxel is met by a slab that reaches it along the normal, and by no thinner one.
static void
test_turned_slab (void)
{
  OdlImageInfo info = { .extent = { 31, 31, 31, 1 },
                        .channels = 1,
                        .type = ODL_SAMPLE_F32,
                        .spacing_mm = { 1, 1, 1 } };
  void *samples;
  g_autoptr (OdlImage) volume = odl_image_alloc (&info, &samples, NULL);
  const OdlPlanes planes = odl_planes_of (odl_image_info (volume));
  OdlPlanesLook look = { .voxel = { { 15, 15, 15 } } };
  const double away = 5 * sqrt (2); // of the voxel below, from the plane

  ((float *) samples)[(15 * 31 + 20) * 31 + 10] = 1;
  look.oblique = odl_oblique_straight (&planes, ODL_PLANE_SAGITTAL);
  odl_oblique_turn (&planes, &look.oblique, ODL_PLANE_AXIAL, -G_PI / 4);
  const OdlPlanePlace *place = &planes.planes[ODL_PLANE_SAGITTAL];
  for (int thickness = 1; thickness < 25; thickness++) {
    look.slab = (OdlSlab){ ODL_SLAB_MAXIMUM, thickness };
    double most = 0;
    g_autoptr (OdlImage) picture = odl_planes_compose (volume, &look, NULL);
    for (int y = 0; y < place->height; y++)
      for (int x = 0; x < place->width; x++)
        most = MAX (most, stored (picture, place->x + x, place->y + y));
    const double off = fabs (away) - (thickness - 1) / 2.0;
    g_test_message ("thickness %d, %.2f off: %g", thickness, off, most);
    // Trilinear weights reach less than √2 voxels along this normal.
    if (off > sqrt (2))
      g_assert_cmpfloat (most, ==, 0);
    else if (off <= 0)
      g_assert_cmpfloat (most, >, 0.3);
  }
}

// ---- A box ----

static void
test_box (void)
{
  g_autoptr (OdlImage) volume = make_slope ();
  const OdlPlanes planes = odl_planes_of (odl_image_info (volume));
  OdlPlanesLook look = { .voxel = { { 19, 14, 10 } }, .box = odl_box_whole () };
  OdlPlanesGrip grips[ODL_PLANES_MOST_GRIPS];
  const int n = odl_planes_grips (&planes, &look, grips);

  g_assert_cmpint (n, ==, 12);
  g_assert_false (odl_box_cuts (&look.box));
  for (int i = 0; i < n; i++) {
    const OdlPlanePlace *place = &planes.planes[grips[i].seen_in];
    const double from[2] = { grips[i].x, grips[i].y };
    // To the middle of the picture, which is that of the volume.
    const double to[2]
        = { place->x + place->width / 2.0, place->y + place->height / 2.0 };
    OdlPlanesLook dragged = look;
    odl_planes_drag (&planes, &grips[i], from, to, &dragged);
    for (int axis = 0; axis < 3; axis++) {
      const bool moved = axis == grips[i].axis;
      g_assert_cmpfloat_with_epsilon (dragged.box.low[axis],
                                      moved && !grips[i].high ? 0.5 : 0, 1e-9);
      g_assert_cmpfloat_with_epsilon (dragged.box.high[axis],
                                      moved && grips[i].high ? 0.5 : 1, 1e-9);
    }
    g_assert_true (odl_box_cuts (&dragged.box));
  }
  // Upwards in the coronal plane is the direction of the slices.
  odl_planes_push_box (&planes, ODL_PLANE_CORONAL, 0, -1, true, 0.25, &look.box);
  g_assert_cmpfloat_with_epsilon (look.box.low[2], 0.25, 1e-9);
  odl_planes_push_box (&planes, ODL_PLANE_CORONAL, 0, 1, false, 0.05, &look.box);
  g_assert_cmpfloat_with_epsilon (look.box.low[2], 0.2, 1e-9);
  // It never closes.
  for (int i = 0; i < 30; i++)
    odl_planes_push_box (&planes, ODL_PLANE_AXIAL, -1, 0, true, 0.1, &look.box);
  g_assert_cmpfloat (look.box.high[0], >, look.box.low[0]);
  g_assert_cmpfloat (look.box.low[0], ==, 0);
}

// What no file should say makes a picture all the same.
static void
test_odd_spacings (void)
{
  static const double odd[][3]
      = { { 0, 0, 0 }, { 1, 1, 0 }, { 1e-3, 1e3, 1 }, { 1e3, 1e3, 1e-3 } };

  for (size_t i = 0; i < G_N_ELEMENTS (odd); i++) {
    g_autoptr (OdlImage) volume = make_volume (odd[i], ODL_SAMPLE_S16);
    const OdlPlanes planes = odl_planes_of (odl_image_info (volume));
    const OdlVoxel voxel = { { 8, 6, 4 } };
    g_autoptr (OdlImage) picture
        = odl_planes_compose (volume, &(OdlPlanesLook){ .voxel = voxel }, NULL);
    g_assert_nonnull (picture);
    g_assert_cmpint (planes.width, <=, 16 * 16 + 4);
    g_assert_cmpint (planes.height, <=, 16 * 12 + 4);
  }
}

// A slice is what was put there; another size or range is refused.
static void
test_slices (void)
{
  static const double cubes[3] = { 1, 1, 1 };
  g_autoptr (OdlImage) volume = make_volume (cubes, ODL_SAMPLE_S16);
  g_autoptr (OdlImage) slice = odl_volume_slice (volume, 3);
  void *samples;

  g_assert_cmpint (odl_image_info (slice)->extent.z, ==, 1);
  g_assert_cmpfloat_with_epsilon (stored (slice, 4, 5), value_at (4, 5, 3), 1e-2);
  g_autoptr (OdlImage) copy = odl_volume_alloc (slice, 2, &samples, NULL);
  g_assert_true (odl_volume_put (copy, samples, 1, slice));
  g_autoptr (OdlImage) back = odl_volume_slice (copy, 1);
  g_assert_cmpfloat_with_epsilon (stored (back, 4, 5), value_at (4, 5, 3), 1e-2);
  OdlImageInfo info = *odl_image_info (slice);
  info.stored_max = 1000;
  g_autoptr (OdlImage) other = odl_image_with_info (slice, &info);
  g_assert_false (odl_volume_put (copy, samples, 0, other));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/planes/cubes-are-pixels", test_cubes);
  g_test_add_func ("/planes/sides-that-rounding-makes-unlike", test_rounded_sides);
  g_test_add_func ("/planes/proportions-come-from-the-spacing", test_proportions);
  g_test_add_func ("/planes/slabs-hold-what-lies-in-them", test_slabs);
  g_test_add_func ("/planes/slabs-are-as-thick-along-all-axes", test_thickness);
  g_test_add_func ("/planes/the-cross-hair-lies-on-its-voxel", test_cross_hair);
  g_test_add_func ("/planes/odd-spacings-make-a-picture", test_odd_spacings);
  g_test_add_func ("/planes/slices-go-in-and-come-out", test_slices);
  g_test_add_func ("/planes/turned-by-nothing-it-is-the-plane", test_straight);
  g_test_add_func ("/planes/a-turned-plane-shows-what-lies-there", test_turned);
  g_test_add_func ("/planes/traces-and-handles-of-a-turned-plane", test_traces);
  g_test_add_func ("/planes/a-turned-slab-reaches-as-far-as-it-is-thick",
                   test_turned_slab);
  g_test_add_func ("/planes/sides-of-a-box", test_box);
  return g_test_run ();
}
