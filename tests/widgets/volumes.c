// SPDX-License-Identifier: MIT
// What the window says about a volume and offers for it, in the real window.
#include <glib/gstdio.h>
#include <string.h>

#include "support/patient.h"
#include "support/support.h"
#include "widgets/transport/transport.h"
#include "widgets/viewport/legend.h"
#include "widgets/viewport/private.h"

static bool
is_named (GtkWidget *widget, const void *name)
{
  return g_strcmp0 (gtk_widget_get_name (widget), name) == 0;
}

static const char *
corner_text (Fixture *fixture)
{
  GtkWidget *label
      = find_where (GTK_WIDGET (fixture->viewport), is_named, "corner-lower");
  return gtk_label_get_text (GTK_LABEL (label));
}

static bool
corner_says (Fixture *fixture, const void *part)
{
  return strstr (corner_text (fixture), part) != NULL;
}

// Neither a number of all slices at all times nor that of the slice alone.
static void
test_slice_and_volume (Fixture *fixture, const void *data)
{
  open_and_wait (fixture, "phantom:48x32x11x3");
  OdlPlayback *playback = odl_session_playback (fixture->session);
  odl_session_set_planes (fixture->session, true);
  wait_until (fixture, corner_says, "Axial slice 6/11 · Volume 1/3");
  // The pointer counts them alike.
  OdlPoint pixel;
  const int width = gtk_widget_get_width (GTK_WIDGET (fixture->viewport));
  const int height = gtk_widget_get_height (GTK_WIDGET (fixture->viewport));
  odl_viewport_move_pointer (fixture->viewport, true, width * 0.25, height * 0.25);
  g_autofree char *probed = odl_viewport_probe (fixture->viewport, &pixel);
  g_assert_nonnull (strstr (probed, ", slice 6, volume 1: "));
  odl_session_set_planes (fixture->session, false);
  odl_playback_seek (playback, 2 * 11 + 4);
  wait_until (fixture, corner_says, "Slice 5/11 · Volume 3/3");
  g_assert_null (strstr (corner_text (fixture), "33"));
  open_and_wait (fixture, "phantom:48x32x11");
  odl_session_set_planes (fixture->session, false);
  wait_until (fixture, corner_says, "Slice 6/11");
  g_assert_null (strstr (corner_text (fixture), "Volume"));
}

static bool
has_frames (Fixture *fixture, const void *number)
{
  return odl_session_frame (fixture->session)
         && odl_playback_n_frames (odl_session_playback (fixture->session))
                == GPOINTER_TO_INT (number);
}

// Slices of one volume are looked at one by one, those of coefficients, too.
static void
test_stands_still (Fixture *fixture, const void *data)
{
  odl_session_set_planes (fixture->session, false);
  odl_main_window_open (fixture->window, "phantom:48x32x11x3", NULL);
  wait_until (fixture, has_frames, GINT_TO_POINTER (33));
  g_assert_true (odl_session_playing (fixture->session));
  odl_main_window_open (fixture->window, "phantom:48x32x11", NULL);
  wait_until (fixture, has_frames, GINT_TO_POINTER (11));
  g_assert_false (odl_session_playing (fixture->session));
}

static GtkWidget *
empty_quarter (Fixture *fixture)
{
  return find_where (GTK_WIDGET (fixture->viewport), is_named, "empty-quarter");
}

static bool
offers (Fixture *fixture, const void *whether)
{
  return gtk_widget_get_child_visible (empty_quarter (fixture))
         == (GPOINTER_TO_INT (whether) != 0);
}

// What can be shown in the quarter that planes leave empty, as long as it is empty.
static void
test_empty_quarter (Fixture *fixture, const void *data)
{
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1000, 800);
  open_and_wait (fixture, "phantom:64x64x48");
  odl_session_set_planes (fixture->session, true);
  odl_viewport_set_rendering (fixture->viewport, "none");
  wait_until (fixture, offers, GINT_TO_POINTER (true));
  GtkWidget *button = find_widget (empty_quarter (fixture), GTK_TYPE_BUTTON);
  g_signal_emit_by_name (button, "clicked");
  wait_until (fixture, offers, GINT_TO_POINTER (false));
  g_assert_cmpstr (odl_viewport_rendering (fixture->viewport), ==, "maximum");
  odl_viewport_set_rendering (fixture->viewport, "none");
  wait_until (fixture, offers, GINT_TO_POINTER (true));
  odl_session_set_planes (fixture->session, false);
  wait_until (fixture, offers, GINT_TO_POINTER (false));
  odl_session_set_planes (fixture->session, true);
  wait_until (fixture, offers, GINT_TO_POINTER (true));
  odl_viewport_set_shows_corners (fixture->viewport, false);
  wait_until (fixture, offers, GINT_TO_POINTER (false));
}

