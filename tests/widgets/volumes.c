// SPDX-License-Identifier: MIT
// What the window says about a volume and offers for it, in the real window.
#include <string.h>

#include "support/support.h"
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

// Samples that could be Hounsfield units are none unless enough of them are those of air.
static void
test_what_suits (Fixture *fixture, const void *data)
{
  g_autofree char *mr = write_volume (fixture, "mr.mha", 1500);
  g_autofree char *ct = write_volume (fixture, "ct.mha", 5);
  open_and_wait (fixture, mr);
  g_assert_false (odl_viewport_suits_rendering (fixture->viewport, "ct-soft"));
  g_assert_true (odl_viewport_suits_rendering (fixture->viewport, "mr"));
  open_and_wait (fixture, ct);
  g_assert_true (odl_viewport_suits_rendering (fixture->viewport, "ct-soft"));
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/volumes/over-time-have-slice-and-volume", test_slice_and_volume);
  ADD ("/volumes/stand-still-and-play-over-time", test_stands_still);
  ADD ("/volumes/say-what-an-empty-quarter-can-show", test_empty_quarter);
  ADD ("/volumes/without-air-are-no-ct", test_what_suits);
  return g_test_run ();
}
