// SPDX-License-Identifier: MIT
// DICOM cines: when frames are shown, frames from one helper that stays, and what happens
// when it or a frame does not.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "dicom_writer.h"
#include "../../helpers/test_data.h"
#include "support.h"

#define SIDE 16
#define FRAMES 4

#define FRAME_TIME 0x00181063
#define FRAME_TIME_VECTOR 0x00181065
#define CINE_RATE 0x00180040
#define DISPLAY_RATE 0x00082144

// A cine of FRAMES frames; frame i is filled with 10 (i + 1).
typedef struct {
  const char *name;
  uint32_t pointer; // tag; 0: none
  const char *time;
  const char *vector;
  const char *cine_rate;
  const char *display_rate;
  // What must come of it.
  double rate;
  const char *timing;
  const char *warning; // part of it
  double times_ms[FRAMES + 1]; // all 0: a constant rate
} Case;

static const Case cases[] = {
  { "none", .rate = 0 },
  { "frame-time", .time = "40", .rate = 25, .timing = "Frame Time" },
  { "cine-rate", .cine_rate = "30", .rate = 30, .timing = "Cine Rate" },
  { "display-rate", .display_rate = "12", .rate = 12,
    .timing = "Recommended Display Frame Rate" },
  { "order", .time = "20", .cine_rate = "30", .display_rate = "12", .rate = 50,
    .timing = "Frame Time" },
  { "vector", .vector = "0\\10\\20\\30", .rate = 50, .timing = "Frame Time Vector",
    .times_ms = { 0, 10, 30, 60, 90 } },
  // What stands before the first frame means nothing.
  { "vector-first", .vector = "500\\10\\20\\30", .rate = 50,
    .timing = "Frame Time Vector", .times_ms = { 0, 10, 30, 60, 90 } },
  { "pointer-to-time", .pointer = FRAME_TIME, .time = "40", .vector = "0\\10\\20\\30",
    .rate = 25, .timing = "Frame Time" },
  { "pointer-to-vector", .pointer = FRAME_TIME_VECTOR, .time = "40",
    .vector = "0\\10\\20\\30", .rate = 50, .timing = "Frame Time Vector",
    .times_ms = { 0, 10, 30, 60, 90 } },
  { "pointer-to-nothing", .pointer = FRAME_TIME_VECTOR, .cine_rate = "15", .rate = 15,
    .timing = "Cine Rate" },
  { "pointer-to-nonsense", .pointer = 0x00100010, .time = "40", .rate = 25,
    .timing = "Frame Time" },
  { "vector-short", .vector = "0\\10", .time = "40", .rate = 25, .timing = "Frame Time",
    .warning = "Frame Time Vector" },
  { "vector-long", .vector = "0\\1\\1\\1\\1\\1", .cine_rate = "20", .rate = 20,
    .timing = "Cine Rate", .warning = "Frame Time Vector" },
  { "vector-backwards", .vector = "0\\10\\-5\\10", .rate = 0,
    .warning = "Frame Time Vector" },
  { "vector-zero", .vector = "0\\0\\0\\0", .rate = 0, .warning = "Frame Time Vector" },
  { "vector-words", .vector = "0\\a\\b\\c", .rate = 0, .warning = "Frame Time Vector" },
  { "time-zero", .time = "0", .cine_rate = "20", .rate = 20, .timing = "Cine Rate",
    .warning = "Frame Time" },
  { "time-negative", .time = "-40", .rate = 0, .warning = "Frame Time" },
  { "time-huge", .time = "1e300", .rate = 0, .warning = "Frame Time" },
  { "time-nan", .time = "nan", .rate = 0, .warning = "Frame Time" },
  { "rate-zero", .cine_rate = "0", .display_rate = "8", .rate = 8,
    .timing = "Recommended Display Frame Rate", .warning = "Cine Rate" },
};

static void
put_optional (GByteArray *out, uint32_t tag, const char *vr, const char *text)
{
  if (text != NULL)
    odl_dicom_put_text (out, tag, vr, text);
}

