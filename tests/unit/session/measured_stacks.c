// SPDX-License-Identifier: MIT
// What is measured in a slice is seen in its stack and where the slice is opened alone.
#include <glib/gstdio.h>
#include <string.h>

#include "../../helpers/folder.h"
#include "../source/dicom_writer.h"
#include "image/annotation/kept.h"
#include "session/annotation_store.h"
#include "settle.h"
#include "source/beside.h"

#define SIDE 48
#define N_SLICES 3

// A stack of three slices.
typedef struct {
  char *folder;
  char *slices[N_SLICES];
  char *location;
} Stack;

// Instances are other ones each time.
static void
write_dicom (Stack *stack, int i)
{
  static int n_made;
  g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
  g_autofree char *instance = g_strdup_printf ("1.2.%d", ++n_made);
  g_autofree char *number = g_strdup_printf ("%d", i + 1);
  g_autofree char *place = g_strdup_printf ("0\\0\\%d", 3 * i);
  odl_dicom_put_text (file, 0x00080018, "UI", instance);
  odl_dicom_put_text (file, 0x0020000d, "UI", "1.1");
  odl_dicom_put_text (file, 0x0020000e, "UI", "1.5");
  odl_dicom_put_text (file, 0x00200013, "IS", number);
  odl_dicom_put_text (file, 0x00200032, "DS", place);
  odl_dicom_put_text (file, 0x00200037, "DS", "1\\0\\0\\0\\1\\0");
  odl_dicom_put_bytes_of (file, SIDE, SIDE);
  odl_dicom_put_head (file, 0x7fe00010, "OB", SIDE * SIDE);
  guint8 samples[SIDE * SIDE];
  memset (samples, i, sizeof samples);
  g_byte_array_append (file, samples, sizeof samples);
  g_assert_true (g_file_set_contents (stack->slices[i], (char *) file->data,
                                      (gssize) file->len, NULL));
}

static void
write_grey (Stack *stack, int i)
{
  g_autoptr (GString) file = g_string_new (NULL);
  g_string_printf (file, "P5\n%d %d\n255\n", SIDE, SIDE);
  for (int k = 0; k < SIDE * SIDE; k++)
    g_string_append_c (file, (char) (10 * i + k % 7));
  g_assert_true (
      g_file_set_contents (stack->slices[i], file->str, (gssize) file->len, NULL));
}

typedef enum { SERIES, SEQUENCE, SEQUENCE_OF_DICOM } Kind;

static void
make (Stack *stack, Kind kind)
{
  stack->folder = g_dir_make_tmp ("ondelette-measured-XXXXXX", NULL);
  for (int i = 0; i < N_SLICES; i++) {
    g_autofree char *name
        = g_strdup_printf ("slice%d.%s", i + 1, kind == SEQUENCE ? "pgm" : "dcm");
    stack->slices[i] = g_build_filename (stack->folder, name, NULL);
    (kind == SEQUENCE ? write_grey : write_dicom) (stack, i);
  }
  stack->location
      = g_strconcat (kind == SERIES ? "series:" : "sequence:", stack->slices[0], NULL);
}

static void
clear (Stack *stack)
{
  odl_test_remove_tree (stack->folder);
  g_free (stack->folder);
  g_free (stack->location);
  for (int i = 0; i < N_SLICES; i++)
    g_free (stack->slices[i]);
}

static void
open_there (OdlSession *session, const char *location)
{
  odl_session_open (session, location, NULL);
  while (odl_session_opening (session))
    g_main_context_iteration (NULL, TRUE);
  odl_session_set_playing (session, false);
  settle (session);
  g_assert_cmpstr (odl_session_info (session)->location, ==, location);
}

// Another run of the program.
static OdlSession *
run (const char *location, bool stores)
{
  OdlSession *session = odl_session_new ();
  odl_session_set_canvas (session, ODL_GL_NONE, 0, true);
  odl_session_set_stores_annotations (session, stores);
  open_there (session, location);
  return session;
}

static void
draw (OdlSession *session, int64_t frame, double x)
{
  const OdlAnnotation line = { .kind = &odl_annotation_length,
                               .frame = frame,
                               .n_points = 2,
                               .points = { { x, 2 }, { 30, 40 } } };
  odl_session_annotate (session, &line);
}

