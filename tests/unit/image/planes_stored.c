// SPDX-License-Identifier: MIT
// A volume that is stored along its axes in any order and direction, whose file says
// where they lead, has the same planes, cross-hair, slabs, handles and steps.
#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/annotation/on_plane.h"
#include "image/grips.h"
#include "image/render/render.h"
#include "image/volume/oblique.h"

#define N_STORED 48

// Voxels to the left, back and head; sides in mm.
static const int size[3] = { 9, 7, 5 };
static const double mm[3] = { 1, 1.5, 2.5 };

// Stored axis i is the patient's axis order[i], the other way where `against`.
typedef struct {
  int order[3];
  bool against[3];
} Stored;

static Stored
stored_at (int i)
{
  static const int orders[6][3]
      = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
  Stored stored = { 0 };

  for (int axis = 0; axis < 3; axis++) {
    stored.order[axis] = orders[i / 8][axis];
    stored.against[axis] = i >> axis & 1;
  }
  return stored;
}

// From the patient's to the stored voxel.
static OdlVoxel
store (const Stored *stored, const int patient[3])
{
  OdlVoxel voxel;

  for (int axis = 0; axis < 3; axis++) {
    const int own = stored->order[axis];
    voxel.at[axis] = stored->against[axis] ? size[own] - 1 - patient[own] : patient[own];
  }
  return voxel;
}

static OdlImage *
make_head (const Stored *stored)
{
  OdlImageInfo info = { .channels = 1, .type = ODL_SAMPLE_F32, .stored_max = 400 };
  int *const extent[3] = { &info.extent.x, &info.extent.y, &info.extent.z };
  void *samples;

  info.extent.t = 1;
  for (int axis = 0; axis < 3; axis++) {
    const int own = stored->order[axis];
    *extent[axis] = size[own];
    info.spacing_mm[axis] = mm[own];
    info.patient_axes[axis] = (int8_t) (stored->against[axis] ? -1 - own : 1 + own);
  }
  OdlImage *head = odl_image_alloc (&info, &samples, NULL);
  g_assert_nonnull (head);
  for (int i = 0; i < size[0] * size[1] * size[2]; i++) {
    const int at[3] = { i % size[0], i / size[0] % size[1], i / size[0] / size[1] };
    const OdlVoxel voxel = store (stored, at);
    ((float *) samples)[(voxel.at[2] * info.extent.y + voxel.at[1]) * info.extent.x
                        + voxel.at[0]]
        = (float) (i * 7 % 331);
  }
  return head;
}

// Turned and leant as somebody would, in the directions of the picture.
static OdlPlanesLook
look_at (const OdlPlanes *planes, const Stored *stored, int way)
{
  static const int places[][3] = { { 2, 3, 1 }, { 8, 0, 4 }, { 4, 3, 2 } };
  OdlPlanesLook look = { .voxel = store (stored, places[way % 3]) };

  if (way >= 3)
    look.slab = (OdlSlab){ (OdlSlabKind) (1 + way % 3), 4 };
  if (way >= 6) {
    const OdlPlaneKind plane = (OdlPlaneKind) (way % 3);
    look.oblique = odl_oblique_straight (planes, plane);
    odl_oblique_turn (planes, &look.oblique, (OdlPlaneKind) ((plane + 1) % 3), 0.4);
    odl_oblique_lean (planes, &look.oblique, 0.3, -0.2);
  } else {
    look.box = odl_box_whole ();
    odl_planes_push_box (planes, ODL_PLANE_AXIAL, 1, 0, false, -0.2, &look.box);
    odl_planes_push_box (planes, ODL_PLANE_CORONAL, 0, -1, true, 0.3, &look.box);
  }
  return look;
}

#define WAYS 9

