// SPDX-License-Identifier: MIT
// Second pictures in the window: those that filters take, and the one that results are
// compared with.
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "plan/title.h"
#include "widgets/panels/filter_card.h"
#include "widgets/window/parts.h"

static const OdlRecipeItem *
first_item (Fixture *fixture)
{
  const OdlRecipe *recipe = odl_session_recipe (fixture->session);
  g_assert_cmpint (recipe->n_items, >, 0);
  return &recipe->items[0];
}

static void
mix_with (Fixture *fixture, const char *path)
{
  g_autofree char *text = g_strdup_printf ("mix:with=\"%s\",weight=1", path);
  set_filters (fixture, text);
}

// The sample that is shown there; of what the CPU computed.
static float
shown_at (Fixture *fixture, int x, int y)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  const OdlImageInfo *info = odl_image_info (frame->result);
  g_autofree float *row = g_new (float, info->extent.x);
  odl_image_scaled_row (frame->result, 0, y, 0, 0, row);
  return row[x];
}

static bool
says_file (GtkWidget *widget, const void *name)
{
  GtkWidget *label
      = GTK_IS_BUTTON (widget) ? gtk_button_get_child (GTK_BUTTON (widget)) : NULL;
  return GTK_IS_LABEL (label) && strstr (gtk_label_get_text (GTK_LABEL (label)), name);
}

