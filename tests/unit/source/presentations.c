// SPDX-License-Identifier: MIT
// Presentation states: which are of a picture, and how it is looked at.
#include "source/dicom/presentation.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "../../helpers/folder.h"
#include "dicom_writer.h"
#include "support.h"

#define CLASS_UID "1.2.840.10008.5.1.4.1.1.11.1"
#define PICTURE "1.2.3.4"

// ---- files ---------------------------------------------------------------------------

static void
write_picture (const char *folder, const char *path, const char *uid)
{
  g_autoptr (GByteArray) out = odl_dicom_begin (ODL_DICOM_LE);
  const guint8 samples[16] = { 0 };

  odl_dicom_put_text (out, 0x00080018, "UI", uid);
  odl_dicom_put_bytes_of (out, 4, 4);
  odl_dicom_put_head (out, 0x7fe00010, "OB", sizeof samples);
  g_byte_array_append (out, samples, sizeof samples);
  odl_dicom_write_in (folder, path, out);
}

// A preamble, and the meta information of a presentation.
static GByteArray *
begin (void)
{
  g_autoptr (GByteArray) meta = g_byte_array_new ();
  GByteArray *out = g_byte_array_new ();

  odl_dicom_put_text (meta, 0x00020002, "UI", CLASS_UID);
  odl_dicom_put_text (meta, 0x00020003, "UI", "1.2.3.9");
  odl_dicom_put_text (meta, 0x00020010, "UI", ODL_DICOM_LE);
  g_byte_array_set_size (out, 128);
  memset (out->data, 0, 128);
  g_byte_array_append (out, (const guint8 *) "DICM", 4);
  odl_dicom_put_head (out, 0x00020000, "UL", 4);
  odl_dicom_put_u32 (out, meta->len);
  g_byte_array_append (out, meta->data, meta->len);
  return out;
}

static void
write_state (const char *folder, const char *path, const char *label, const char *uid)
{
  g_autoptr (GByteArray) out = begin ();
  g_autoptr (GByteArray) image = g_byte_array_new (), series = g_byte_array_new ();
  g_autoptr (GByteArray) voi = g_byte_array_new (), table = g_byte_array_new ();

  odl_dicom_put_text (out, 0x00080016, "UI", CLASS_UID);
  odl_dicom_put_text (out, 0x00080060, "CS", "PR");
  odl_dicom_put_text (image, 0x00081155, "UI", uid);
  odl_dicom_put_sequence (series, 0x00081140, image);
  odl_dicom_put_sequence (out, 0x00081115, series);
  odl_dicom_put_head (table, 0x00283002, "US", 6);
  odl_dicom_put_u16 (table, 3);
  odl_dicom_put_u16 (table, 10);
  odl_dicom_put_u16 (table, 16);
  odl_dicom_put_head (table, 0x00283006, "OW", 6);
  odl_dicom_put_u16 (table, 0);
  odl_dicom_put_u16 (table, 65535);
  odl_dicom_put_u16 (table, 13107);
  odl_dicom_put_sequence (voi, 0x00283010, table);
  odl_dicom_put_sequence (out, 0x00283110, voi);
  odl_dicom_put_text (out, 0x00700080, "CS", label);
  odl_dicom_write_in (folder, path, out);
}

static void
assert_found (const char *folder, const char *path, const char *wanted)
{
  g_autofree char *whole = g_build_filename (folder, path, NULL);
  g_autoptr (GPtrArray) list = odl_presentations_find (whole, NULL);
  g_autoptr (GString) got = g_string_new (NULL);

  for (guint i = 0; i < list->len; i++) {
    const OdlPresentation *one = list->pdata[i];
    g_string_append_printf (got, "%s ", one->label);
    g_assert_true (one->has_window);
    g_assert_cmpint (one->window.curve->n, ==, 3);
    g_assert_cmpfloat_with_epsilon (one->window.curve->levels[1], 1, 1e-6);
    g_assert_cmpfloat_with_epsilon (one->window.curve->levels[2], 0.2, 1e-5);
    g_assert_cmpfloat (one->window.first, ==, 10);
    g_assert_cmpfloat (one->window.last, ==, 12);
  }
  g_assert_cmpstr (got->str, ==, wanted);
}