static void
same_picture (OdlImage *picture, OdlImage *other, const char *what)
{
  const OdlImageInfo *a = odl_image_info (picture), *b = odl_image_info (other);
  g_autofree float *row = g_new (float, a->extent.x);
  g_autofree float *own = g_new (float, a->extent.x);

  g_assert_cmpint (a->extent.x, ==, b->extent.x);
  g_assert_cmpint (a->extent.y, ==, b->extent.y);
  for (int y = 0; y < a->extent.y; y++) {
    odl_image_scaled_row (picture, 0, y, 0, 0, row);
    odl_image_scaled_row (other, 0, y, 0, 0, own);
    for (int x = 0; x < a->extent.x; x++) {
      if (!(fabsf (row[x] - own[x]) <= 1e-5f))
        g_error ("%s: at %d, %d there is %g, not %g", what, x, y, (double) own[x],
                 (double) row[x]);
      if (odl_overlay_has (a->overlay, x, y) != odl_overlay_has (b->overlay, x, y))
        g_error ("%s: lines at %d, %d", what, x, y);
    }
  }
}

static void
test_pictures (void)
{
  const Stored plain = stored_at (0);
  g_autoptr (OdlImage) head = make_head (&plain);
  const OdlPlanes planes = odl_planes_of (odl_image_info (head));

  for (int i = 0; i < N_STORED; i++)
    for (int way = 0; way < WAYS; way++) {
      const Stored stored = stored_at (i);
      g_autoptr (OdlImage) other = make_head (&stored);
      const OdlPlanes own = odl_planes_of (odl_image_info (other));
      const OdlPlanesLook look = look_at (&planes, &plain, way);
      const OdlPlanesLook own_look = look_at (&own, &stored, way);
      g_autofree char *what = g_strdup_printf ("stored %d, look %d", i, way);
      g_autoptr (OdlImage) picture = odl_planes_compose (head, &look, NULL);
      g_autoptr (OdlImage) own_picture = odl_planes_compose (other, &own_look, NULL);
      same_picture (picture, own_picture, what);
    }
}

// From pixels (none halfway between two voxels) to voxels, from voxels to pixels, and
// what a drag of a handle does.
static void
test_places (void)
{
  const Stored plain = stored_at (0);
  g_autoptr (OdlImage) head = make_head (&plain);
  const OdlPlanes planes = odl_planes_of (odl_image_info (head));

  for (int i = 0; i < N_STORED; i++) {
    const Stored stored = stored_at (i);
    g_autoptr (OdlImage) other = make_head (&stored);
    const OdlPlanes own = odl_planes_of (odl_image_info (other));
    for (int y = 0; y < planes.height; y++)
      for (int x = 0; x < planes.width; x++) {
        OdlVoxel at = { { 1, 2, 3 } }, own_at = store (&stored, at.at);
        g_assert_cmpint (odl_planes_find (&planes, x + 0.3, y + 0.3, &at), ==,
                         odl_planes_find (&own, x + 0.3, y + 0.3, &own_at));
        const OdlVoxel wanted = store (&stored, at.at);
        g_assert_cmpmem (&wanted, sizeof wanted, &own_at, sizeof own_at);
      }
    for (int way = 0; way < WAYS; way++) {
      OdlPlanesLook look = look_at (&planes, &plain, way);
      OdlPlanesLook own_look = look_at (&own, &stored, way);
      OdlPlanesGrip grips[ODL_PLANES_MOST_GRIPS], own_grips[ODL_PLANES_MOST_GRIPS];
      const int n = odl_planes_grips (&planes, &look, grips);
      g_assert_cmpint (odl_planes_grips (&own, &own_look, own_grips), ==, n);
      for (int k = 0; k < n; k++) {
        const double from[2] = { grips[k].x, grips[k].y }, to[2] = { 6.25, 8.5 };
        g_assert_cmpint (own_grips[k].seen_in, ==, grips[k].seen_in);
        g_assert_cmpfloat_with_epsilon (own_grips[k].x, grips[k].x, 1e-9);
        g_assert_cmpfloat_with_epsilon (own_grips[k].y, grips[k].y, 1e-9);
        odl_planes_drag (&planes, &grips[k], from, to, &look);
        odl_planes_drag (&own, &own_grips[k], from, to, &own_look);
      }
      OdlOverlay *lines = odl_planes_overlay (&planes, &look);
      OdlOverlay *own_lines = odl_planes_overlay (&own, &own_look);
      for (int y = 0; y < planes.height; y++)
        for (int x = 0; x < planes.width; x++)
          g_assert_true (odl_overlay_has (lines, x, y)
                         == odl_overlay_has (own_lines, x, y));
      odl_overlay_unref (lines);
      odl_overlay_unref (own_lines);
    }
  }
}