// What is there, "frame:x frame:x …" in the order of frames.
static char *
list (OdlSession *session)
{
  const OdlAnnotations *all = odl_session_annotations (session);
  GString *text = g_string_new (NULL);
  for (int64_t frame = 0; frame < N_SLICES; frame++)
    for (int i = 0; i < odl_annotations_count (all); i++) {
      const OdlAnnotation *one = odl_annotations_at (all, i);
      if (one->frame == frame)
        g_string_append_printf (text, "%s%d:%g%s", text->len > 0 ? " " : "", (int) frame,
                                one->points[0].x, one->on.used ? "p" : "");
    }
  return g_string_free (text, FALSE);
}

static void
assert_has (OdlSession *session, const char *wanted)
{
  g_autofree char *text = list (session);
  g_assert_cmpstr (text, ==, wanted);
}

static void
assert_kept (const char *location, bool stores, const char *wanted)
{
  g_autoptr (OdlSession) session = run (location, stores);
  assert_has (session, wanted);
}

static void
test_both_ways (const void *data)
{
  Stack stack;
  make (&stack, (Kind) GPOINTER_TO_INT (data));
  {
    g_autoptr (OdlSession) alone = run (stack.slices[1], true);
    draw (alone, 0, 5);
  }
  assert_kept (stack.location, true, "1:5");
  assert_kept (stack.slices[0], true, "");
  {
    g_autoptr (OdlSession) session = run (stack.location, true);
    draw (session, 1, 6);
    draw (session, 2, 7);
    odl_session_remove_annotation (session, 1);
    draw (session, 0, 8);
    odl_session_undo (session);
    // In one run, too, whatever was open before.
    open_there (session, stack.slices[1]);
    assert_has (session, "0:6");
    draw (session, 0, 9);
    open_there (session, stack.location);
    assert_has (session, "1:6 1:9 2:7");
  }
  assert_kept (stack.slices[0], true, "");
  assert_kept (stack.slices[1], true, "0:6 0:9");
  assert_kept (stack.slices[2], true, "0:7");
  assert_kept (stack.location, true, "1:6 1:9 2:7");
  clear (&stack);
}

// Also while nothing is stored.
static void
test_one_run (void)
{
  Stack stack;
  make (&stack, SERIES);
  g_autoptr (OdlSession) session = run (stack.slices[2], false);
  draw (session, 0, 5);
  open_there (session, stack.location);
  assert_has (session, "2:5");
  odl_session_remove_annotation (session, 1);
  open_there (session, stack.slices[2]);
  assert_has (session, "");
  assert_kept (stack.slices[2], true, "");
  clear (&stack);
}

// A stack that gets another slice keeps what was measured; what lies on a plane is the
// stack's alone.
static void
test_planes_and_growth (void)
{
  Stack stack;
  make (&stack, SERIES);
  {
    g_autoptr (OdlSession) session = run (stack.location, true);
    OdlAnnotation line = { .kind = &odl_annotation_length,
                           .n_points = 2,
                           .points = { { 4, 1 }, { 9, 2 } } };
    g_assert_true (odl_on_plane_from_text ("coronal:3", &line.on));
    odl_session_annotate (session, &line);
    draw (session, 0, 5);
    draw (session, 1, 6);
  }
  assert_kept (stack.location, true, "0:4p 0:5 1:6");
  assert_kept (stack.slices[0], true, "0:5");
  {
    g_autofree char *bytes = NULL;
    gsize n;
    g_assert_true (g_file_get_contents (stack.slices[2], &bytes, &n, NULL));
    g_assert_cmpint (g_unlink (stack.slices[2]), ==, 0);
    assert_kept (stack.location, true, "0:5 1:6");
    g_assert_true (g_file_set_contents (stack.slices[2], bytes, (gssize) n, NULL));
  }
  assert_kept (stack.location, true, "0:4p 0:5 1:6");
  clear (&stack);
}

static void
test_beside (void)
{
  Stack stack;
  make (&stack, SERIES);
  g_autofree char *second = g_strconcat (stack.slices[1], ".measured", NULL);
  g_autofree char *third = g_strconcat (stack.slices[2], ".measured", NULL);
  {
    g_autofree char *path = NULL;
    g_autoptr (OdlSession) session = run (stack.location, false);
    draw (session, 1, 5);
    draw (session, 2, 6);
    g_assert_true (odl_session_save_annotations_beside (session, &path, NULL));
    g_assert_true (g_str_has_suffix (path, ".dcm.measured"));
  }
  assert_kept (stack.slices[1], false, "0:5");
  assert_kept (stack.location, false, "1:5 2:6");
  {
    g_autofree char *path = NULL;
    g_autoptr (OdlSession) session = run (stack.slices[1], false);
    draw (session, 0, 7);
    g_assert_true (odl_session_save_annotations_beside (session, &path, NULL));
    g_assert_cmpstr (path, ==, second);
  }
  {
    g_autofree char *path = NULL;
    g_autoptr (GError) error = NULL;
    g_autoptr (OdlSession) session = run (stack.location, false);
    assert_has (session, "1:5 1:7 2:6");
    odl_session_remove_annotation (session, 3);
    g_assert_true (odl_session_save_annotations_beside (session, &path, NULL));
    g_assert_false (g_file_test (third, G_FILE_TEST_EXISTS));
    // What is another's stays, and nothing else is written then.
    g_assert_true (g_file_set_contents (third, "mine", -1, NULL));
    draw (session, 0, 8);
    draw (session, 2, 9);
    g_clear_pointer (&path, g_free);
    g_assert_false (odl_session_save_annotations_beside (session, &path, &error));
    g_assert_nonnull (strstr (error->message, "slice3.dcm.measured"));
  }
  assert_kept (stack.location, false, "1:5 1:7");
  clear (&stack);
}

