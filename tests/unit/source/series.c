// SPDX-License-Identifier: MIT
// DICOM series as stacks: which files belong together, in which order, and what is said
// about the others.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "dicom_writer.h"
#include "source/dicom/series.h"
#include "source/source_files.h"
#include "support.h"

#define SIDE 4

// A picture whose samples are all `value`.
typedef struct {
  const char *name;
  int value;
  const char *patient, *study, *series, *instance;
  const char *number, *time;
  const char *position, *orientation;
  int side;
  const char *frames;
  const char *side_of_body;
} File;

#define AXIAL "1\\0\\0\\0\\1\\0"
// What most files have.
#define OF(person, number, series_number, size, way) \
  .patient = person, .study = number, .series = series_number, .side = size, \
  .orientation = way
#define PLAIN OF ("A", "1.1", "1.1.1", SIDE, AXIAL)

static void
put_if (GByteArray *out, uint32_t tag, const char *vr, const char *text)
{
  if (text != NULL)
    odl_dicom_put_text (out, tag, vr, text);
}

static void
write_file (const char *folder, const File *file)
{
  g_autoptr (GByteArray) out = odl_dicom_begin (ODL_DICOM_LE);
  g_autofree char *instance = g_strconcat ("1.9.", file->name, NULL);
  const int n_frames = file->frames != NULL ? atoi (file->frames) : 1;
  const int n = file->side * file->side * n_frames;

  odl_dicom_put_text (out, 0x00080018, "UI",
                      file->instance != NULL ? file->instance : instance);
  put_if (out, 0x00080033, "TM", file->time);
  put_if (out, 0x00100020, "LO", file->patient);
  put_if (out, 0x0020000d, "UI", file->study);
  put_if (out, 0x0020000e, "UI", file->series);
  put_if (out, 0x00200013, "IS", file->number);
  put_if (out, 0x00200032, "DS", file->position);
  put_if (out, 0x00200037, "DS", file->position != NULL ? file->orientation : NULL);
  put_if (out, 0x00200062, "CS", file->side_of_body);
  odl_dicom_put_short (out, 0x00280002, 1);
  odl_dicom_put_text (out, 0x00280004, "CS", "MONOCHROME2");
  put_if (out, 0x00280008, "IS", file->frames);
  odl_dicom_put_short (out, 0x00280010, (unsigned) file->side);
  odl_dicom_put_short (out, 0x00280011, (unsigned) file->side);
  odl_dicom_put_short (out, 0x00280100, 8);
  odl_dicom_put_short (out, 0x00280101, 8);
  odl_dicom_put_short (out, 0x00280102, 7);
  odl_dicom_put_short (out, 0x00280103, 0);
  odl_dicom_put_head (out, 0x7fe00010, "OB", (uint32_t) n);
  for (int i = 0; i < n; i++) {
    const uint8_t value = (uint8_t) file->value;
    g_byte_array_append (out, &value, 1);
  }
  g_free (odl_test_write (folder, file->name, out->data, out->len));
}

// The stack that `name` belongs to; its values, in order, as text.
static OdlSource *
open_stack (const char *folder, const char *name, char **values)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *location = odl_series_location (path);
  g_autoptr (GString) text = g_string_new (NULL);
  OdlSource *source = NULL;

  odl_image_unref (odl_test_open (location, &source));
  for (int i = 0; i < source->info.n_frames; i++) {
    g_autoptr (OdlImage) image = odl_source_read_frame (source, i, NULL, NULL);
    g_assert_nonnull (image);
    g_string_append_printf (text, "%s%g", i > 0 ? " " : "",
                            odl_test_sample (image, 0, 1, 1));
  }
  *values = g_string_free (g_steal_pointer (&text), FALSE);
  g_assert_true (source->info.is_stack);
  return source;
}

// `files` up to one without a name; `words`: of the warning, separated by '|', NULL:
// none.
static void
check (const File *files, const char *name, const char *values, const char *words)
{
  g_autofree char *folder = odl_test_folder ();
  g_autofree char *got = NULL;

  for (const File *file = files; file->name != NULL; file++)
    write_file (folder, file);
  g_autoptr (OdlSource) source = open_stack (folder, name, &got);
  g_test_message ("%s: %s; %s", name, got, source->info.warning);
  g_assert_cmpstr (got, ==, values);
  g_auto (GStrv) parts = g_strsplit (words != NULL ? words : "", "|", -1);
  for (char **part = parts; *part != NULL; part++)
    odl_test_contains (name, source->info.warning, *part);
  if (words == NULL)
    g_assert_null (source->info.warning);
  odl_test_remove_folder (folder);
}