// The wheel leads to the same side of the patient.
static void
test_steps (void)
{
  const Stored plain = stored_at (0);
  g_autoptr (OdlImage) head = make_head (&plain);
  const OdlPlanes planes = odl_planes_of (odl_image_info (head));

  for (int i = 0; i < N_STORED; i++)
    for (int way = 6; way < WAYS; way++) {
      const Stored stored = stored_at (i);
      g_autoptr (OdlImage) other = make_head (&stored);
      const OdlPlanes own = odl_planes_of (odl_image_info (other));
      const OdlPlanesLook look = look_at (&planes, &plain, way);
      const OdlPlanesLook own_look = look_at (&own, &stored, way);
      int sign, own_sign;
      const int axis = odl_oblique_through (&planes, &look.oblique, &sign);
      const int own_axis = odl_oblique_through (&own, &own_look.oblique, &own_sign);
      g_assert_cmpint (stored.order[own_axis], ==, axis);
      g_assert_cmpint (own_sign * own.leads[own_axis], ==, sign);
      g_assert_cmpfloat_with_epsilon (odl_oblique_angle (&own, &own_look.oblique),
                                      odl_oblique_angle (&planes, &look.oblique), 1e-9);
    }
}

// What lies on a plane keeps its voxels, in text, too, and has its millimetres.
static void
test_on_planes (void)
{
  static const int place[3] = { 6, 1, 3 };

  for (int i = 0; i < N_STORED; i++)
    for (int plane = 0; plane < ODL_N_PLANES; plane++) {
      const Stored stored = stored_at (i);
      g_autoptr (OdlImage) head = make_head (&stored);
      const OdlImageInfo *info = odl_image_info (head);
      const OdlPlanes planes = odl_planes_of (info);
      const OdlPlanesLook look = { .voxel = store (&stored, place) };
      const OdlOnPlane on = odl_on_plane_make (&planes, (OdlPlaneKind) plane, &look);
      g_autofree char *text = odl_on_plane_to_text (&on);
      OdlOnPlane again;
      g_assert_true (odl_on_plane_from_text (text, &again));
      g_assert_true (odl_on_plane_is_same (&on, &again));
      g_assert_true (odl_on_plane_fits (&again, info));
      const OdlPlanesLook back = odl_on_plane_look (&again, info);
      const int through = planes.planes[plane].through;
      g_assert_cmpint (stored.order[through], ==, 2 - plane);
      for (int axis = 0; axis < 3; axis++)
        g_assert_cmpint (back.voxel.at[axis], ==,
                         axis == through ? look.voxel.at[axis] : 0);
      const OdlScale scale = odl_on_plane_scale (info, &again, false);
      g_assert_true (scale.known);
      g_assert_cmpfloat_with_epsilon (scale.x, 1, 1e-9);
      g_assert_cmpfloat_with_epsilon (scale.y, 1, 1e-9);
      // A tilted gantry shifts slices: lengths are known along them alone.
      g_assert_true (odl_on_plane_scale (info, &again, true).known == (through == 2));
    }
}

// The value of the picture of a plane there; NAN: it lies beyond.
static double
value_at (OdlImage *volume, const OdlOnPlane *on, OdlPoint at)
{
  g_autoptr (OdlImage) cut = odl_on_plane_compose (volume, on, NULL);
  const OdlExtent extent = odl_image_info (cut)->extent;
  float value;

  if (!(at.x >= 0 && at.x < extent.x && at.y >= 0 && at.y < extent.y))
    return NAN;
  odl_image_scaled_span (cut, 0, (int) at.x, 1, (int) at.y, 0, 0, &value);
  return (double) value;
}