static int
choices_in (GtkWidget *widget)
{
  int n = GTK_IS_DROP_DOWN (widget) && gtk_widget_is_visible (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    n += choices_in (child);
  return n;
}

static void
click_in (GtkWidget *widget, const char *tip)
{
  if (GTK_IS_BUTTON (widget)
      && g_strcmp0 (gtk_widget_get_tooltip_text (widget), tip) == 0)
    g_signal_emit_by_name (widget, "clicked");
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    click_in (child, tip);
}

static bool
card_says (Fixture *fixture, const void *name)
{
  GtkWidget *card = card_of (fixture, 0);
  return card && find_where (card, says_file, name);
}

static void
test_mix (Fixture *fixture, const void *data)
{
  g_autofree char *first = write_png (fixture, "first.png", 64, 48, false);
  g_autofree char *second = write_png (fixture, "second, of two.png", 64, 48, true);
  g_autofree char *small = write_png (fixture, "small.png", 32, 48, false);
  g_autofree char *missing = g_build_filename (fixture->folder, "missing.png", NULL);
  odl_session_set_engine (fixture->session, "cpu");
  open_and_wait (fixture, second);
  const float wanted = shown_at (fixture, 20, 30);
  open_and_wait (fixture, first);
  const float before = shown_at (fixture, 20, 30);
  set_filters (fixture, "mix");
  g_assert_cmpfloat (shown_at (fixture, 20, 30), ==, before);
  wait_until (fixture, card_says, "Choose a File");

  mix_with (fixture, second);
  g_assert_cmpfloat_with_epsilon (shown_at (fixture, 20, 30), wanted, 1e-6);
  wait_until (fixture, card_says, "second, of two.png");
  // What cannot be had changes nothing.
  mix_with (fixture, missing);
  g_assert_true (has_toast (fixture, "missing.png"));
  mix_with (fixture, fixture->folder);
  g_assert_true (has_toast (fixture, "folder"));
  mix_with (fixture, small);
  g_assert_true (has_toast (fixture, "32 × 48"));
  g_assert_cmpstr (first_item (fixture)->file, ==, second);
  g_assert_cmpfloat_with_epsilon (shown_at (fixture, 20, 30), wanted, 1e-6);

  activate_and_settle (fixture, "undo", NULL);
  g_assert_null (first_item (fixture)->file);
  g_assert_cmpfloat (shown_at (fixture, 20, 30), ==, before);
  activate_and_settle (fixture, "redo", NULL);
  g_assert_cmpfloat_with_epsilon (shown_at (fixture, 20, 30), wanted, 1e-6);
  // No output goes over it.
  g_assert_true (odl_session_reads (fixture->session, second));
}

static bool
stands (Fixture *fixture, const char *part)
{
  const GPtrArray *said
      = odl_messages_waiting (odl_main_window_parts (fixture->window)->messages);
  for (guint i = 0; i < said->len; i++) {
    GtkWidget *title = adw_toast_get_custom_title (said->pdata[i]);
    if (strstr (gtk_label_get_text (GTK_LABEL (title)), part))
      return true;
  }
  return false;
}

// Why a picture was not taken matters until another one is; a filter has one name.
static void
test_refusal_goes (Fixture *fixture, const void *data)
{
  g_autofree char *first = write_png (fixture, "first.png", 64, 48, false);
  g_autofree char *second = write_png (fixture, "second.png", 64, 48, true);
  g_autofree char *small = write_png (fixture, "small.png", 32, 48, false);
  g_autofree char *missing = g_build_filename (fixture->folder, "missing.png", NULL);
  open_and_wait (fixture, first);
  mix_with (fixture, missing);
  g_assert_true (stands (fixture, "missing.png"));
  mix_with (fixture, small);
  g_assert_true (stands (fixture, "32 × 48"));
  g_assert_false (stands (fixture, "“mix”"));
  g_assert_false (stands (fixture, "missing.png"));
  mix_with (fixture, second);
  g_assert_false (stands (fixture, "32 × 48"));
}

// A kernel of a file; what is none changes nothing. Without one a shape is taken.
static void
test_kernel (Fixture *fixture, const void *data)
{
  g_autofree char *first = write_png (fixture, "first.png", 64, 48, false);
  g_autofree char *kernel = g_build_filename (fixture->folder, "half.txt", NULL);
  g_autofree char *even = g_build_filename (fixture->folder, "even.txt", NULL);
  g_assert_true (g_file_set_contents (kernel, "0 0 0\n0 0.5 0\n0 0 0\n", -1, NULL));
  g_assert_true (g_file_set_contents (even, "1 1\n1 1\n", -1, NULL));
  odl_session_set_engine (fixture->session, "cpu");
  open_and_wait (fixture, first);
  const float before = shown_at (fixture, 20, 30);
  set_filters (fixture, "convolve");
  wait_until (fixture, card_says, "Choose a File");
  g_assert_cmpint (odl_session_frame (fixture->session)->plan->n_steps, >, 1);
  const int choices = choices_in (card_of (fixture, 0));

  g_autofree char *text = g_strdup_printf ("convolve:kernel=\"%s\"", kernel);
  set_filters (fixture, text);
  wait_until (fixture, card_says, "half.txt");
  g_autofree char *title = odl_plan_title (odl_session_recipe (fixture->session), 1);
  g_assert_null (strstr (title, "gaussian"));
  g_assert_cmpint (choices_in (card_of (fixture, 0)), ==, choices - 2);
  g_assert_cmpfloat_with_epsilon (shown_at (fixture, 20, 30), before / 2, 1e-6);
  g_autofree char *wrong = g_strdup_printf ("convolve:kernel=\"%s\"", even);
  set_filters (fixture, wrong);
  g_assert_true (has_toast (fixture, "even.txt"));
  g_assert_cmpfloat_with_epsilon (shown_at (fixture, 20, 30), before / 2, 1e-6);

  // The file can be taken away again; then a shape counts, with its own settings alone.
  click_in (card_of (fixture, 0), "Without this file");
  wait_until (fixture, card_says, "Choose a File");
  g_assert_null (first_item (fixture)->file);
  g_assert_cmpint (choices_in (card_of (fixture, 0)), ==, choices);
  g_assert_true (has_label (card_of (fixture, 0), "Standard deviation"));
  g_assert_false (has_label (card_of (fixture, 0), "Bandwidth"));
  set_filters (fixture, "convolve:shape=sobel-x,sigma=3");
  g_assert_cmpint (choices_in (card_of (fixture, 0)), ==, choices - 1);
  g_assert_false (has_label (card_of (fixture, 0), "Standard deviation"));
  g_autofree char *sobel = odl_plan_title (odl_session_recipe (fixture->session), 1);
  g_assert_null (strstr (sobel, "3"));
}

// A picture of another size: the filter is switched off, and says so.
static void
test_another_size (Fixture *fixture, const void *data)
{
  g_autofree char *first = write_png (fixture, "first.png", 64, 48, false);
  g_autofree char *other = write_png (fixture, "other.png", 80, 60, false);
  odl_session_set_keep_recipe (fixture->session, true);
  open_and_wait (fixture, first);
  mix_with (fixture, first);
  g_assert_false (first_item (fixture)->bypassed);
  open_and_wait (fixture, other);
  g_assert_true (first_item (fixture)->bypassed);
  g_assert_true (has_toast (fixture, "switched off"));
  g_assert_cmpint (odl_session_frame (fixture->session)->plan->geometry.width, ==, 80);
}

// A recipe that comes with the picture waits for its second picture; one that is not
// there is switched off.
static void
test_opened_with (Fixture *fixture, const void *data)
{
  g_autofree char *first = write_png (fixture, "first.png", 64, 48, false);
  g_autofree char *second = write_png (fixture, "second.png", 64, 48, true);
  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  odl_recipe_append (&recipe, odl_filter_find ("mix"));
  odl_recipe_set_file (&recipe, 0, second);
  odl_main_window_open (fixture->window, first, &recipe);
  wait_until (fixture, card_says, "second.png");
  settle (fixture);
  g_assert_false (first_item (fixture)->bypassed);
  g_assert_cmpint (odl_session_frame (fixture->session)->plan->n_steps, >, 2);
  odl_recipe_set_file (&recipe, 0, "/nowhere/third.png");
  odl_main_window_open (fixture->window, second, &recipe);
  wait_until (fixture, has_toast, "third.png");
  settle (fixture);
  g_assert_true (first_item (fixture)->bypassed);
}

static bool
line_says (Fixture *fixture, const void *part)
{
  return strstr (gtk_label_get_text (odl_window_child (
                     odl_main_window_parts (fixture->window), "window_line")),
                 part);
}

static bool
line_is_silent (Fixture *fixture, const void *part)
{
  return !line_says (fixture, part);
}

static void
test_reference (Fixture *fixture, const void *data)
{
  g_autofree char *first = write_png (fixture, "first.png", 64, 48, false);
  g_autofree char *clean = write_png (fixture, "clean.png", 64, 48, true);
  g_autofree char *small = write_png (fixture, "small.png", 32, 48, false);
  open_and_wait (fixture, first);
  odl_reference_set_file (odl_main_window_parts (fixture->window)->reference, clean);
  wait_until (fixture, line_says, "PSNR");
  g_autofree char *plain = g_strdup (
      odl_reference_text (odl_main_window_parts (fixture->window)->reference));
  set_filters (fixture, "gaussian:sigma=3");
  while (
      !odl_reference_text (odl_main_window_parts (fixture->window)->reference)
      || g_str_equal (
          odl_reference_text (odl_main_window_parts (fixture->window)->reference), plain))
    g_main_context_iteration (NULL, TRUE);
  wait_until (fixture, line_says,
              odl_reference_text (odl_main_window_parts (fixture->window)->reference));
  const char *details
      = odl_reference_details (odl_main_window_parts (fixture->window)->reference);
  g_assert_nonnull (strstr (details, "clean.png"));
  g_assert_nonnull (strstr (details, plain));
  g_assert_true (odl_files_is_shown (odl_main_window_parts (fixture->window), clean));
  // One that is not there leaves it as it is.
  odl_reference_set_file (odl_main_window_parts (fixture->window)->reference,
                          "/nowhere/at_all.png");
  wait_until (fixture, has_toast, "at_all.png");
  g_assert_cmpstr (
      odl_reference_file (odl_main_window_parts (fixture->window)->reference), ==, clean);
  odl_reference_set_file (odl_main_window_parts (fixture->window)->reference, small);
  wait_until (fixture, has_toast, "32×48");
  wait_until (fixture, line_is_silent, "PSNR");
  odl_reference_set_file (odl_main_window_parts (fixture->window)->reference, clean);
  wait_until (fixture, line_says, "PSNR");
  // Coefficients are no picture.
  set_filters (fixture, "shrinkage view=analysis");
  wait_until (fixture, line_is_silent, "PSNR");
  set_filters (fixture, "shrinkage");
  wait_until (fixture, line_says, "PSNR");
  activate_and_settle (fixture, "stop-comparing", NULL);
  wait_until (fixture, line_is_silent, "PSNR");
}

// Frames of 64 × 48 samples: of number n, from 0, all `base` + 10 n.
static char *
write_cine (Fixture *fixture, const char *name, int n_frames, int base)
{
  char *path = g_build_filename (fixture->folder, name, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_string_printf (text,
                   "ObjectType = Image\nNDims = 3\nDimSize = 64 48 %d\n"
                   "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n",
                   n_frames);
  for (int i = 0; i < n_frames * 64 * 48; i++)
    g_string_append_c (text, (char) (base + 10 * (i / (64 * 48))));
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  return path;
}

// Frame n against frame n, whose difference is 5 in each, and not 5 + 10 k.
static void
test_moving_reference (Fixture *fixture, const void *data)
{
  g_autofree char *cine = write_cine (fixture, "cine.mha", 4, 0);
  g_autofree char *clean = write_cine (fixture, "clean.mha", 4, 5);
  g_autofree char *brief = write_cine (fixture, "brief.mha", 2, 5);
  OdlReference *reference = odl_main_window_parts (fixture->window)->reference;
  open_and_wait (fixture, cine);
  // In three planes the slice of the cross-hair counts.
  odl_reference_set_file (reference, clean);
  wait_until (fixture, line_says, "PSNR");
  odl_session_set_planes (fixture->session, false);
  wait_until (fixture, line_says, "PSNR");
  for (int i = 0; i < 4; i++) {
    g_autofree char *number = g_strdup_printf ("clean.mha, frame %d;", i + 1);
    odl_playback_seek (odl_session_playback (fixture->session), i);
    while (!odl_reference_text (reference)
           || !strstr (odl_reference_details (reference), number))
      g_main_context_iteration (NULL, TRUE);
    g_assert_cmpfloat_with_epsilon (odl_reference_numbers (reference)->before.psnr_db,
                                    20 * log10 (255 / 5.0), 0.01);
  }
  // Frame 4 has none there.
  odl_reference_set_file (reference, brief);
  wait_until (fixture, has_toast, "2 frames, too few for frame 4");
  wait_until (fixture, line_is_silent, "PSNR");
  odl_playback_seek (odl_session_playback (fixture->session), 1);
  wait_until (fixture, line_says, "PSNR");
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/operands/a-second-picture-is-mixed-or-refused-in-words", test_mix);
  ADD ("/operands/a-refusal-goes-when-another-picture-is-taken", test_refusal_goes);
  ADD ("/operands/a-kernel-of-a-file-is-taken-or-refused-in-words", test_kernel);
  ADD ("/operands/another-size-switches-the-filter-off", test_another_size);
  ADD ("/operands/a-picture-opens-with-its-second-one", test_opened_with);
  ADD ("/operands/results-are-compared-with-a-reference", test_reference);
  ADD ("/operands/each-frame-is-compared-with-its-own", test_moving_reference);
  return g_test_run ();
}
