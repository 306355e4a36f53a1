// SPDX-License-Identifier: MIT
// Folders and discs as lists of patients, studies and series.
#include "source/dicom/studies.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include <utime.h>

#include "../../helpers/folder.h"
#include "base/error.h"
#include "dicom_writer.h"
#include "source/dicom/headers.h"
#include "support.h"

#define SIDE 4

typedef struct {
  const char *path; // below the folder
  const char *patient, *id, *study, *date, *series, *number;
  const char *frames; // NULL: one
  const char *issuer, *birth; // NULL: not said
} File;

static void
write_picture (const char *folder, const File *file)
{
  g_autoptr (GByteArray) out = odl_dicom_begin (ODL_DICOM_LE);
  const int n = SIDE * SIDE * (file->frames ? atoi (file->frames) : 1);
  g_autofree guint8 *samples = g_malloc0 ((gsize) n);
  odl_dicom_put_text (out, 0x00080020, "DA", file->date);
  odl_dicom_put_text (out, 0x00080060, "CS", "MR");
  odl_dicom_put_text (out, 0x00100010, "PN", file->patient);
  odl_dicom_put_text (out, 0x00100020, "LO", file->id);
  if (file->issuer)
    odl_dicom_put_text (out, 0x00100021, "LO", file->issuer);
  if (file->birth)
    odl_dicom_put_text (out, 0x00100030, "DA", file->birth);
  odl_dicom_put_text (out, 0x00180015, "CS", "CHEST");
  odl_dicom_put_text (out, 0x0020000d, "UI", file->study);
  odl_dicom_put_text (out, 0x0020000e, "UI", file->series);
  odl_dicom_put_text (out, 0x00200011, "IS", file->number);
  if (file->frames)
    odl_dicom_put_text (out, 0x00280008, "IS", file->frames);
  odl_dicom_put_bytes_of (out, SIDE, SIDE);
  odl_dicom_put_head (out, 0x7fe00010, "OB", (uint32_t) n);
  g_byte_array_append (out, samples, (guint) n);
  odl_dicom_write_in (folder, file->path, out);
}

static void
put_offset (GByteArray *out, uint32_t tag)
{
  odl_dicom_put_head (out, tag, "UL", 4);
  odl_dicom_put_u32 (out, 400);
}

// A table with a record for each of these, up to NULL. Each says that it is followed by
// the same one, which lies above itself.
static void
write_table (const char *folder, const char *const *ids)
{
  g_autoptr (GByteArray) out = odl_dicom_begin (ODL_DICOM_LE);
  g_autoptr (GByteArray) records = g_byte_array_new ();
  for (; *ids; ids++) {
    g_autoptr (GByteArray) record = g_byte_array_new ();
    put_offset (record, 0x00041400);
    put_offset (record, 0x00041420);
    odl_dicom_put_text (record, 0x00041430, "CS", "IMAGE ");
    odl_dicom_put_text (record, 0x00041500, "CS", *ids);
    odl_dicom_put_item (records, record->data, record->len);
  }
  put_offset (out, 0x00041200);
  odl_dicom_put_head (out, 0x00041220, "SQ", records->len);
  g_byte_array_append (out, records->data, records->len);
  odl_dicom_write_in (folder, "DICOMDIR", out);
}