// What an earlier version has kept on planes named by stored axes lies on the same
// voxels.
static void
test_kept (void)
{
  static const char *const planes[] = { "axial:3",
                                        "coronal:2",
                                        "sagittal:4",
                                        "axial:2:mean:2",
                                        "coronal:3:maximum:4",
                                        "sagittal:1:mean:3",
                                        "coronal:2/3/1:turned:0.8/0.6/0/0/0/-1:mean:2" };

  for (int i = 0; i < N_STORED; i++) {
    const Stored stored = stored_at (i);
    g_autoptr (OdlImage) head = make_head (&stored);
    OdlImageInfo info = *odl_image_info (head);
    for (int axis = 0; axis < 3; axis++)
      info.spacing_mm[axis] = 1;
    g_autoptr (OdlImage) now = odl_image_with_info (head, &info);
    memset (info.patient_axes, 0, sizeof info.patient_axes);
    g_autoptr (OdlImage) before = odl_image_with_info (head, &info);
    for (size_t k = 0; k < G_N_ELEMENTS (planes); k++) {
      const OdlPoint kept[] = { { 1.5, 3.5 }, { 2.5, 0.5 } };
      OdlPoint points[] = { kept[0], kept[1] };
      OdlOnPlane on, old;
      g_assert_true (odl_on_plane_from_text (planes[k], &on));
      on.as_stored = true;
      old = on;
      odl_on_plane_settle (&on, odl_image_info (now), points, 2);
      g_assert_false (on.as_stored);
      for (int p = 0; p < 2; p++) {
        const double was = value_at (before, &old, kept[p]);
        const double is = value_at (now, &on, points[p]);
        // The picture of a turned one has other edges.
        if (!on.look.oblique.turned || !(isnan (was) || isnan (is)))
          g_assert_cmpfloat_with_epsilon (is, was, 1e-6);
      }
    }
  }
}

// From the front and from the side, whole and cut.
static void
test_rendered (void)
{
  static guint8 rgba[2][4 * 48 * 48];
  const Stored plain = stored_at (0);
  g_autoptr (OdlImage) head = make_head (&plain);
  g_autoptr (OdlBody) body = odl_body_new (head, NULL);

  for (int i = 0; i < N_STORED; i++) {
    const Stored stored = stored_at (i);
    g_autoptr (OdlImage) other = make_head (&stored);
    g_autoptr (OdlBody) own = odl_body_new (other, NULL);
    for (int cut = 0; cut < ODL_RENDER_N_CUTS; cut++) {
      OdlRenderScene scene
          = { .preset = odl_render_preset_find (cut % 2 ? "mr" : "maximum"),
              .points = { 0, 1 },
              .look = { .yaw = 23 * cut, .pitch = 9 * cut, .zoom = 0.7 },
              .cut = (OdlRenderCut) cut,
              .place = { 0, 0, 48, 48 } };
      for (int k = 0; k < 2; k++) {
        scene.body = k == 0 ? body : own;
        scene.voxel = store (k == 0 ? &plain : &stored, (const int[]){ 5, 2, 3 });
        odl_render_draw (&scene, 48, 48, false, rgba[k]);
      }
      double differ = 0, shown = 0;
      for (size_t at = 0; at < sizeof rgba[0]; at++) {
        differ += abs (rgba[0][at] - rgba[1][at]);
        shown += abs (rgba[0][at] - rgba[0][0]);
      }
      g_test_message ("stored %d, cut %d: %g of %g", i, cut, differ, shown);
      g_assert_cmpfloat (differ, <, 0.01 * shown);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/planes-stored/pictures-are-the-same", test_pictures);
  g_test_add_func ("/planes-stored/pixels-are-the-same-voxels", test_places);
  g_test_add_func ("/planes-stored/the-wheel-leads-the-same-way", test_steps);
  g_test_add_func ("/planes-stored/what-lies-on-them-stays-there", test_on_planes);
  g_test_add_func ("/planes-stored/what-was-kept-before-stays-there", test_kept);
  g_test_add_func ("/planes-stored/so-is-the-rendered-view", test_rendered);
  return g_test_run ();
}
