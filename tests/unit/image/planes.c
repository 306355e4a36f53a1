// SPDX-License-Identifier: MIT
// Three planes of a volume in one picture: proportions, values, and the way back from a
// pixel to a voxel.
#include <glib.h>

#include "image/planes.h"
#include "image/volume.h"

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
    g_autoptr (OdlImage) picture = odl_planes_compose (volume, &voxel, NULL, NULL);
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
  g_autoptr (OdlImage) picture = odl_planes_compose (volume, &voxel, NULL, NULL);

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
      g_autoptr (OdlImage) picture
          = odl_planes_compose (volume, &slabs[i].at, &slab, NULL);
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
        g_autoptr (OdlImage) picture = odl_planes_compose (volume, &voxel, NULL, NULL);
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
    g_autoptr (OdlImage) picture = odl_planes_compose (volume, &voxel, NULL, NULL);
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
  g_test_add_func ("/planes/proportions-come-from-the-spacing", test_proportions);
  g_test_add_func ("/planes/slabs-hold-what-lies-in-them", test_slabs);
  g_test_add_func ("/planes/slabs-are-as-thick-along-all-axes", test_thickness);
  g_test_add_func ("/planes/the-cross-hair-lies-on-its-voxel", test_cross_hair);
  g_test_add_func ("/planes/odd-spacings-make-a-picture", test_odd_spacings);
  g_test_add_func ("/planes/slices-go-in-and-come-out", test_slices);
  return g_test_run ();
}