// "patient/study/series: first file, pictures, frames" of each, in order.
static char *
list (const char *folder, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *note = NULL;
  g_autoptr (GPtrArray) all = odl_studies_read (path, NULL, &note, NULL, &error);
  g_autoptr (GString) text = g_string_new (NULL);
  g_assert_no_error (error);
  for (guint i = 0; i < all->len; i++) {
    const OdlSeries *one = all->pdata[i];
    g_assert_true (g_str_has_prefix (one->path, folder));
    g_assert_cmpstr (one->body_part, ==, "CHEST");
    const char *inside = one->path + strlen (folder) + 1;
    const bool stack = g_str_has_prefix (one->location, "series:");
    g_assert_cmpstr (one->location + (stack ? strlen ("series:") : 0), ==, one->path);
    g_assert_true (stack == (one->n_pictures > 1));
    g_string_append_printf (text, "%s/%s/%s: %s %d %d\n", one->patient, one->study_uid,
                            one->number, inside, one->n_pictures, one->n_frames);
  }
  g_string_append (text, note ? note : "");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
test_folder (void)
{
  static const File files[] = {
    { "b/1", "Beta", "7", "2.1", "20240102", "2.1.1", "1", NULL },
    // The same numbers of another person.
    { "x/1", "Alpha", "8", "2.1", "20240102", "2.1.1", "1", NULL },
    { "a/late/10", "Alpha", "8", "1.2", "20240101", "1.2.10", "10", NULL },
    { "a/late/9", "Alpha", "8", "1.2", "20240101", "1.2.2", "2", NULL },
    { "a/s/p10", "Alpha", "8", "1.1", "20230101", "1.1.1", "1", NULL },
    { "a/s/p2", "Alpha", "8", "1.1", "20230101", "1.1.1", "1", NULL },
    // In another folder it is no part of that stack; a cine is none anywhere.
    { "a/t/p1", "Alpha", "8", "1.1", "20230101", "1.1.1", "1", NULL },
    { "a/s/cine", "Alpha", "8", "1.1", "20230101", "1.1.1", "1", "3" },
    // Of the same name, but somebody else.
    { "c/1", "Alpha", "9", "3.1", "20200101", "3.1.1", "1", NULL },
  };
  g_autofree char *folder = odl_test_folder ();
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++)
    write_picture (folder, &files[i]);
  g_free (odl_test_write (folder, "note.txt", "no picture", 10));
  g_autofree char *back = g_build_filename (folder, "a", "back", NULL);
  g_assert_cmpint (symlink ("..", back), ==, 0);
  g_autofree char *got = list (folder, folder);
  // The newest study first.
  const char *first = "Alpha/2.1/1: x/1 1 1\n"
                      "Alpha/1.2/2: a/late/9 1 1\n"
                      "Alpha/1.2/10: a/late/10 1 1\n"
                      "Alpha/1.1/1: a/s/cine 1 3\n"
                      "Alpha/1.1/1: a/s/p2 2 1\n"
                      "Alpha/1.1/1: a/t/p1 1 1\n";
  const char *other = "Alpha/3.1/1: c/1 1 1\n";
  // Which of two persons of one name comes first does not matter, as long as they stay
  // apart.
  g_autofree char *one = g_strconcat (first, other, "Beta/2.1/1: b/1 1 1\n", NULL);
  g_autofree char *two = g_strconcat (other, first, "Beta/2.1/1: b/1 1 1\n", NULL);
  if (strcmp (got, two) != 0)
    g_assert_cmpstr (got, ==, one);
  odl_test_remove_tree (folder);
}

#define OF_PERSON(name, id, issuer, birth) \
  { \
    NULL, name, id, "1.1", "20230101", "1.1.1", "1", NULL, issuer, birth \
  }