static GByteArray *
write_cine (const Case *which, const char *frames, int frames_present)
{
  GByteArray *out = odl_dicom_begin (ODL_DICOM_LE);
  uint8_t frame[SIDE * SIDE];

  put_optional (out, DISPLAY_RATE, "IS", which->display_rate);
  put_optional (out, CINE_RATE, "IS", which->cine_rate);
  put_optional (out, FRAME_TIME, "DS", which->time);
  put_optional (out, FRAME_TIME_VECTOR, "DS", which->vector);
  odl_dicom_put_short (out, 0x00280002, 1);
  odl_dicom_put_text (out, 0x00280004, "CS", "MONOCHROME2");
  odl_dicom_put_text (out, 0x00280008, "IS", frames);
  if (which->pointer != 0) {
    odl_dicom_put_head (out, 0x00280009, "AT", 4);
    odl_dicom_put_u16 (out, which->pointer >> 16);
    odl_dicom_put_u16 (out, which->pointer & 0xffff);
  }
  odl_dicom_put_bytes_of (out, SIDE, SIDE);
  odl_dicom_put_head (out, 0x7fe00010, "OB", FRAMES * sizeof frame);
  for (int i = 0; i < frames_present; i++) {
    memset (frame, 10 * (i + 1), sizeof frame);
    g_byte_array_append (out, frame, sizeof frame);
  }
  return out;
}

static OdlSource *
open_cine (const char *folder, const Case *which, const char *frames, int present)
{
  g_autoptr (GByteArray) bytes = write_cine (which, frames, present);
  g_autofree char *path = odl_test_write (folder, which->name, bytes->data, bytes->len);
  OdlSource *source = NULL;
  g_autoptr (OdlImage) first = odl_test_open (path, &source);

  g_assert_cmpfloat (odl_test_sample (first, 0, 0, 0), ==, 10);
  return source;
}

static void
test_timing (void)
{
  g_autofree char *folder = odl_test_folder ();

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Case *expected = &cases[i];
    g_test_message ("%s", expected->name);
    g_autoptr (OdlSource) source = open_cine (folder, expected, "4", FRAMES);
    const OdlSourceInfo *info = &source->info;
    g_assert_cmpint (info->n_frames, ==, FRAMES);
    g_assert_cmpfloat_with_epsilon (info->frame_rate, expected->rate, 1e-9);
    g_assert_cmpstr (info->timing, ==, expected->timing);
    if (expected->warning != NULL)
      odl_test_contains (expected->name, info->warning, expected->warning);
    else
      g_assert_null (info->warning);
    g_assert_cmpint (info->frame_times_ns != NULL, ==, expected->times_ms[1] > 0);
    for (int k = 0; info->frame_times_ns != NULL && k <= FRAMES; k++)
      g_assert_cmpint (info->frame_times_ns[k], ==,
                       (int64_t) (expected->times_ms[k] * 1e6));
  }
  odl_test_remove_folder (folder);
}

static void
assert_frame (OdlSource *source, int index)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlImage) image = odl_source_read_frame (source, index, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (odl_test_sample (image, 0, SIDE - 1, SIDE - 1), ==,
                     (uint8_t) (10 * (index + 1)));
}

static void
test_one_helper (void)
{
  g_autofree char *folder = odl_test_folder ();
  pid_t before[2], after[2];
  {
    g_autoptr (OdlSource) source = open_cine (folder, &cases[1], "4", FRAMES);
    g_assert_cmpint (odl_test_children (getpid (), before, 2), ==, 1);
    for (int i = 0; i < 3 * FRAMES; i++)
      assert_frame (source, i * 3 % FRAMES);
    g_assert_cmpint (odl_test_children (getpid (), after, 2), ==, 1);
    g_assert_cmpint (before[0], ==, after[0]);
  }
  g_assert_cmpint (odl_test_children (getpid (), after, 2), ==, 0);
  odl_test_remove_folder (folder);
}