static void
test_by_place (void)
{
  static const File axial[] = {
    { "a", 1, PLAIN, .number = "3", .position = "0\\0\\-10" },
    { "b", 2, PLAIN, .number = "2", .position = "0\\0\\5" },
    { "c", 3, PLAIN, .number = "1", .position = "0\\0\\0" },
    { "d", 4, PLAIN, .number = "4", .position = "0\\0\\-5" },
    { NULL },
  };
  // The normal goes from the front to the back.
  static const File coronal[] = {
    { "a", 1, OF ("A", "1.1", "1.1.1", SIDE, "1\\0\\0\\0\\0\\-1"),
      .position = "9\\10\\7" },
    { "b", 2, OF ("A", "1.1", "1.1.1", SIDE, "1\\0\\0\\0\\0\\-1"),
      .position = "9\\-10\\7" },
    { "c", 3, OF ("A", "1.1", "1.1.1", SIDE, "1\\0\\0\\0\\0\\-1"),
      .position = "9\\0\\7" },
    { NULL },
  };

  check (axial, "a", "1 4 3 2", NULL);
  check (axial, "c", "1 4 3 2", NULL);
  check (coronal, "a", "2 3 1", NULL);
}

// Where numbers fall along the normal, the archive's order is kept; else that of places.
static void
test_against_the_normal (void)
{
  static const File falling[] = {
    { "a", 1, PLAIN, .number = "30", .position = "0\\0\\-10" },
    { "b", 2, PLAIN, .number = "10", .position = "0\\0\\0" },
    { "c", 3, PLAIN, .number = "20", .position = "0\\0\\-5" },
    { NULL },
  };
  static const File equal[] = {
    { "a", 1, PLAIN, .number = "3", .position = "0\\0\\-10" },
    { "b", 2, PLAIN, .number = "2", .position = "0\\0\\-5" },
    { "c", 3, PLAIN, .number = "2", .position = "0\\0\\0" },
    { NULL },
  };
  static const File nameless[] = {
    { "a", 1, PLAIN, .number = "3", .position = "0\\0\\-10" },
    { "b", 2, PLAIN, .number = "2", .position = "0\\0\\-5" },
    { "c", 3, PLAIN, .position = "0\\0\\0" },
    { NULL },
  };
  static const File apart[] = {
    { "a", 1, PLAIN, .number = "4", .position = "0\\0\\-10" },
    { "b", 2, PLAIN, .number = "3", .position = "0\\0\\-5" },
    { "c", 3, PLAIN, .number = "2", .position = "0\\0\\-5" },
    { "d", 4, PLAIN, .number = "1", .position = "0\\0\\3" },
    { NULL },
  };

  check (falling, "a", "2 3 1", NULL);
  check (equal, "a", "1 2 3", NULL);
  check (nameless, "a", "1 2 3", NULL);
  check (apart, "a", "4 3 2 1",
         "1 picture lies where another one does|5.00 to 8.00 mm apart");
}

static void
test_by_number_and_time (void)
{
  static const File numbers[] = {
    { "a", 1, PLAIN, .number = "10" },
    { "b", 2, PLAIN, .number = "9" },
    { "c", 3, PLAIN, .number = "-1" },
    { "d", 4, PLAIN, .number = "9", .time = "1" },
    { NULL },
  };
  static const File times[] = {
    { "a10", 1, PLAIN, .time = "120000.5" },
    { "a9", 2, PLAIN, .time = "120000.25" },
    { "a8", 3, PLAIN, .time = "235959" },
    { "a7", 4, PLAIN, .time = "000001" },
    { NULL },
  };
  static const File names[] = { { "a10", 1, PLAIN }, { "a9", 2, PLAIN }, { NULL } };

  check (numbers, "a", "3 2 4 1", NULL);
  check (times, "a8", "4 2 1 3", NULL);
  check (names, "a9", "2 1", NULL);
}