// One person for each row of two files, whose other texts are the same, or in doubt two.
static void
test_persons (void)
{
  static const struct {
    File files[2];
    bool same;
  } rows[] = {
    { { OF_PERSON ("M\xc3\xbcller^Anna", "P-77", NULL, "19620317"),
        OF_PERSON ("MULLER^A.", " P-77 ", NULL, "19620317") },
      true },
    { { OF_PERSON ("van  Dyck ^Jan", "K77", "Clinic", "1962.03.17"),
        OF_PERSON ("Van Dyck", "K77", "Clinic ", "19620317") },
      true },
    { { OF_PERSON ("Sm\xc3\xa9tana", "K77", NULL, "19620317"),
        OF_PERSON ("=Sme\xcc\x81tana^B", "K77", NULL, "19620317") },
      true },
    { { OF_PERSON ("Otto", "K77", "Clinic", "19620317"),
        OF_PERSON ("Otto", "K77", NULL, "19620317") },
      false },
    { { OF_PERSON ("Otto", "K77", "A", "19620317"),
        OF_PERSON ("Otto", "K77", "B", "19620317") },
      false },
    { { OF_PERSON ("Otto", "78", NULL, "19620317"),
        OF_PERSON ("Otto", "781", NULL, "19620317") },
      false },
    { { OF_PERSON ("Otto", "P-77", NULL, "19620317"),
        OF_PERSON ("Otto", "P-77", NULL, "19620318") },
      false },
    { { OF_PERSON ("Otto", "P-77", NULL, "19620317"),
        OF_PERSON ("Otter", "P-77", NULL, "19620317") },
      false },
  };
  // Of these nobody knows who it is, though both files say the same.
  static const File doubts[] = {
    OF_PERSON ("Otto", "", NULL, "19620317"),
    OF_PERSON ("Otto", "0000", NULL, "19620317"),
    OF_PERSON ("Otto", "12345", NULL, "19620317"),
    OF_PERSON ("Otto", "UNKNOWN", NULL, "19620317"),
    OF_PERSON ("Otto", " n/a ", NULL, "19620317"),
    OF_PERSON ("Otto", "P-77", NULL, NULL),
    OF_PERSON ("Otto", "P-77", NULL, "19000101"),
    OF_PERSON ("Otto", "P-77", NULL, "00000000"),
    OF_PERSON ("Otto", "P-77", NULL, "19621317"),
    OF_PERSON ("Otto", "P-77", NULL, "1962"),
    OF_PERSON ("^Anna", "P-77", NULL, "19620317"),
    OF_PERSON ("", "P-77", NULL, "19620317"),
  };
  g_autofree char *folder = odl_test_folder ();
  g_autoptr (GHashTable) persons
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *note = NULL;

  for (size_t i = 0; i < G_N_ELEMENTS (rows) + G_N_ELEMENTS (doubts); i++)
    for (size_t k = 0; k < 2; k++) {
      File file
          = i < G_N_ELEMENTS (rows) ? rows[i].files[k] : doubts[i - G_N_ELEMENTS (rows)];
      g_autofree char *path = g_strdup_printf ("%02d/%d", (int) i, (int) k);
      g_autofree char *series = g_strdup_printf ("1.1.%d.%d", (int) i, (int) k);
      file.path = path;
      file.series = series;
      write_picture (folder, &file);
    }
  g_autoptr (GPtrArray) all = odl_studies_read (folder, NULL, &note, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < all->len; i++) {
    const OdlSeries *one = all->pdata[i];
    g_hash_table_insert (persons, g_strdup (one->path + strlen (folder) + 1),
                         (void *) one);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (rows) + G_N_ELEMENTS (doubts); i++) {
    g_autofree char *first = g_strdup_printf ("%02d/0", (int) i);
    g_autofree char *second = g_strdup_printf ("%02d/1", (int) i);
    const OdlSeries *a = g_hash_table_lookup (persons, first);
    const OdlSeries *b = g_hash_table_lookup (persons, second);
    g_test_message ("row %d: %s, %s", (int) i, a->names, b->names);
    const bool doubt = i >= G_N_ELEMENTS (rows);
    g_assert_true (g_str_has_prefix (a->person, "=") == !doubt);
    g_assert_true (g_str_equal (a->person, b->person) == (doubt || rows[i].same));
  }
  // Both spellings stand in the list, wherever they were found.
  const OdlSeries *mueller = g_hash_table_lookup (persons, "00/1");
  odl_test_contains ("00/1", mueller->names, "MULLER, A.");
  odl_test_contains ("00/1", mueller->names, " / ");
  odl_test_contains ("00/1", mueller->names, "M\xc3\xbcller, Anna");
  odl_test_remove_tree (folder);
}

static void
test_table (void)
{
  static const File files[] = {
    { "disc/IM/A", "Alpha", "8", "1.1", "20230101", "1.1.1", "1", NULL },
    { "disc/im2/b", "Beta", "9", "2.1", "20230101", "2.1.1", "1", NULL },
    { "disc/IM/NOT", "Gamma", "1", "3.1", "20230101", "3.1.1", "1", NULL },
    { "disc/.hidden/A", "Delta", "1", "4.1", "20230101", "4.1.1", "1", NULL },
    { "outside", "Epsilon", "1", "5.1", "20230101", "5.1.1", "1", NULL },
  };
  g_autofree char *folder = odl_test_folder ();
  g_autofree char *disc = g_build_filename (folder, "disc", NULL);
  g_autofree char *table = g_build_filename (disc, "DICOMDIR", NULL);
  g_autofree char *outside = g_build_filename (folder, "outside", NULL);
  g_autofree char *link = g_build_filename (disc, "LINK", NULL);
  g_autofree char *link_folder = g_build_filename (disc, "UP", NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++)
    write_picture (folder, &files[i]);
  g_assert_cmpint (symlink (outside, link), ==, 0);
  g_assert_cmpint (symlink ("..", link_folder), ==, 0);
  // Twice the same, in lower case, and what is not on the disc.
  const char *const ids[]
      = { "IM\\A",       "IM2\\B",   "IM\\A",      "..\\outside", outside,         "LINK",
          "UP\\outside", "IM\\GONE", ".hidden\\A", "IM",          "IM\\..\\IM\\A", "",
          NULL };
  write_table (disc, ids);
  g_autofree char *got = list (disc, table);
  g_assert_cmpstr (got, ==,
                   "Alpha/1.1/1: IM/A 1 1\nBeta/2.1/1: im2/b 1 1\nThe index of the disc "
                   "names 9 pictures that are not in its folder.");
  g_assert_true (odl_studies_is_table (table));
  g_assert_false (odl_studies_is_table (outside));
  // The folder that it lies in is read as such, without its table.
  g_autofree char *whole = list (disc, disc);
  g_assert_nonnull (strstr (whole, "Gamma"));
  g_assert_null (strstr (whole, "Epsilon"));
  g_assert_null (strstr (whole, "Delta"));
  odl_test_remove_tree (folder);
}