static void
test_helper_is_replaced (void)
{
  g_autofree char *folder = odl_test_folder ();
  g_autoptr (OdlSource) source = open_cine (folder, &cases[1], "4", FRAMES);
  const int fds = odl_test_count_fds ();
  pid_t pid;

  for (int i = 0; i < 5; i++) {
    g_assert_cmpint (odl_test_children (getpid (), &pid, 1), ==, 1);
    kill (pid, SIGKILL);
    while (odl_test_process_state (pid) != 'Z')
      g_usleep (1000);
    assert_frame (source, 1 + i % 3);
  }
  g_assert_cmpint (odl_test_count_fds (), ==, fds);
  odl_test_remove_folder (folder);
}

static void *
open_in_thread (void *folder)
{
  return open_cine (folder, &cases[1], "4", FRAMES);
}

// Sources are opened in threads of a pool, which end when they have nothing to do.
static void
test_helper_outlives_thread (void)
{
  g_autofree char *folder = odl_test_folder ();
  GThread *thread = g_thread_new ("opener", open_in_thread, folder);
  g_autoptr (OdlSource) source = g_thread_join (thread);
  pid_t pid;

  g_usleep (50000);
  g_assert_cmpint (odl_test_children (getpid (), &pid, 1), ==, 1);
  g_assert_cmpint (odl_test_process_state (pid), !=, 'Z');
  assert_frame (source, 2);
  odl_test_remove_folder (folder);
}

// A helper that is ordered nonsense ends; a cancelled read leaves a source that works.
static void
test_cancelled_read (void)
{
  g_autofree char *folder = odl_test_folder ();
  g_autoptr (OdlSource) source = open_cine (folder, &cases[1], "4", FRAMES);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (odl_source_read_frame (source, 2, cancellable, &error));
  g_assert_error (error, ODL_ERROR, ODL_ERROR_CANCELLED);
  assert_frame (source, 2);
  odl_test_remove_folder (folder);
}

static void
test_truncated (void)
{
  g_autofree char *folder = odl_test_folder ();
  Case vector = cases[5];
  vector.name = "cut";
  g_autoptr (OdlSource) source = open_cine (folder, &vector, "4", 3);
  g_assert_cmpint (source->info.n_frames, ==, 3);
  g_assert_cmpint (source->info.declared_frames, ==, 4);
  g_assert_cmpint (source->info.frame_times_ns[3], ==, 60 * 1000000);
  // The source's own numbers say it; a second “frames” would contradict them.
  g_assert_null (odl_source_detail (source, "frames"));
  g_assert_true (
      g_str_has_prefix (source->info.warning, "the file declares 4 frames but holds 3"));
  assert_frame (source, 2);
  odl_test_remove_folder (folder);
}

static void
test_wrong_number (void)
{
  g_autofree char *folder = odl_test_folder ();
  Case lie = cases[1];
  lie.name = "lie";
  g_autoptr (OdlSource) source = open_cine (folder, &lie, "2000000000", FRAMES);
  g_assert_cmpint (source->info.n_frames, ==, FRAMES);
  assert_frame (source, FRAMES - 1);

  lie.name = "too-few";
  g_autoptr (OdlSource) fewer = open_cine (folder, &lie, "2", FRAMES);
  g_assert_cmpint (fewer->info.n_frames, ==, 2);
  odl_test_contains ("too-few", fewer->info.warning, "more frames than it declares (2)");
  assert_frame (fewer, 1);
  odl_test_remove_folder (folder);
}

// ---- frames in pieces
// ------------------------------------------------------------------

typedef struct {
  const char *name;
  const char *number; // of frames, as the file says
  int present; // frames that are there
  const char *table; // "none", "right", "wrong", "beyond"
  int damaged; // this frame is no RLE; −1: none
  int cut; // bytes that the end of the file lacks
  // What must come of it.
  int n_frames;
  const char *warning; // part of it
} Pieces;