// What has the same series number but is somebody else's, or cannot be one stack.
static void
test_what_does_not_belong (void)
{
  static const File files[] = {
    { "a", 1, PLAIN, .position = "0\\0\\0" },
    { "b", 2, PLAIN, .position = "0\\0\\1" },
    { "other-person", 3, OF ("B", "1.1", "1.1.1", SIDE, AXIAL), .position = "0\\0\\2" },
    { "other-study", 4, OF ("A", "1.2", "1.1.1", SIDE, AXIAL), .position = "0\\0\\3" },
    { "other-series", 5, OF ("A", "1.1", "1.1.2", SIDE, AXIAL), .position = "0\\0\\4" },
    { "larger", 6, OF ("A", "1.1", "1.1.1", 5, AXIAL), .position = "0\\0\\5" },
    { "oblique", 7, OF ("A", "1.1", "1.1.1", SIDE, "1\\0\\0\\0\\0\\1"),
      .position = "0\\0\\6" },
    { "nowhere", 8, PLAIN },
    { "cine", 9, PLAIN, .frames = "2", .position = "0\\0\\8" },
    { "again", 1, PLAIN, .instance = "1.9.a", .position = "0\\0\\0" },
    { NULL },
  };
  const char *words = "2 pictures have its series number but are of another person or "
                      "study|3 pictures of the series have another size or direction|"
                      "1 file of the series has several frames|1 picture is there twice";

  check (files, "a", "1 2", words);
  check (files, "b", "1 2", words);
  check (files, "other-person", "3", "8 pictures have its series number");
  check (files, "other-series", "5", NULL);
  check (files, "oblique", "7", "another size or direction");
  // Of a folder the largest stack.
  check (files, "", "1 2", words);
}