static void
test_refusals (void)
{
  g_autofree char *folder = odl_test_folder ();
  g_autofree char *table = odl_test_write (folder, "DICOMDIR", "no table", 8);
  g_autofree char *absent = g_build_filename (folder, "absent", "DICOMDIR", NULL);
  const char *const paths[] = { table, absent };
  char *note = NULL;
  for (size_t i = 0; i < G_N_ELEMENTS (paths); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (odl_studies_read (paths[i], NULL, &note, NULL, &error));
    g_assert_null (note);
    odl_test_contains (paths[i], error->message, "DICOMDIR");
  }
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_cancellable_cancel (cancelled);
  g_assert_null (odl_studies_read (folder, NULL, &note, cancelled, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_CANCELLED);
  odl_test_remove_tree (folder);
}

// What was told while a folder was read: the first series, how many there were, files.
typedef struct {
  GString *text;
  char *first; // the first series that was told; NULL: not asked for
} Told;

static void
tell_cb (const OdlStudiesSoFar *so_far, void *data)
{
  Told *told = data;
  const OdlSeries *first = so_far->list->pdata[0];
  if (!told->first)
    told->first = g_strdup (first->series_uid);
  g_string_append_printf (told->text, "%s %d of %u, %u files%s\n", first->patient,
                          first->n_pictures, so_far->list->len, so_far->n_files,
                          so_far->whole ? ", whole" : "");
  g_ptr_array_unref (so_far->list);
}

static char *
tell_all (const char *folder, guint *n_series)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *note = NULL;
  Told told = { g_string_new (NULL) };
  const OdlStudiesTelling telling = { NULL, tell_cb, &told };
  g_autoptr (GPtrArray) all = odl_studies_read (folder, &telling, &note, NULL, &error);
  g_assert_no_error (error);
  *n_series = all->len;
  g_free (told.first);
  return g_string_free (told.text, FALSE);
}

static void
write_many (const char *folder, const char *in, const char *patient, int n)
{
  for (int i = 0; i < n; i++) {
    g_autofree char *path = g_strdup_printf ("%s/IM%d", in, i);
    const File file = { path, patient, patient, patient, "20240101", patient, "1", NULL };
    write_picture (folder, &file);
  }
}

// The first folder with pictures is told as soon as it was read, files of others that are
// damaged or no pictures notwithstanding; of a large one what was read in a moment.
static void
test_grows (void)
{
  g_autofree char *folder = odl_test_folder ();
  g_autofree char *large = odl_test_folder ();
  g_autoptr (GByteArray) report = odl_dicom_begin (ODL_DICOM_LE);
  guint n = 0;

  odl_dicom_put_text (report, 0x00080060, "CS", "SR");
  odl_dicom_write_in (folder, "a/report", report);
  // Cut within its first element.
  odl_dicom_write_in (folder, "b/IM1a", report);
  g_autofree char *cut = g_build_filename (folder, "b", "IM1a", NULL);
  g_assert_cmpint (truncate (cut, 140), ==, 0);
  write_many (folder, "b", "Beta", 3);
  write_many (folder, "c", "Alpha", 2);
  g_autofree char *one = tell_all (folder, &n);
  g_assert_cmpstr (one, ==, "Beta 3 of 1, 4 files, whole\n");
  g_assert_cmpuint (n, ==, 2);

  write_many (large, ".", "Beta", 300);
  g_autofree char *two = tell_all (large, &n);
  g_assert_cmpstr (two, ==, "Beta 256 of 1, 256 files\n");
  g_assert_cmpuint (n, ==, 1);
  odl_test_remove_tree (folder);
  odl_test_remove_tree (large);
}