static const Pieces pieces[] = {
  { "plain", "5", 5, "right", -1, 0, 5, NULL },
  { "no-table", "5", 5, "none", -1, 0, 5, NULL },
  { "wrong-table", "5", 5, "wrong", -1, 0, 5, NULL },
  { "table-beyond-the-file", "5", 5, "beyond", -1, 0, 5, NULL },
  { "too-many", "9", 5, "none", -1, 0, 5, "declares 9 frames but holds 5" },
  { "too-few", "3", 5, "right", -1, 0, 3, "more frames than it declares (3)" },
  { "too-few-without-table", "3", 5, "none", -1, 0, 3, "more frames than it declares" },
  { "zero", "0", 5, "none", -1, 0, 1, "number of frames" },
  { "negative", "-5", 5, "none", -1, 0, 1, "number of frames" },
  { "no-number", "many", 5, "none", -1, 0, 1, "number of frames" },
  { "huge", "99999999999999999999", 5, "none", -1, 0, 5, "holds 5" },
  { "damaged-in-the-middle", "5", 5, "right", 2, 0, 5, NULL },
  { "damaged-without-table", "5", 5, "none", 2, 0, 5, NULL },
  { "damaged-at-first", "5", 5, "right", 0, 0, 5, "first frame is damaged" },
  { "damaged-at-first-without-table", "5", 5, "none", 0, 0, 5, "first frame is damaged" },
  { "cut-in-the-last", "5", 5, "right", -1, 40, 4, "holds 4" },
};

// One segment of runs: PS3.5 annex G.
static GByteArray *
rle_frame (int value, bool damaged)
{
  GByteArray *out = g_byte_array_new ();
  const uint8_t runs[] = { 0x81, (uint8_t) value };

  odl_dicom_put_u32 (out, damaged ? 77 : 1);
  odl_dicom_put_u32 (out, 64);
  while (out->len < 64)
    odl_dicom_put_u32 (out, 0);
  for (int i = 0; i < SIDE * SIDE / 128; i++)
    g_byte_array_append (out, runs, sizeof runs);
  return out;
}

static void
put_table (GByteArray *out, const Pieces *which, size_t frame_bytes)
{
  g_autoptr (GByteArray) table = g_byte_array_new ();
  const uint32_t wrong = g_str_equal (which->table, "wrong") ? 2 : 0;
  const uint32_t beyond = g_str_equal (which->table, "beyond") ? 1u << 31 : 0;

  for (int i = 0; !g_str_equal (which->table, "none") && i < which->present; i++)
    odl_dicom_put_u32 (table,
                       (uint32_t) (i * frame_bytes) + wrong + (i > 0 ? beyond : 0));
  odl_dicom_put_item (out, table->data, table->len);
}

static OdlSource *
open_pieces (const char *folder, const Pieces *which)
{
  g_autoptr (GByteArray) out = odl_dicom_begin (ODL_DICOM_RLE_SYNTAX);
  OdlSource *source = NULL;

  if (g_str_equal (which->number, "5"))
    odl_dicom_put_text (out, FRAME_TIME_VECTOR, "DS", "0\\10\\20\\30\\25");
  odl_dicom_put_short (out, 0x00280002, 1);
  odl_dicom_put_text (out, 0x00280004, "CS", "MONOCHROME2");
  odl_dicom_put_text (out, 0x00280008, "IS", which->number);
  odl_dicom_put_bytes_of (out, SIDE, SIDE);
  odl_dicom_put_head (out, 0x7fe00010, "OB", 0xffffffff);
  g_autoptr (GByteArray) first = rle_frame (10, false);
  put_table (out, which, first->len + 8);
  for (int i = 0; i < which->present; i++) {
    g_autoptr (GByteArray) frame = rle_frame (10 * (i + 1), i == which->damaged);
    odl_dicom_put_item (out, frame->data, frame->len);
  }
  odl_dicom_put_u16 (out, 0xfffe);
  odl_dicom_put_u16 (out, 0xe0dd);
  odl_dicom_put_u32 (out, 0);
  g_autofree char *path
      = odl_test_write (folder, which->name, out->data, out->len - (guint) which->cut);
  if (which->damaged != 0) {
    odl_image_unref (odl_test_open (path, &source));
    return source;
  }
  g_autoptr (GError) error = NULL;
  source = odl_source_open (path, NULL, &error);
  g_assert_no_error (error);
  return source;
}