// States of colours are some, but none that can be applied.
static void
assert_none_of_colours (const char *folder)
{
  static const char *const paths[]
      = { "study/a/state", "study/a/colours", "study/a/1.dcm" };
  g_autofree char *state = g_build_filename (folder, paths[0], NULL);
  g_autofree char *colours = g_build_filename (folder, paths[1], NULL);
  g_autofree char *bytes = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (state, &bytes, &n, NULL));
  for (char *at = bytes; (at = memmem (at, n - (gsize) (at - bytes), "1.11.1", 6)); at++)
    at[5] = '2';
  g_assert_true (g_file_set_contents (colours, bytes, (gssize) n, NULL));
  assert_found (folder, paths[2], "BESIDE HERE ");
  for (size_t i = 0; i < G_N_ELEMENTS (paths); i++) {
    g_autofree char *path = g_build_filename (folder, paths[i], NULL);
    g_assert_true (odl_presentation_is_file (path) == (i < 2));
  }
}

static void
test_found (void)
{
  g_autofree char *folder = g_dir_make_tmp ("odl-presentations-XXXXXX", NULL);
  g_autofree char *linked = g_build_filename (folder, "study/a/LINK.dcm", NULL);
  g_autofree char *target = g_build_filename (folder, "away/FAR.dcm", NULL);

  write_picture (folder, "study/a/1.dcm", PICTURE);
  write_picture (folder, "study/a/2.dcm", "1.2.3.40");
  write_state (folder, "study/a/state", "HERE", PICTURE);
  write_state (folder, "study/b/state.dcm", "BESIDE", PICTURE);
  write_state (folder, "study/b/other.dcm", "OTHER", "1.2.3.40");
  write_state (folder, "away/FAR.dcm", "FAR", PICTURE);
  g_assert_cmpint (symlink (target, linked), ==, 0);
  assert_found (folder, "study/a/1.dcm", "BESIDE HERE ");
  assert_found (folder, "study/a/2.dcm", "OTHER ");
  assert_none_of_colours (folder);
  // Of a disc all that lies on it.
  g_autofree char *table = g_build_filename (folder, "DICOMDIR", NULL);
  g_assert_true (g_file_set_contents (table, "any", -1, NULL));
  assert_found (folder, "study/a/1.dcm", "BESIDE FAR HERE ");
  odl_test_remove_tree (folder);
}

// ---- what they say -------------------------------------------------------------------

#define REFERENCE \
  "0\t(0008,1115)\tSQ\t\t\n1\t(FFFE,E000)\t\t\t1\n2\t(0008,1140)\tSQ\t\t\n" \
  "3\t(FFFE,E000)\t\t\t1\n4\t(0008,1155)\tUI\t\t" PICTURE "\n" \
  "4\t(0008,1160)\tIS\t\t2\\3\n"
#define AREA(corners, mode) \
  "0\t(0070,005A)\tSQ\t\t\n1\t(FFFE,E000)\t\t\t1\n" corners \
  "2\t(0070,0100)\tCS\t\t" mode "\n"

#define DRAWN \
  "0\t(0018,1600)\tCS\t\tCIRCULAR\\POLYGONAL\\BITMAP\n" \
  "0\t(0018,1610)\tIS\t\t9\\9\n0\t(0018,1612)\tIS\t\t7\n" \
  "0\t(0018,1620)\tIS\t\t1\\1\\1\\40\\40\\20\n0\t(0018,1623)\tUS\t\t24576\n" \
  "0\t(6000,0010)\tUS\t\t4\n0\t(6000,0011)\tUS\t\t8\n0\t(6000,0050)\tSS\t\t1\\1\n" \
  "0\t(6000,3000)\tOW\t\t1\\65535\n0\t(0070,0001)\tSQ\t\t\n1\t(FFFE,E000)\t\t\t1\n" \
  "2\t(0070,0009)\tSQ\t\t\n3\t(FFFE,E000)\t\t\t1\n4\t(0070,0005)\tCS\t\tDISPLAY\n" \
  "4\t(0070,0022)\tFL\t\t0.1\\0.2\\0.9\\1e3\n4\t(0070,0023)\tCS\t\tINTERPOLATED\n" \
  "2\t(0070,0008)\tSQ\t\t\n3\t(FFFE,E000)\t\t\t1\n4\t(0070,0004)\tCS\t\tPIXEL\n" \
  "4\t(0070,0006)\tST\t\there\n4\t(0070,0014)\tFL\t\t-3\\1e9\n"

// Places that are within reach, of as many points as the lines say.
static void
assert_sane (const OdlPresentation *one)
{
  bool is_partial;
  g_autoptr (OdlGraphics) graphics
      = odl_presentation_graphics (one, 37, 23, 1, &is_partial);

  for (guint i = 0; graphics != NULL && i < graphics->points->len; i++) {
    const OdlPoint *point = &g_array_index (graphics->points, OdlPoint, i);
    g_assert_true (fabs (point->x) <= ODL_GRAPHICS_REACH
                   && fabs (point->y) <= ODL_GRAPHICS_REACH);
  }
  for (guint i = 0; graphics != NULL && i < graphics->lines->len; i++) {
    const OdlGraphicsLine *line = &g_array_index (graphics->lines, OdlGraphicsLine, i);
    g_assert_true (line->n > 0 && line->first + line->n <= graphics->points->len);
  }
}