// What stacks kept of all their slices before goes to these.
static void
test_of_old (void)
{
  Stack stack;
  make (&stack, SERIES);
  g_autoptr (OdlSource) source = odl_source_open (stack.location, NULL, NULL);
  g_autofree char *identity = odl_annotation_identity (source, ODL_HOLDER_SOURCE);
  g_autofree char *told = odl_beside_identity (source, ODL_HOLDER_SOURCE);
  g_autofree char *beside = g_strconcat (stack.slices[0], ".series.measured", NULL);
  g_autoptr (OdlAnnotations) all = odl_annotations_new (SIDE, SIDE);
  for (int i = 0; i < 4; i++) {
    g_autoptr (OdlAnnotations) before = all;
    const OdlAnnotation line = { .kind = &odl_annotation_length,
                                 .frame = MIN (i, 2),
                                 .n_points = 2,
                                 .points = { { 5 + i, 2 }, { 30, 40 } } };
    all = odl_annotations_with (before, &line);
  }
  g_autofree char *text = odl_annotations_to_file_text (all, told);
  g_assert_true (g_file_set_contents (beside, text, -1, NULL));
  assert_kept (stack.location, false, "0:5 1:6 2:7 2:8");
  {
    g_autofree char *path = NULL;
    g_autoptr (OdlSession) session = run (stack.location, false);
    odl_session_remove_annotation (session, 1);
    g_assert_true (odl_session_save_annotations_beside (session, &path, NULL));
    g_assert_false (g_file_test (beside, G_FILE_TEST_EXISTS));
  }
  assert_kept (stack.location, false, "1:6 2:7 2:8");

  g_assert_true (odl_annotation_store_save (identity, all, NULL));
  assert_kept (stack.location, true, "0:5 1:6 2:7 2:8");
  assert_kept (stack.slices[2], true, "0:7 0:8");
  g_autoptr (OdlAnnotations) left = odl_annotation_store_load (identity);
  g_assert_cmpint (odl_annotations_count (left), ==, 0);
  clear (&stack);
}

// A file may have more frames than its stack shows.
static void
test_hidden (void)
{
  Stack stack;
  make (&stack, SEQUENCE);
  {
    g_autoptr (OdlSession) alone = run (stack.slices[1], true);
    draw (alone, 0, 5);
    draw (alone, 1, 6);
  }
  {
    g_autoptr (OdlSession) session = run (stack.location, true);
    assert_has (session, "1:5");
    odl_session_remove_annotation (session, 1);
  }
  assert_kept (stack.slices[1], true, "1:6");
  clear (&stack);
}

int
main (int argc, char **argv)
{
  char *folder = g_dir_make_tmp ("ondelette-XXXXXX", NULL);
  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/measured-stacks/both-ways", GINT_TO_POINTER (SERIES),
                        test_both_ways);
  g_test_add_data_func ("/measured-stacks/both-ways-of-numbered-pictures",
                        GINT_TO_POINTER (SEQUENCE), test_both_ways);
  g_test_add_data_func ("/measured-stacks/both-ways-of-numbered-dicom",
                        GINT_TO_POINTER (SEQUENCE_OF_DICOM), test_both_ways);
  g_test_add_func ("/measured-stacks/in-one-run-without-a-store", test_one_run);
  g_test_add_func ("/measured-stacks/planes-are-the-stack's", test_planes_and_growth);
  g_test_add_func ("/measured-stacks/beside-each-file", test_beside);
  g_test_add_func ("/measured-stacks/what-was-kept-before-goes-to-the-slices",
                   test_of_old);
  g_test_add_func ("/measured-stacks/other-frames-of-a-file-stay", test_hidden);
  return odl_test_run_in (folder);
}