// A file of several frames opens as itself, alone, beside others, and in a folder that
// has no stack.
static void
test_cines (void)
{
  static const File files[] = {
    { "cine", 9, PLAIN, .frames = "2", .position = "0\\0\\8" },
    { "longer", 8, OF ("B", "1.2", "1.1.2", SIDE, AXIAL), .frames = "3" },
    { "slice", 7, PLAIN, .position = "0\\0\\0" },
  };
  static const struct {
    int n_files;
    const char *name;
    int frames, value;
    const char *words;
  } rows[] = {
    { 1, "cine", 2, 9, NULL },
    { 1, "", 2, 9, NULL },
    { 2, "cine", 2, 9, NULL },
    { 2, "", 3, 8, "shown by itself, without 1 other picture of the folder" },
    { 3, "cine", 2, 9, "shown by itself, without 1 other picture of its series" },
    { 3, "slice", 1, 7, "1 file of the series has several frames and is left out" },
    { 3, "", 1, 7, "1 file of the series has several frames and is left out" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *folder = odl_test_folder ();
    for (int k = 0; k < rows[i].n_files; k++)
      write_file (folder, &files[k]);
    g_autofree char *path = g_build_filename (folder, rows[i].name, NULL);
    g_autofree char *location = odl_series_location (path);
    g_autoptr (OdlSource) source = NULL;
    g_autoptr (OdlImage) image = odl_test_open (location, &source);
    g_test_message ("row %d: %s", (int) i, source->info.warning);
    g_assert_cmpint (source->info.n_frames, ==, rows[i].frames);
    g_assert_cmpfloat (odl_test_sample (image, 0, 1, 1), ==, rows[i].value);
    g_assert_true ((rows[i].words == NULL) == (source->info.warning == NULL));
    if (rows[i].words != NULL)
      odl_test_contains (rows[i].name, source->info.warning, rows[i].words);
    odl_test_remove_folder (folder);
  }
}

static void
test_gaps (void)
{
  static const File missing[] = {
    { "a", 1, PLAIN, .position = "0\\0\\0" },
    { "b", 2, PLAIN, .position = "0\\0\\2.5" },
    { "c", 3, PLAIN, .position = "0\\0\\7.5" },
    { NULL },
  };
  static const File phases[] = {
    { "a", 1, PLAIN, .number = "3", .position = "0\\0\\0" },
    { "b", 2, PLAIN, .number = "1", .position = "0\\0\\0" },
    { "c", 3, PLAIN, .number = "2", .position = "0\\0\\2" },
    { NULL },
  };
  // Numbers that scanners round.
  static const File rounded[] = {
    { "a", 1, PLAIN, .position = "0\\0\\0" },
    { "b", 2, PLAIN, .position = "0\\0\\0.33" },
    { "c", 3, PLAIN, .position = "0\\0\\0.667" },
    { NULL },
  };

  check (missing, "a", "1 2 3", "2.50 to 5.00 mm apart; some may be missing");
  check (phases, "a", "2 1 3", "1 picture lies where another one does");
  check (rounded, "a", "1 2 3", NULL);
}

// What was drawn on a stack must not come back on another one.
static void
test_identity (void)
{
  static const File third = { "c", 3, PLAIN, .position = "0\\0\\-1" };
  static const File files[] = {
    { "a", 1, PLAIN, .position = "0\\0\\0" },
    { "b", 2, PLAIN, .position = "0\\0\\1" },
  };
  g_autofree char *folder = odl_test_folder ();
  g_autofree char *values = NULL, *more = NULL;

  for (size_t i = 0; i < G_N_ELEMENTS (files); i++)
    write_file (folder, &files[i]);
  g_autoptr (OdlSource) source = open_stack (folder, "b", &values);
  g_assert_cmpint (source->info.start, ==, 1);
  g_assert_cmpint (source->info.n_slices, ==, 2);
  g_assert_true (
      g_str_has_prefix (odl_source_detail (source, "sop-instance"), "series:"));
  g_assert_cmpstr (odl_source_detail (source, "series-order"), ==, "place");
  write_file (folder, &third);
  g_autoptr (OdlSource) larger = open_stack (folder, "b", &more);
  g_assert_cmpstr (more, ==, "3 1 2");
  g_assert_cmpint (larger->info.start, ==, 2);
  g_assert_cmpstr (odl_source_detail (source, "sop-instance"), !=,
                   odl_source_detail (larger, "sop-instance"));

  // None of its files may be written over.
  g_autofree char *location = odl_series_location (folder);
  g_autofree char *path = g_build_filename (folder, "a", NULL);
  g_autoptr (GHashTable) read = odl_source_files_new ();
  odl_source_files_add (read, location);
  g_assert_true (odl_source_files_have (read, path));
  odl_test_remove_folder (folder);
}

// Reports and structure sets beside a stack are no pictures of it that are missing; what
// says nothing of itself may be one.
static void
test_objects_beside (void)
{
  static const File files[] = {
    { "a", 1, PLAIN, .position = "0\\0\\0" },
    { "b", 2, PLAIN, .position = "0\\0\\1" },
  };
  static const char *const classes[]
      = { "1.2.840.10008.5.1.4.1.1.88.22", "1.2.840.10008.5.1.4.1.1.88.59",
          "1.2.840.10008.5.1.4.1.1.481.3", "1.2.840.10008.5.1.4.1.1.481.5" };
  g_autofree char *folder = odl_test_folder ();
  g_autofree char *values = NULL, *more = NULL;

  for (size_t i = 0; i < G_N_ELEMENTS (files); i++)
    write_file (folder, &files[i]);
  for (size_t i = 0; i < G_N_ELEMENTS (classes); i++) {
    g_autoptr (GByteArray) object = odl_dicom_begin (ODL_DICOM_LE);
    g_autofree char *name = g_strdup_printf ("object%d", (int) i);
    odl_dicom_put_text (object, 0x00080016, "UI", classes[i]);
    odl_dicom_put_text (object, 0x00080060, "CS", "OT");
    odl_dicom_write_in (folder, name, object);
  }
  g_autoptr (OdlSource) source = open_stack (folder, "a", &values);
  g_assert_cmpstr (values, ==, "1 2");
  g_assert_null (source->info.warning);
  g_autoptr (GByteArray) unknown = odl_dicom_begin (ODL_DICOM_LE);
  odl_dicom_put_text (unknown, 0x00080060, "CS", "OT");
  odl_dicom_write_in (folder, "unknown", unknown);
  g_autoptr (OdlSource) doubtful = open_stack (folder, "a", &more);
  odl_test_contains ("unknown", doubtful->info.warning,
                     "1 DICOM file of the folder holds no picture");
  odl_test_remove_folder (folder);
}

// A file that became somebody else's is not shown under the name before.
static void
test_replaced (void)
{
  static const File files[] = {
    { "a", 1, PLAIN, .position = "0\\0\\0" },
    { "b", 2, PLAIN, .position = "0\\0\\1" },
  };
  static const File other = { "b", 9, OF ("B", "1.1", "1.1.1", SIDE, AXIAL),
                              .instance = "1.8", .position = "0\\0\\1" };
  static const File like[] = {
    { "b", 9, OF ("B", "1.1", "1.1.1", SIDE, AXIAL), .position = "0\\0\\1" },
    { "b", 9, OF ("A", "1.1", "1.1.9", SIDE, AXIAL), .position = "0\\0\\1" },
  };
  g_autofree char *folder = odl_test_folder ();
  g_autofree char *values = NULL;
  g_autoptr (GError) error = NULL;

  for (size_t i = 0; i < G_N_ELEMENTS (files); i++)
    write_file (folder, &files[i]);
  g_autoptr (OdlSource) source = open_stack (folder, "a", &values);
  write_file (folder, &other);
  g_assert_null (odl_source_read_frame (source, 1, NULL, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_CORRUPT);
  odl_test_contains ("b", error->message, "replaced by another picture");
  // Nor is one that has the same number and says another series, or another person.
  for (size_t i = 0; i < G_N_ELEMENTS (like); i++) {
    g_autoptr (GError) failure = NULL;
    write_file (folder, &like[i]);
    g_assert_null (odl_source_read_frame (source, 1, NULL, &failure));
    g_assert_error (failure, ODL_ERROR, ODL_ERROR_CORRUPT);
    odl_test_contains ("b", failure->message, "replaced by another picture");
  }
  write_file (folder, &files[1]);
  g_autoptr (OdlImage) back = odl_source_read_frame (source, 1, NULL, NULL);
  g_assert_nonnull (back);
  write_file (folder, &files[1]);
  g_autoptr (OdlImage) again = odl_source_read_frame (source, 1, NULL, NULL);
  g_assert_nonnull (again);
  odl_test_remove_folder (folder);
}

static void
test_refusals (void)
{
  static const File files[] = {
    { "none", 1, .patient = "A", .side = SIDE },
    { NULL },
  };
  g_autofree char *folder = odl_test_folder ();
  static const struct {
    const char *name;
    const char *words;
  } rows[] = { { "none", "names no series" },
               { "text.dcm", "no DICOM picture" },
               { "cut", "no DICOM picture" },
               { "absent", "no DICOM picture" } };

  write_file (folder, &files[0]);
  g_free (odl_test_write (folder, "text.dcm", "text", 4));
  g_autofree char *whole = g_build_filename (folder, "none", NULL);
  g_autofree char *bytes = NULL;
  g_assert_true (g_file_get_contents (whole, &bytes, NULL, NULL));
  g_free (odl_test_write (folder, "cut", bytes, 200));
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *path = g_build_filename (folder, rows[i].name, NULL);
    g_autofree char *location = odl_series_location (path);
    g_autofree char *message = odl_test_refusal (location);
    odl_test_contains (location, message, rows[i].words);
    odl_test_contains (location, message, rows[i].name);
  }
  odl_test_remove_folder (folder);
}

// That of the picture that was opened must not stand over those of the other side.
static void
test_sides_of_the_body (void)
{
  static const char *const second[] = { "R", "L", NULL };

  for (size_t i = 0; i < G_N_ELEMENTS (second); i++) {
    const File files[] = { { "a", 1, PLAIN, .number = "1", .side_of_body = "R" },
                           { "b", 2, PLAIN, .number = "2", .side_of_body = second[i] } };
    g_autofree char *folder = odl_test_folder ();
    g_autofree char *values = NULL;
    for (size_t k = 0; k < G_N_ELEMENTS (files); k++)
      write_file (folder, &files[k]);
    g_autoptr (OdlSource) source = open_stack (folder, "a", &values);
    g_assert_cmpstr (values, ==, "1 2");
    g_assert_cmpstr (odl_source_detail (source, "laterality"), ==, i == 0 ? "R" : "");
    odl_test_remove_folder (folder);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/series/sorted-by-place", test_by_place);
  g_test_add_func ("/series/numbers-against-the-normal", test_against_the_normal);
  g_test_add_func ("/series/sorted-by-number-time-or-name", test_by_number_and_time);
  g_test_add_func ("/series/what-does-not-belong-is-left-out", test_what_does_not_belong);
  g_test_add_func ("/series/a-file-of-several-frames-opens-as-itself", test_cines);
  g_test_add_func ("/series/gaps-are-named", test_gaps);
  g_test_add_func ("/series/a-stack-is-no-single-picture", test_identity);
  g_test_add_func ("/series/reports-beside-it-are-no-missing-pictures",
                   test_objects_beside);
  g_test_add_func ("/series/a-replaced-file-is-not-shown", test_replaced);
  g_test_add_func ("/series/sides-of-the-body-are-not-mixed", test_sides_of_the_body);
  g_test_add_func ("/series/what-has-no-series-is-refused", test_refusals);
  return g_test_run ();
}