static OdlPresentation *
parse (const char *more, int64_t frame)
{
  g_autofree char *text
      = g_strconcat ("0\t(0008,0060)\tCS\tModality\tPR\n" REFERENCE, more, NULL);

  return odl_presentation_parse (text, PICTURE, frame);
}

static void
test_frames (void)
{
  static const bool wanted[] = { false, true, true, false };

  for (int i = 0; i < 4; i++) {
    g_autoptr (OdlPresentation) one = parse ("", i);
    g_assert_true ((one != NULL) == wanted[i]);
  }
  g_autoptr (OdlPresentation) any = parse ("", -1);
  g_assert_nonnull (any);
  g_autoptr (OdlPresentation) second = odl_presentation_of_frame (any, 1);
  g_assert_nonnull (second);
  g_assert_null (odl_presentation_of_frame (any, 7));
  g_assert_null (odl_presentation_parse (any->header, "1.2.3.5", -1));
  g_assert_null (odl_presentation_parse (any->header, "", -1));
  g_assert_null (
      odl_presentation_parse ("0\t(0008,0060)\tCS\t\tCT\n" REFERENCE, PICTURE, -1));
}

static void
test_turned (void)
{
  g_autoptr (OdlPresentation) one
      = parse ("0\t(0070,0041)\tCS\t\tY\n0\t(0070,0042)\tUS\t\t270\n"
               "0\t(2050,0020)\tCS\t\tINVERSE\n" AREA ("2\t(0070,0052)\tSL\t\t101\\1\n"
                                                       "2\t(0070,0053)\tSL\t\t1\\50\n"
                                                       "2\t(0070,0102)\tIS\t\t2\\1\n"
                                                       "2\t(0070,0103)\tFL\t\t3.5\n",
                                                       "MAGNIFY"),
               1);

  g_assert_cmpint (one->quarter_turns, ==, 3);
  g_assert_true (one->flip && one->inverse && one->has_shape && one->has_area);
  g_assert_cmpint (one->left, ==, 0);
  g_assert_cmpint (one->right, ==, 101);
  g_assert_cmpint (one->top, ==, 0);
  g_assert_cmpint (one->bottom, ==, 50);
  g_assert_cmpfloat (one->magnification, ==, 3.5);
  g_assert_cmpfloat (one->pixel_aspect, ==, 0.5);
  g_assert_false (one->has_window || one->is_partial);
}

// Its values are those of its own rescaling, else the stored ones.
static void
test_window (void)
{
  static const char window[] = "0\t(0028,3110)\tSQ\t\t\n1\t(FFFE,E000)\t\t\t1\n"
                               "2\t(0028,1050)\tDS\t\t40\n2\t(0028,1051)\tDS\t\t400\n";
  static const char rescaled[] = "0\t(0028,1052)\tDS\t\t-1000\n0\t(0028,1053)\tDS\t\t2\n";
  const OdlValueMap map = { .slope = 0.5, .intercept = 10 };
  g_autofree char *both = g_strconcat (rescaled, window, NULL);
  g_autoptr (OdlPresentation) stored = parse (window, 1);
  g_autoptr (OdlPresentation) own = parse (both, 1);
  OdlWindow got = { .mode = ODL_WINDOW_FILE };

  odl_presentation_window (stored, &map, &got);
  g_assert_cmpint (got.mode, ==, ODL_WINDOW_CUSTOM);
  g_assert_cmpfloat (got.centre, ==, 30); // 40 stored
  g_assert_cmpfloat (got.width, ==, 200);
  odl_presentation_window (own, &map, &got);
  g_assert_cmpfloat (got.centre, ==, 270); // 520 stored
  g_assert_cmpfloat (got.width, ==, 100);
}