// Words below, and what is shown above them.
static bool
stands_above (Fixture *fixture, const void *data)
{
  GtkWidget *canvas = GTK_WIDGET (fixture->viewport);
  GtkWidget *words = find_where (canvas, is_named, "corner-lower");
  const OdlView *view = odl_viewport_view (fixture->viewport);
  const int width = gtk_widget_get_width (canvas);
  const int height = gtk_widget_get_height (canvas);
  const OdlPoint corners[2]
      = { odl_view_to_canvas (view, width, height, (OdlPoint){ 0, 0 }),
          odl_view_to_canvas (view, width, height,
                              (OdlPoint){ view->image_width, view->image_height }) };
  const double top = MIN (corners[0].y, corners[1].y);
  const double end = MAX (corners[0].y, corners[1].y);
  GtkAllocation place;
  gtk_widget_get_allocation (words, &place);
  return fixture->viewport->badge.rgba && gtk_widget_get_visible (words) && view->fit
         && end <= odl_viewport_badge_top (fixture->viewport, 0, width) && end <= place.y
         && top > -1 && end > 0.8 * height;
}

// Planes that fit are no lower than badge and words begin, however many lines these have.
static void
test_above_the_badge (Fixture *fixture, const void *data)
{
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1400, 900);
  open_and_wait (fixture, "phantom:64x64x48x3");
  odl_session_set_planes (fixture->session, true);
  set_filters (fixture, "gaussian:sigma=1");
  wait_until (fixture, stands_above, NULL);
  odl_viewport_rotate (fixture->viewport, 1);
  wait_until (fixture, stands_above, NULL);
  odl_viewport_rotate (fixture->viewport, -1);
  odl_viewport_set_wipe (fixture->viewport, true);
  wait_until (fixture, stands_above, NULL);
}

static bool
has_no_bar (Fixture *fixture, const void *data)
{
  return !odl_viewport_has_own_window (fixture->viewport);
}

static bool
is_beside_the_legend (Fixture *fixture, const void *data)
{
  GtkAllocation words;
  gtk_widget_get_allocation (empty_quarter (fixture), &words);
  return odl_viewport_has_own_window (fixture->viewport) && offers (fixture, "yes")
         && words.x + words.width
                < gtk_widget_get_width (GTK_WIDGET (fixture->viewport)) - 50;
}

// What an empty quarter says does not run through the bar of a structure tensor, or of a
// kernel whose sum is 0.
static void
test_legend (Fixture *fixture, const void *data)
{
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 500, 800);
  open_and_wait (fixture, "phantom:64x64x48");
  odl_session_set_planes (fixture->session, true);
  odl_viewport_set_rendering (fixture->viewport, "none");
  set_filters (fixture, "structure-tensor:output=certainty");
  wait_until (fixture, is_beside_the_legend, NULL);
  set_filters (fixture, "gaussian");
  wait_until (fixture, has_no_bar, NULL);
  set_filters (fixture, "convolve:shape=sobel-x");
  wait_until (fixture, is_beside_the_legend, NULL);
}

// A MetaImage of whole numbers from 0 to 599 without a unit, but every `n`-th is −1000.
static char *
write_volume (Fixture *fixture, const char *name, int n)
{
  static const char header[] = "NDims = 3\nDimSize = 16 12 8\nElementType = MET_SHORT\n"
                               "ElementByteOrderMSB = False\nElementDataFile = LOCAL\n";
  char *path = path_in (fixture, name);
  g_autoptr (GString) file = g_string_new (header);
  for (int i = 0; i < 16 * 12 * 8; i++) {
    const guint16 sample
        = GUINT16_TO_LE ((guint16) (gint16) (i % n == n - 1 ? -1000 : i % 600));
    g_string_append_len (file, (const char *) &sample, sizeof sample);
  }
  g_assert_true (g_file_set_contents (path, file->str, (gssize) file->len, NULL));
  return path;
}

// Whether its samples have been read; the first slice is shown before.
static bool
has_volume (Fixture *fixture, const void *data)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && frame->volume;
}

