// SPDX-License-Identifier: MIT
// Where filters act in a session: the ultrasound regions of a file, the sector of a
// picture, or everywhere.
#include "image/area.h"

#include <string.h>

#include "../../helpers/bar.h"
#include "../../helpers/folder.h"
#include "../source/dicom_writer.h"
#include "plan/title.h"
#include "settle.h"

#define SIDE 64
#define LEFT 16 // of the region, and of what is lit
#define END 48

static void
put_long (GByteArray *out, uint32_t tag, uint32_t value)
{
  odl_dicom_put_head (out, tag, "UL", 4);
  odl_dicom_put_u32 (out, value);
}

static void
put_delta (GByteArray *out, uint32_t tag)
{
  const double delta = 0.1;

  odl_dicom_put_head (out, tag, "FD", sizeof delta);
  g_byte_array_append (out, (const guint8 *) &delta, sizeof delta);
}

// A square of noise, and a mark beside it.
static char *
write_picture (const char *folder, const char *name, bool region)
{
  g_autoptr (GByteArray) out = odl_dicom_begin (ODL_DICOM_LE);
  g_autoptr (GByteArray) item = g_byte_array_new (), items = g_byte_array_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  guint8 samples[SIDE * SIDE] = { 0 };

  for (int y = LEFT; y < END; y++)
    for (int x = LEFT; x < END; x++)
      samples[y * SIDE + x] = (guint8) g_rand_int_range (rand, 60, 250);
  samples[5 * SIDE + 5] = 200;
  odl_dicom_put_text (out, 0x00080060, "CS", "US");
  odl_dicom_put_short (item, 0x00186012, 1);
  odl_dicom_put_short (item, 0x00186014, 1);
  put_long (item, 0x00186018, LEFT);
  put_long (item, 0x0018601a, LEFT);
  put_long (item, 0x0018601c, END - 1);
  put_long (item, 0x0018601e, END - 1);
  odl_dicom_put_short (item, 0x00186024, 3);
  odl_dicom_put_short (item, 0x00186026, 3);
  put_delta (item, 0x0018602c);
  put_delta (item, 0x0018602e);
  odl_dicom_put_item (items, item->data, item->len);
  if (region) {
    odl_dicom_put_head (out, 0x00186011, "SQ", items->len);
    g_byte_array_append (out, items->data, items->len);
  }
  odl_dicom_put_bytes_of (out, SIDE, SIDE);
  odl_dicom_put_head (out, 0x7fe00010, "OB", sizeof samples);
  g_byte_array_append (out, samples, sizeof samples);
  char *path = g_build_filename (folder, name, NULL);
  g_assert_true (g_file_set_contents (path, (const char *) out->data, out->len, NULL));
  return path;
}

static void
show (OdlSession *session, const char *location)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;
  OdlRecipe recipe;

  odl_session_open (session, location, NULL);
  while (odl_session_opening (session) != NULL && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  odl_recipe_init (&recipe);
  g_assert_true (odl_recipe_parse (&recipe, "gaussian:sigma=2", NULL));
  odl_session_set_playing (session, false);
  odl_session_set_recipe (session, &recipe, NULL);
  settle (session);
}

// Whether the sample at (x, y) was changed.
static bool
is_changed (OdlSession *session, int x, int y)
{
  const OdlFrame *frame = odl_session_frame (session);
  float original[SIDE], result[SIDE];

  odl_image_scaled_row (frame->input, 0, y, 0, 0, original);
  odl_image_scaled_row (frame->result, 0, y, 0, 0, result);
  return original[x] != result[x];
}

// Until the frame shown was made by the plan in force.
static void
await_plan (OdlSession *session)
{
  const int64_t end = g_get_monotonic_time () + PATIENCE_US;

  settle (session);
  while (session->frame->plan != session->plan && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
}

static void
assert_acts (OdlSession *session, bool outside)
{
  await_plan (session);
  const OdlFrame *frame = odl_session_frame (session);
  g_autofree char *title
      = odl_plan_title_for (&frame->recipe, &frame->plan->geometry, NULL);

  g_assert_true (is_changed (session, 30, 30));
  g_assert_true (is_changed (session, LEFT, END - 1));
  g_assert_true (is_changed (session, 5, 5) == outside);
  g_assert_true (is_changed (session, LEFT - 1, 30) == outside);
  // Whoever looks at the badge knows it.
  g_assert_true ((strstr (title, "inside") == NULL) == outside);
}

static void
test_areas (const void *folder)
{
  g_autofree char *with = write_picture (folder, "with.dcm", true);
  g_autofree char *without = write_picture (folder, "without.dcm", false);
  OdlSession *session = odl_session_new ();

  odl_session_set_canvas (session, ODL_GL_NONE, 0, true);
  show (session, with);
  assert_acts (session, true); // nobody asked for it
  odl_session_set_keeps_to_regions (session, true);
  show (session, with);
  g_assert_cmpint (odl_session_area (session), ==, ODL_AREA_REGION);
  assert_acts (session, false);
  odl_session_set_area (session, ODL_AREA_ALL);
  assert_acts (session, true);
  show (session, without);
  g_assert_cmpint (odl_session_area (session), ==, ODL_AREA_ALL);
  assert_acts (session, true);
  g_assert_null (odl_operands_find (odl_session_operands (session), ODL_AREA_INSIDE));
  odl_session_set_area (session, ODL_AREA_REGION); // which it has not
  g_assert_cmpint (odl_session_area (session), ==, ODL_AREA_ALL);
  odl_session_set_area (session, ODL_AREA_SECTOR);
  assert_acts (session, false);
  // What exports and measurements are handed.
  g_assert_nonnull (odl_operands_find (odl_session_operands (session), ODL_AREA_INSIDE));
  show (session, "phantom:64x64");
  g_assert_cmpint (odl_session_area (session), ==, ODL_AREA_ALL);
  g_assert_finalize_object (session);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("odl-area-XXXXXX", NULL);

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/area/filters-keep-to-regions-and-sectors", folder, test_areas);
  const int status = g_test_run ();
  odl_test_remove_tree (folder);
  return status;
}