static void
judge_cb (GPtrArray *list)
{
  for (guint i = 0; i < list->len; i++) {
    OdlSeries *one = list->pdata[i];
    one->hangs_last = g_str_equal (one->number, "1");
  }
}

// What comes first of folders that lie beside each other: of the person in the first one
// the newest study, and there what does not hang last.
static void
test_first (void)
{
  static const File files[] = {
    { "a/old/1/p", "Alpha", "8", "1.1", "20230101", "1.1.1", "1", NULL },
    { "a/old/2/p", "Alpha", "8", "1.1", "20230101", "1.1.2", "2", NULL },
    { "a/young/1/p", "Alpha", "8", "1.2", "20240101", "1.2.1", "1", NULL },
    { "a/young/2/p", "Alpha", "8", "1.2", "20240101", "1.2.2", "2", NULL },
    { "b/1/p", "Aaron", "9", "1.3", "20250101", "1.3.2", "2", NULL },
  };
  g_autofree char *folder = odl_test_folder ();
  g_autoptr (GError) error = NULL;
  g_autofree char *note = NULL;
  Told told = { g_string_new (NULL) };
  const OdlStudiesTelling telling = { judge_cb, tell_cb, &told };
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++)
    write_picture (folder, &files[i]);
  g_autoptr (GPtrArray) all = odl_studies_read (folder, &telling, &note, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (told.text->str, "Alpha 1 of 1, 1 files, whole\n"));
  g_assert_cmpstr (told.first, ==, "1.2.2");
  g_assert_cmpuint (all->len, ==, 5); // each once
  g_assert_true (((OdlSeries *) all->pdata[1])->hangs_last);
  g_string_free (told.text, TRUE);
  g_free (told.first);
  odl_test_remove_tree (folder);
}

// Headers that were read are not read again, unless the file has changed.
static void
test_kept (void)
{
  static const File file = { "1", "Alpha", "1", "1", "20240101", "1", "1", NULL };
  static const File other = { "1", "Gamma", "1", "1", "20240101", "1", "1", NULL };
  const struct utimbuf past = { 1000000000, 1000000000 };
  g_autofree char *folder = odl_test_folder ();
  g_autofree char *path = g_build_filename (folder, "1", NULL);

  write_picture (folder, &file);
  const guint before = odl_headers_kept ();
  g_autofree char *fresh = list (folder, folder);
  g_assert_cmpuint (odl_headers_kept (), ==,
                    before); // it may be written this very moment
  g_assert_cmpint (utime (path, &past), ==, 0);
  g_autofree char *first = list (folder, folder);
  g_assert_cmpuint (odl_headers_kept (), ==, before + 1);
  g_assert_cmpstr (first, ==, "Alpha/1/1: 1 1 1\n");
  // No helper starts any more.
  const char *decoder = g_getenv ("ODL_DECODER");
  g_autofree char *own = g_strdup (decoder);
  g_setenv ("ODL_DECODER", "/bin/false", TRUE);
  g_autofree char *again = list (folder, folder);
  g_assert_cmpstr (again, ==, first);
  if (own)
    g_setenv ("ODL_DECODER", own, TRUE);
  else
    g_unsetenv ("ODL_DECODER");
  write_picture (folder, &other);
  g_assert_cmpint (utime (path, &past), ==, 0);
  g_autofree char *changed = list (folder, folder);
  g_assert_cmpstr (changed, ==, "Gamma/1/1: 1 1 1\n");
  odl_test_remove_tree (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/studies/a-folder-and-those-below-it", test_folder);
  g_test_add_func ("/studies/one-person-in-two-spellings", test_persons);
  g_test_add_func ("/studies/a-disc-by-its-table", test_table);
  g_test_add_func ("/studies/what-is-known-is-told-while-more-is-read", test_grows);
  g_test_add_func ("/studies/a-header-is-read-once-while-its-file-stays", test_kept);
  g_test_add_func ("/studies/what-comes-first", test_first);
  g_test_add_func ("/studies/what-cannot-be-read-is-refused", test_refusals);
  return g_test_run ();
}