// Lies are left out, one by one.
static void
test_lies (void)
{
  static const char *const lies[] = {
    "0\t(0028,3110)\tSQ\t\t\n1\t(FFFE,E000)\t\t\t1\n2\t(0028,1050)\tDS\t\tnan\n"
    "2\t(0028,1051)\tDS\t\t1\n",
    "0\t(0028,3110)\tSQ\t\t\n1\t(FFFE,E000)\t\t\t1\n2\t(0028,1050)\tDS\t\t1\n"
    "2\t(0028,1051)\tDS\t\t-5\n",
    "0\t(0028,3110)\tSQ\t\t\n1\t(FFFE,E000)\t\t\t1\n2\t(0028,3010)\tSQ\t\t\n"
    "3\t(FFFE,E000)\t\t\t1\n4\t(0028,3002)\tUS\t\t100\\0\\16\n4\t(0028,3006)"
    "\tOW\t\t1\\2\n",
    "0\t(0070,0042)\tUS\t\t45\n",
    AREA ("2\t(0070,0052)\tSL\t\t-2147483648\\1\n2\t(0070,0053)\tSL\t\t5\\5\n",
          "MAGNIFY"),
    AREA ("2\t(0070,0052)\tSL\t\t1\n2\t(0070,0053)\tSL\t\t5\\5\n"
          "2\t(0070,0101)\tDS\t\t0\\-1\n",
          "SCALE TO FIT"),
    "\t\t\t\n\n0\n-5\t(0028,3110)\t\t\t\n99\t(0028,3110)\tSQ\t\t\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lies); i++) {
    g_autoptr (OdlPresentation) one = parse (lies[i], 1);
    g_assert_nonnull (one);
    g_assert_false (one->has_window || one->has_area);
    g_assert_cmpint (one->quarter_turns, ==, 0);
    g_assert_cmpfloat (one->pixel_aspect, ==, 0);
  }
}

// Bytes that were changed, cut and repeated: whatever comes out has sane numbers.
static void
test_mutated (void)
{
  static const char whole[]
      = "0\t(0008,0060)\tCS\tModality\tPR\n" REFERENCE
        "0\t(0028,1052)\tDS\t\t-1000\n0\t(0028,1053)\tDS\t\t2\n"
        "0\t(0028,3110)\tSQ\t\t\n1\t(FFFE,E000)\t\t\t1\n2\t(0028,3010)\tSQ\t\t\n"
        "3\t(FFFE,E000)\t\t\t1\n4\t(0028,3002)\tUS\t\t3\\10\\16\n"
        "4\t(0028,3006)\tOW\t\t0\\65535\\13107\n0\t(0070,0042)\tUS\t\t90\n" AREA (
            "2\t(0070,0052)\tSL\t\t1\\1\n2\t(0070,0053)\tSL\t\t5\\5\n"
            "2\t(0070,0101)\tDS\t\t0.5\\0.5\n2\t(0070,0103)\tFL\t\t2\n",
            "MAGNIFY") DRAWN;
  static const char some[] = "0123456789\t\n\\-.eEnaif(),";
  g_autoptr (GRand) rand = g_rand_new_with_seed (26);
  int n_parsed = 0;

  for (int i = 0; i < 20000; i++) {
    g_autoptr (GString) text = g_string_new (whole);
    for (int k = g_rand_int_range (rand, 1, 6); k > 0 && text->len > 8; k--) {
      const int at = g_rand_int_range (rand, 0, (int) text->len - 4);
      const char new = some[g_rand_int_range (rand, 0, sizeof some - 1)];
      switch (g_rand_int_range (rand, 0, 8)) {
      case 0:
        g_string_erase (text, at, g_rand_int_range (rand, 1, 4));
        break;
      case 1:
        g_string_insert_c (text, at, new);
        break;
      case 2:
        g_string_truncate (text, at);
        break;
      default:
        text->str[at] = new;
      }
    }
    g_autoptr (OdlPresentation) one = odl_presentation_parse (text->str, PICTURE, 1);
    if (one == NULL)
      continue;
    n_parsed++;
    assert_sane (one);
    g_assert_true (one->slope != 0 && isfinite (one->slope) && isfinite (one->intercept));
    g_assert_true (one->quarter_turns >= 0 && one->quarter_turns < 4);
    g_assert_true (one->pixel_aspect == 0
                   || (one->pixel_aspect >= 0.01 && one->pixel_aspect <= 100));
    g_assert_true (!one->has_area || (one->right > one->left && one->bottom > one->top));
    g_assert_true (!one->has_window || one->window.curve != NULL
                   || one->window.width > 0);
  }
  g_assert_cmpint (n_parsed, >, 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/presentations/those-of-a-picture-are-found", test_found);
  g_test_add_func ("/presentations/frames-are-told-apart", test_frames);
  g_test_add_func ("/presentations/turned-and-magnified", test_turned);
  g_test_add_func ("/presentations/windows-are-in-values-of-the-picture", test_window);
  g_test_add_func ("/presentations/lies-are-left-out", test_lies);
  g_test_add_func ("/presentations/mutated-headers-end-well", test_mutated);
  return g_test_run ();
}