// Samples that could be Hounsfield units are none unless enough of them are those of air.
static void
test_what_suits (Fixture *fixture, const void *data)
{
  g_autofree char *mr = write_volume (fixture, "mr.mha", 1500);
  g_autofree char *ct = write_volume (fixture, "ct.mha", 5);
  open_and_wait (fixture, mr);
  wait_until (fixture, has_volume, NULL);
  g_assert_false (odl_viewport_suits_rendering (fixture->viewport, "ct-soft"));
  g_assert_true (odl_viewport_suits_rendering (fixture->viewport, "mr"));
  open_and_wait (fixture, ct);
  wait_until (fixture, has_volume, NULL);
  g_assert_true (odl_viewport_suits_rendering (fixture->viewport, "ct-soft"));
}

static bool
shows_planes_at (Fixture *fixture, const void *place)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && frame->planes && frame->voxel.at[2] == GPOINTER_TO_INT (place);
}

// The keys for planes and rendered views show those of the series of a slice, or say why
// there are none.
static void
test_planes_of_series (Fixture *fixture, const void *data)
{
  for (int i = 0; i < 5; i++)
    write_slice (fixture->folder, i);
  g_autofree char *path = g_build_filename (fixture->folder, "slice4.dcm", NULL);
  odl_main_window_open (fixture->window, path, NULL);
  settle (fixture);
  activate (fixture, "see-volume", "'planes'");
  wait_until (fixture, shows_planes_at, GINT_TO_POINTER (3));
  activate_and_settle (fixture, "see-volume", "'planes'");
  g_assert_false (odl_session_planes (fixture->session));

  // With a gap.
  g_autofree char *middle = g_build_filename (fixture->folder, "slice1.dcm", NULL);
  g_assert_cmpint (g_unlink (middle), ==, 0);
  odl_main_window_open (fixture->window, path, NULL);
  settle (fixture);
  activate (fixture, "see-volume", "'next-rendering'");
  wait_until (fixture, has_toast, "with dark slices for the missing ones");
  settle (fixture);
  activate (fixture, "see-volume", "'planes'");
  wait_until (fixture, has_toast, "This is no volume");
  activate (fixture, "as-volume", NULL);
  wait_until (fixture, has_toast, "1 slice is missing: a dark one takes its place");
  settle (fixture);
  activate (fixture, "see-volume", "'planes'");
  wait_until (fixture, shows_planes_at, GINT_TO_POINTER (3));
  g_assert_cmpstr (odl_image_info (odl_session_frame (fixture->session)->volume)->mark,
                   ==, "slices missing");

  g_autofree char *png = write_png (fixture, "still.png", 8, 8, false);
  open_and_wait (fixture, png);
  activate (fixture, "see-volume", "'planes'");
  wait_until (fixture, has_toast, "This is a single picture");
}

// The bar tells what the file says, also where that cannot be played.
static void
test_interval_of_hours (Fixture *fixture, const void *data)
{
  static const char header[]
      = "NDims = 4\nDimSize = 4 4 2 2\nElementSpacing = 1 1 1 2000\n"
        "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n";
  g_autofree char *path = path_in (fixture, "slow.mha");
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_byte_array_append (file, (const guint8 *) header, sizeof header - 1);
  g_byte_array_set_size (file, file->len + 64);
  g_assert_true (
      g_file_set_contents (path, (const char *) file->data, (gssize) file->len, NULL));
  open_and_wait (fixture, path);
  GtkWidget *bar = find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_TRANSPORT);
  g_assert_true (has_label (bar, "2000 s apart"));
  g_assert_false (has_label (bar, "speed not given"));
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/volumes/over-time-have-slice-and-volume", test_slice_and_volume);
  ADD ("/volumes/stand-still-and-play-over-time", test_stands_still);
  ADD ("/volumes/say-what-an-empty-quarter-can-show", test_empty_quarter);
  ADD ("/volumes/words-stand-beside-the-legend", test_legend);
  ADD ("/volumes/planes-stand-above-badge-and-words", test_above_the_badge);
  ADD ("/volumes/without-air-are-no-ct", test_what_suits);
  ADD ("/volumes/of-a-slice-are-those-of-its-series", test_planes_of_series);
  ADD ("/volumes/hours-apart-say-so-in-the-bar", test_interval_of_hours);
  return g_test_run ();
}