// A damaged frame is an error by its own number, and never its predecessor.
static void
test_pieces (void)
{
  g_autofree char *folder = odl_test_folder ();

  for (size_t k = 0; k < G_N_ELEMENTS (pieces); k++) {
    const Pieces *which = &pieces[k];
    g_test_message ("%s", which->name);
    g_autoptr (OdlSource) source = open_pieces (folder, which);
    g_assert_cmpint (source->info.n_frames, ==, which->n_frames);
    if (which->warning != NULL)
      odl_test_contains (which->name, source->info.warning, which->warning);
    else
      g_assert_null (source->info.warning);
    for (int turn = 0; turn < 2; turn++)
      for (int i = 0; i < which->n_frames; i++) {
        g_autoptr (GError) error = NULL;
        if (i != which->damaged) {
          assert_frame (source, i);
          continue;
        }
        g_assert_null (odl_source_read_frame (source, i, NULL, &error));
        g_assert_error (error, ODL_ERROR, ODL_ERROR_CORRUPT);
        g_autofree char *words
            = g_strdup_printf ("%s, frame %d: its ", which->name, i + 1);
        odl_test_contains (which->name, error->message, words);
      }
  }
  odl_test_remove_folder (folder);
}

// Without a table only the first pieces of a long file are looked at to open it. What it
// announces is believed until somebody asks for more than there is.
static void
test_long (void)
{
  g_autofree char *folder = odl_test_folder ();
  static const Pieces kinds[] = {
    { "long", "700", 700, "none", -1, 0, 700, NULL },
    { "long-lie", "900", 700, "none", -1, 0, 700, "declares 900 frames but holds 700" },
    { "long-cut", "700", 700, "none", -1, 40, 699, "declares 700 frames but holds 699" },
    { "long-huge-lie", "90000", 700, "none", -1, 0, 700, NULL },
    { "long-with-table", "700", 700, "right", 300, 0, 700, NULL },
    { "long-damaged", "700", 700, "none", 300, 0, 700, NULL },
    { "long-too-few", "400", 700, "none", -1, 0, 400, NULL },
  };

  for (size_t k = 0; k < G_N_ELEMENTS (kinds); k++) {
    const Pieces *which = &kinds[k];
    g_test_message ("%s", which->name);
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlSource) source = open_pieces (folder, which);
    if (which->warning == NULL)
      g_assert_cmpint (source->info.n_frames, ==, which->n_frames);
    assert_frame (source, which->n_frames - 1);
    assert_frame (source, 299);
    assert_frame (source, 1);
    if (which->damaged >= 0) {
      g_assert_null (odl_source_read_frame (source, which->damaged, NULL, &error));
      g_assert_error (error, ODL_ERROR, ODL_ERROR_CORRUPT);
    }
    if (which->warning != NULL) {
      g_assert_null (odl_source_read_frame (source, which->n_frames, NULL, &error));
      g_assert_error (error, ODL_ERROR, ODL_ERROR_END);
      odl_test_contains (which->name, error->message, which->warning);
      g_assert_cmpint (source->info.n_frames, ==, which->n_frames);
      assert_frame (source, which->n_frames - 1);
    }
  }
  odl_test_remove_folder (folder);
}

// What is shown in the place of a first frame that is damaged: of the right size, with
// the mark and with nothing of the other frames. Times are those of the whole cine.
static void
test_damaged_first (void)
{
  g_autofree char *folder = odl_test_folder ();
  g_autoptr (GError) error = NULL;
  const Pieces *which = &pieces[0];

  while (which->damaged != 0)
    which++;
  g_autoptr (OdlSource) source = open_pieces (folder, which);
  g_autoptr (OdlImage) image = odl_source_read_first (source, NULL, &error);
  g_assert_no_error (error);
  const OdlImageInfo *info = odl_image_info (image);
  g_assert_cmpstr (info->mark, ==, "damaged frame");
  g_assert_cmpint (info->extent.x, ==, SIDE);
  g_assert_cmpint (info->extent.y, ==, SIDE);
  for (int i = 0; i < SIDE; i++)
    g_assert_cmpfloat (odl_test_sample (image, 0, i, i), ==, 0);
  g_assert_cmpstr (source->info.timing, ==, "Frame Time Vector");
  g_assert_cmpint (source->info.frame_times_ns[5], ==, 110 * 1000000);
  odl_test_remove_folder (folder);
}

// Of a file that is cut amid its first frame that frame is shown, as far as it goes.
static void
test_cut_in_first (void)
{
  g_autofree char *folder = odl_test_folder ();
  g_autoptr (GByteArray) bytes = write_cine (&cases[1], "4", 1);
  g_autofree char *path
      = odl_test_write (folder, "cut-in-first", bytes->data, bytes->len - 100);
  g_autoptr (OdlSource) source = NULL;
  g_autoptr (OdlImage) image = odl_test_open (path, &source);

  g_assert_cmpint (source->info.n_frames, ==, 1);
  g_assert_cmpstr (odl_image_info (image)->mark, ==, "incomplete");
  odl_test_contains (path, source->info.warning, "declares 4 frames but holds 1");
  g_assert_cmpfloat (odl_test_sample (image, 0, 0, 0), ==, 10);
  g_assert_cmpfloat (odl_test_sample (image, 0, 15, 15), ==, 0);
  odl_test_remove_folder (folder);
}

// Every frame by the helper that stays equals the same frame of a source of its own.
static void
test_real_cine (void)
{
  g_autofree char *path = odl_test_data ("pydicom/examples_ybr_color.dcm");
  if (path == NULL)
    return;
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlSource) source = NULL;
  g_autoptr (OdlImage) first = odl_test_open (path, &source);
  g_assert_cmpint (source->info.n_frames, ==, 30);
  g_assert_cmpfloat (source->info.frame_rate, >, 0);
  g_assert_nonnull (source->info.timing);
  for (int i = 1; i < 30; i += 7) {
    g_autoptr (OdlSource) alone = NULL;
    g_autoptr (OdlImage) again = odl_test_open (path, &alone);
    g_autoptr (OdlImage) a = odl_source_read_frame (source, i, NULL, &error);
    g_autoptr (OdlImage) b = odl_source_read_frame (alone, i, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpfloat (odl_test_difference (a, b), ==, 0);
    g_assert_cmpfloat (odl_test_difference (a, first), >, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cine/times-come-from-the-first-that-makes-sense", test_timing);
  g_test_add_func ("/cine/one-helper-gives-all-frames", test_one_helper);
  g_test_add_func ("/cine/the-helper-outlives-the-thread-that-opened-it",
                   test_helper_outlives_thread);
  g_test_add_func ("/cine/a-helper-that-died-is-replaced", test_helper_is_replaced);
  g_test_add_func ("/cine/a-cancelled-read-leaves-the-source-well", test_cancelled_read);
  g_test_add_func ("/cine/frames-before-the-cut-are-there", test_truncated);
  g_test_add_func ("/cine/a-wrong-number-of-frames-is-corrected", test_wrong_number);
  g_test_add_func ("/cine/frames-in-pieces-whatever-the-table-says", test_pieces);
  g_test_add_func ("/cine/a-long-file-is-not-walked-through", test_long);
  g_test_add_func ("/cine/a-damaged-first-frame-is-marked", test_damaged_first);
  g_test_add_func ("/cine/a-cut-in-the-first-frame-is-marked", test_cut_in_first);
  g_test_add_func ("/cine/a-real-cine-is-the-same-frame-by-frame", test_real_cine);
  return g_test_run ();
}
