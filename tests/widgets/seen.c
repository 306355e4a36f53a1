// SPDX-License-Identifier: MIT
// What stands beside a picture is about the one that is seen: number and pause, sides of
// a patient, gaps between slices. Pictures say their number by their grey.
#include "support/annotating.h"
#include "support/panes.h"
#include "support/patient.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/source/dicom_writer.h"

#include "widgets/transport/seek_bar.h"
#include "widgets/transport/transport.h"
#include "widgets/viewport/private.h"
#include "widgets/window/parts.h"

#define SIDE 48
#define FRAMES 100
#define STEP 2 // in grey, from frame to frame

// Frame i is of grey STEP · i.
static char *
write_cine (Fixture *fixture)
{
  g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
  char *path = path_in (fixture, "cine.dcm");
  guint8 frame[SIDE * SIDE];

  odl_dicom_put_text (file, 0x00080018, "UI", "1.2.3");
  odl_dicom_put_text (file, 0x00080060, "CS", "US");
  odl_dicom_put_text (file, 0x00100010, "PN", "Alpha^Erika");
  odl_dicom_put_text (file, 0x00181063, "DS", "20");
  odl_dicom_put_short (file, 0x00280002, 1);
  odl_dicom_put_text (file, 0x00280004, "CS", "MONOCHROME2");
  odl_dicom_put_text (file, 0x00280008, "IS", "100");
  odl_dicom_put_bytes_of (file, SIDE, SIDE);
  odl_dicom_put_text (file, 0x00281050, "DS", "128");
  odl_dicom_put_text (file, 0x00281051, "DS", "256");
  odl_dicom_put_text (file, 0x00282110, "CS", "01");
  odl_dicom_put_head (file, 0x7fe00010, "OB", FRAMES * sizeof frame);
  for (int i = 0; i < FRAMES; i++) {
    memset (frame, STEP * i, sizeof frame);
    g_byte_array_append (file, frame, sizeof frame);
  }
  g_assert_true (
      g_file_set_contents (path, (const char *) file->data, (gssize) file->len, NULL));
  return path;
}

// ---- number and pause ----------------------------------------------------------------

typedef struct {
  Fixture *fixture;
  int n_seen, last; // paintings; the number that the last picture said
} Seen;

static int
number_behind (const char *text, const char *word)
{
  const char *at = strstr (text, word);
  return at ? atoi (at + strlen (word)) : -1;
}

// What the pixels on the sheet say.
static int
painted_number (Fixture *fixture)
{
  int width, height;
  g_autoptr (GBytes) bytes = odl_viewport_grab (fixture->viewport, &width, &height);
  if (!bytes)
    return -1;
  const guint8 *rgba = g_bytes_get_data (bytes, NULL);
  return (int) lround (rgba[4 * ((size_t) height / 2 * width + width / 2)]
                       / (double) STEP)
         + 1;
}

// All of it goes to the screen at once.
static void
after_paint_cb (GdkFrameClock *clock, Seen *seen)
{
  Fixture *fixture = seen->fixture;
  GtkWidget *bar = find_widget (GTK_WIDGET (fixture->window), ODL_TYPE_TRANSPORT);
  const char *corner = gtk_label_get_text (fixture->viewport->corners.lower);
  const int painted = painted_number (fixture);
  const int told = number_behind (corner, "Frame ");
  if (painted < 0 || told < 0)
    return;
  GtkWidget *entry = find_widget (bar, GTK_TYPE_ENTRY);
  GtkWidget *slider = find_widget (bar, ODL_TYPE_SEEK_BAR);
  g_assert_cmpint (told, ==, painted);
  g_assert_cmpint (atoi (gtk_editable_get_text (GTK_EDITABLE (entry))), ==, painted);
  g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (slider)), ==, painted - 1);
  seen->n_seen += painted != seen->last;
  seen->last = painted;
}

static bool
has_seen (Fixture *fixture, const void *data)
{
  return ((const Seen *) data)->n_seen >= 8;
}

static bool
rests (Fixture *fixture, const void *data)
{
  return !odl_session_playing (fixture->session);
}

// Pictures that wait when somebody pauses are not shown any more, and playing goes on
// with the one after that which is seen.
static void
check_pause (Fixture *fixture, Seen *seen)
{
  wait_until (fixture, has_seen, seen);
  const int number = seen->last;
  g_usleep (G_USEC_PER_SEC / 2); // the player goes on, and nobody takes its frames
  activate (fixture, "play", NULL);
  g_assert_true (rests (fixture, NULL));
  settle (fixture);
  run_cycles (fixture, 5);
  g_assert_cmpint (painted_number (fixture), ==, number);
  g_assert_cmpint (seen->last, ==, number);
  OdlPlayback *playback = odl_session_playback (fixture->session);
  g_assert_cmpint (odl_playback_position (playback), ==, number - 1);
  activate_and_settle (fixture, "step-frame", "1");
  g_assert_cmpint (painted_number (fixture), ==, number % FRAMES + 1);
}

static void
test_number (Fixture *fixture, const void *data)
{
  static const char *const filters[] = { "", "median:size=9" };
  g_autofree char *path = write_cine (fixture);
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (fixture->viewport));
  Seen seen = { .fixture = fixture };
  open_and_wait (fixture, path);
  g_signal_connect (clock, "after-paint", G_CALLBACK (after_paint_cb), &seen);
  for (size_t i = 0; i < G_N_ELEMENTS (filters); i++) {
    odl_session_set_playing (fixture->session, false);
    set_filters (fixture, filters[i]);
    seen.n_seen = 0;
    odl_session_set_playing (fixture->session, true);
    check_pause (fixture, &seen);
  }
  g_signal_handlers_disconnect_by_data (clock, &seen);
}

// ---- sides ---------------------------------------------------------------------------

#define VOLUME 24

// Axial slices with one bright spot, at the patient's left, front and head.
static void
write_spot (Fixture *fixture)
{
  for (int z = 0; z < VOLUME; z++) {
    g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
    g_autofree char *uid = g_strdup_printf ("1.2.3.%d", z + 1);
    g_autofree char *position = g_strdup_printf ("0\\0\\%d", z);
    g_autofree char *name = g_strdup_printf ("spot%02d.dcm", z);
    g_autofree char *path = path_in (fixture, name);
    guint8 slice[VOLUME * VOLUME] = { 0 };
    odl_dicom_put_text (file, 0x00080018, "UI", uid);
    odl_dicom_put_text (file, 0x0020000e, "UI", "1.2.3");
    odl_dicom_put_text (file, 0x00200032, "DS", position);
    odl_dicom_put_text (file, 0x00200037, "DS", "1\\0\\0\\0\\1\\0");
    odl_dicom_put_short (file, 0x00280002, 1);
    odl_dicom_put_text (file, 0x00280004, "CS", "MONOCHROME2");
    odl_dicom_put_bytes_of (file, VOLUME, VOLUME);
    odl_dicom_put_text (file, 0x00280030, "DS", "1\\1");
    odl_dicom_put_head (file, 0x7fe00010, "OB", sizeof slice);
    for (int i = 0; z > VOLUME - 5 && i < 16; i++)
      slice[(1 + i / 4) * VOLUME + VOLUME - 5 + i % 4] = 255;
    g_byte_array_append (file, slice, sizeof slice);
    g_assert_true (
        g_file_set_contents (path, (const char *) file->data, (gssize) file->len, NULL));
  }
}

static bool
has_body (Fixture *fixture, const void *data)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && frame->planes && frame->body;
}

// From the middle of the rendered view to the spot, as it is drawn.
static OdlPoint
find_spot (const OdlRenderScene *scene)
{
  const OdlRenderPlace *place = &scene->place;
  const int width = place->x + place->width, height = place->y + place->height;
  g_autofree uint8_t *rgba = g_malloc0 ((size_t) width * height * 4);
  double x = 0, y = 0, n = 0;
  odl_render_draw (scene, width, height, false, rgba);
  for (int row = place->y; row < height; row++)
    for (int column = place->x; column < width; column++)
      if (rgba[4 * ((size_t) row * width + column)] > 100) {
        x += column;
        y += row;
        n++;
      }
  g_assert_cmpfloat (n, >, 0);
  return (OdlPoint){ x / n - place->x - place->width / 2.0,
                     y / n - place->y - place->height / 2.0 };
}

static bool
leads_to_spot (const char *letters)
{
  return strpbrk (letters, "LAH") != NULL;
}

// From wherever it is looked at, the spot lies on the sides that have letters of its
// place, as far as it is not in the middle.
static void
test_letters_turn (Fixture *fixture, const void *data)
{
  static const struct {
    double yaw, pitch;
    const char *right, *top;
  } looks[] = { { 0, 0, "L", "H" },   { 90, 0, "A", "H" }, { 180, 0, "R", "H" },
                { -90, 0, "P", "H" }, { 0, 90, "L", "P" }, { 0, -90, "L", "A" },
                { 45, 0, "L", "H" } };
  OdlViewport *viewport = fixture->viewport;
  write_spot (fixture);
  g_autofree char *path = path_in (fixture, "spot00.dcm");
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1000, 800);
  open_and_wait (fixture, path);
  activate (fixture, "see-volume", "'planes'");
  odl_viewport_set_rendering (viewport, "maximum");
  wait_until (fixture, has_body, NULL);
  settle (fixture);
  const int width = gtk_widget_get_width (GTK_WIDGET (viewport));
  const int height = gtk_widget_get_height (GTK_WIDGET (viewport));
  const OdlFrame *frame = odl_session_frame (fixture->session);
  for (size_t i = 0; i < G_N_ELEMENTS (looks); i++) {
    OdlRenderScene scene;
    OdlPlaneLetters all[ODL_N_PLANES + 1];
    viewport->rendering.look = (OdlLook){ .yaw = looks[i].yaw, .pitch = looks[i].pitch };
    g_assert_true (odl_viewport_render_scene (viewport, frame, &viewport->view, width,
                                              height, &scene));
    g_assert_cmpint (odl_viewport_plane_letters (viewport, frame, &scene, &viewport->view,
                                                 width, height, all),
                     ==, ODL_N_PLANES + 1);
    const OdlLetters *letters = &all[ODL_N_PLANES].letters;
    g_test_message ("%g, %g: left %s, right %s, top %s, bottom %s", looks[i].yaw,
                    looks[i].pitch, (*letters)[ODL_EDGE_LEFT], (*letters)[ODL_EDGE_RIGHT],
                    (*letters)[ODL_EDGE_TOP], (*letters)[ODL_EDGE_BOTTOM]);
    g_assert_cmpint ((*letters)[ODL_EDGE_RIGHT][0], ==, looks[i].right[0]);
    g_assert_cmpint ((*letters)[ODL_EDGE_TOP][0], ==, looks[i].top[0]);
    const OdlPoint spot = find_spot (&scene);
    if (strlen ((*letters)[ODL_EDGE_RIGHT]) == 1)
      g_assert_true (leads_to_spot ((*letters)[ODL_EDGE_RIGHT]) == (spot.x > 0));
    g_assert_true (leads_to_spot ((*letters)[ODL_EDGE_TOP]) == (spot.y < 0));
  }
}

// ---- gaps ----------------------------------------------------------------------------

static void
write_at (Fixture *fixture, int number, double z)
{
  g_autoptr (GByteArray) file = odl_dicom_begin (ODL_DICOM_LE);
  g_autofree char *uid = g_strdup_printf ("1.2.4.%d", number);
  g_autofree char *position = g_strdup_printf ("0\\0\\%g", z);
  g_autofree char *name = g_strdup_printf ("at%02d.dcm", number);
  g_autofree char *digits = g_strdup_printf ("%d", number);
  g_autofree char *path = path_in (fixture, name);
  guint8 slice[64] = { 0 };

  odl_dicom_put_text (file, 0x00080018, "UI", uid);
  odl_dicom_put_text (file, 0x00080060, "CS", "CT");
  odl_dicom_put_text (file, 0x0020000e, "UI", "1.2.4");
  odl_dicom_put_text (file, 0x00200013, "IS", digits);
  odl_dicom_put_text (file, 0x00200032, "DS", position);
  odl_dicom_put_text (file, 0x00200037, "DS", "1\\0\\0\\0\\1\\0");
  odl_dicom_put_short (file, 0x00280002, 1);
  odl_dicom_put_text (file, 0x00280004, "CS", "MONOCHROME2");
  odl_dicom_put_bytes_of (file, 8, 8);
  odl_dicom_put_head (file, 0x7fe00010, "OB", sizeof slice);
  g_byte_array_append (file, slice, sizeof slice);
  g_assert_true (
      g_file_set_contents (path, (const char *) file->data, (gssize) file->len, NULL));
}

static bool
shows_slice (Fixture *fixture, const void *index)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && frame->index == GPOINTER_TO_INT (index)
         && fixture->viewport->painted_frame == frame;
}

// Long after the toast has gone: on the slices beside a gap, and on no other.
static void
test_gaps_stay (Fixture *fixture, const void *data)
{
  static const double places[] = { 0, 2, 4, 12, 14, 16, 21, 26, 31 };
  static const char *const marks[G_N_ELEMENTS (places)]
      = { NULL, NULL, "8.0 mm AFTER", "8.0 mm BEFORE", NULL, "5.0 mm AFTER", NULL,
          NULL, NULL };
  for (size_t i = 0; i < G_N_ELEMENTS (places); i++)
    write_at (fixture, (int) i + 1, places[i]);
  g_autofree char *path = path_in (fixture, "at01.dcm");
  open_and_wait (fixture, path);
  activate (fixture, "see-volume", "'planes'"); // which it has none of: the stack comes
  settle (fixture);
  for (int i = 0; i < (int) G_N_ELEMENTS (places); i++) {
    odl_playback_seek (odl_session_playback (fixture->session), i);
    wait_until (fixture, shows_slice, GINT_TO_POINTER (i));
    run_cycles (fixture, 2);
    const char *badge = fixture->viewport->badge.key ? fixture->viewport->badge.key : "";
    g_test_message ("slice %d: %s", i, badge);
    g_assert_true ((strstr (badge, "mm BEFORE") != NULL) == (marks[i] != NULL));
    g_assert_true (!marks[i] || strstr (badge, marks[i]));
    double around[2];
    g_assert_true (odl_session_is_uneven (fixture->session, i, around)
                   == (marks[i] != NULL));
  }
}

// ---- what is hidden or not asked for -------------------------------------------------

static void
test_search_forgets (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 80);
  const OdlWindowParts *parts = odl_main_window_parts (fixture->window);
  open_and_wait (fixture, path);
  activate (fixture, "search-sources", NULL);
  GtkWidget *panel = GTK_WIDGET (parts->source_panel);
  GtkWidget *entry = find_widget (panel, GTK_TYPE_SEARCH_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (entry), "Erika");
  g_signal_emit_by_name (entry, "search-changed");
  g_assert_nonnull (find_where (panel, is_label_with, "Erika"));
  activate (fixture, "mask-names", NULL);
  run_cycles (fixture, 3);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "");
  g_assert_null (find_where (panel, is_label_with, "Erika"));
  g_assert_false (gtk_search_bar_get_search_mode (
      GTK_SEARCH_BAR (find_widget (panel, GTK_TYPE_SEARCH_BAR))));
}

// ---- the pointer ---------------------------------------------------------------------

static char *
pointed (Fixture *fixture)
{
  OdlPoint pixel;
  return odl_viewport_probe (fixture->viewport, &pixel);
}

// The list at the left goes, and the picture moves below a pointer that rests: the value
// is that of a pointer which has just come to the same place of the window.
static void
test_pointer_stays (Fixture *fixture, const void *data)
{
  GtkWidget *canvas = GTK_WIDGET (fixture->viewport);
  GtkWidget *window = GTK_WIDGET (fixture->window);
  g_autofree char *path = write_png (fixture, "a.png", 320, 240, false);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1000, 800);
  open_and_wait (fixture, path);
  activate_and_settle (fixture, "show-sources", NULL);
  const int width = gtk_widget_get_width (canvas);
  double x = width / 2.0, y = gtk_widget_get_height (canvas) / 2.0;
  odl_viewport_move_pointer (fixture->viewport, true, x, y);
  g_assert_true (gtk_widget_translate_coordinates (canvas, window, x, y, &x, &y));
  g_autofree char *before = pointed (fixture);
  activate_and_settle (fixture, "show-sources", NULL);
  g_assert_cmpint (gtk_widget_get_width (canvas), !=, width);
  g_autofree char *after = pointed (fixture);
  g_assert_true (gtk_widget_translate_coordinates (window, canvas, x, y, &x, &y));
  odl_viewport_move_pointer (fixture->viewport, true, x, y);
  g_autofree char *wanted = pointed (fixture);
  g_test_message ("%s, then %s", before, after);
  g_assert_nonnull (before);
  g_assert_nonnull (wanted);
  g_assert_cmpstr (after, ==, wanted);
  g_assert_cmpstr (after, !=, before);
}

static GBytes *
saved_picture (Fixture *fixture)
{
  GError *error = NULL;
  g_autoptr (GdkTexture) texture
      = odl_viewport_render_picture (fixture->viewport, &error);
  g_assert_no_error (error);
  const gsize stride = 4 * (gsize) gdk_texture_get_width (texture);
  const gsize size = stride * (gsize) gdk_texture_get_height (texture);
  guchar *pixels = g_malloc (size);
  gdk_texture_download (texture, pixels, stride);
  return g_bytes_new_take (pixels, size);
}

// Wherever the pointer lies, a saved picture is the same, unless it is to show that.
static void
test_pointer_is_not_saved (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_png (fixture, "a.png", 320, 240, false);
  open_and_wait (fixture, path);
  g_autoptr (GBytes) without = saved_picture (fixture);
  odl_viewport_move_pointer (fixture->viewport, true,
                             gtk_widget_get_width (GTK_WIDGET (fixture->viewport)) / 2.0,
                             gtk_widget_get_height (GTK_WIDGET (fixture->viewport))
                                 / 2.0);
  OdlPoint pixel;
  g_autofree char *value = odl_viewport_probe (fixture->viewport, &pixel);
  g_assert_nonnull (value);
  g_autoptr (GBytes) with = saved_picture (fixture);
  g_assert_true (g_bytes_equal (without, with));
  activate (fixture, "save-values", NULL);
  g_autoptr (GBytes) asked = saved_picture (fixture);
  g_assert_false (g_bytes_equal (without, asked));
}

// To the right as it is seen, also of a picture that is mirrored.
static void
test_right_is_right (Fixture *fixture, const void *data)
{
  GtkWidget *canvas = GTK_WIDGET (fixture->viewport);
  g_autofree char *path = write_png (fixture, "a.png", 320, 240, false);
  open_and_wait (fixture, path);
  for (int flips = 0; flips < 8; flips++) {
    activate_and_settle (fixture, "flip", flips % 2 ? "true" : "false");
    const double x = gtk_widget_get_width (canvas) / 2.0;
    const double y = gtk_widget_get_height (canvas) / 2.0;
    const OdlPoint before = on_widget (fixture, 160, 0);
    activate_and_settle (fixture, "rotate", "1");
    const OdlPoint after = on_widget (fixture, 160, 0);
    // What was above is to the right of the middle, what was to the right below it.
    g_assert_true ((y - before.y > 1) == (after.x - x > 1));
    g_assert_true ((before.x - x > 1) == (after.y - y > 1));
  }
}

// Marks say of which side of the patient, or of which quality, a picture is, also while
// its filters are at work or it is exported, which is told in the same place. (The box of
// filters would be hidden again by their clock, since none are at work.)
static void
test_progress_is_beside_marks (Fixture *fixture, const void *data)
{
  GtkWidget *window = GTK_WIDGET (fixture->window);
  GtkWidget *box = odl_window_child (parts_of (fixture), "exporting");
  GtkWidget *marks = GTK_WIDGET (fixture->viewport->corners.marks);
  graphene_rect_t at, taken;
  g_autofree char *path = write_cine (fixture);
  open_and_wait (fixture, path);
  odl_session_set_playing (fixture->session, false);
  activate_and_settle (fixture, "wipe", NULL); // whose words move the marks down
  gtk_widget_set_visible (box, TRUE);
  settle (fixture);
  g_assert_true (gtk_widget_get_mapped (box) && gtk_widget_get_mapped (marks));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (marks)), !=, "");
  g_assert_true (gtk_widget_compute_bounds (box, window, &at));
  g_assert_true (gtk_widget_compute_bounds (marks, window, &taken));
  g_assert_false (graphene_rect_intersection (&at, &taken, NULL));
}

static bool
has_planes (Fixture *fixture, const void *data)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && frame->planes;
}

// Whichever way the numbers of a series run through the patient, the next slice is the
// next number, in planes as in the stack, and the handle of the bar goes to the right.
static void
test_next_is_next (Fixture *fixture, const void *way)
{
  for (int i = 0; i < 8; i++)
    write_at (fixture, i + 1, (GPOINTER_TO_INT (way)) * 5.0 * i);
  g_autofree char *path = path_in (fixture, "at01.dcm");
  open_and_wait (fixture, path);
  activate (fixture, "see-volume", "'planes'");
  wait_until (fixture, has_planes, NULL);
  const int slice = odl_session_voxel (fixture->session).at[2];
  activate_and_settle (fixture, "step-frame", "1");
  g_assert_cmpint (odl_session_voxel (fixture->session).at[2], ==, slice + 1);
  activate_and_settle (fixture, "step-frame", "-2");
  g_assert_cmpint (odl_session_voxel (fixture->session).at[2], ==, slice - 1);
}

// ---- toasts, recent files ------------------------------------------------------------

static bool
is_toast_mapped (Fixture *fixture, const void *part)
{
  GtkWidget *label = find_where (GTK_WIDGET (fixture->window), is_label_with, part);
  return label && gtk_widget_get_mapped (label) && gtk_widget_get_width (label) > 1;
}

// What the pointer would press there.
static GtkWidget *
under_pointer (Fixture *fixture, GtkWidget *at)
{
  GtkWidget *window = GTK_WIDGET (fixture->window);
  graphene_rect_t bounds;
  g_assert_true (gtk_widget_compute_bounds (at, window, &bounds));
  return gtk_widget_pick (window, bounds.origin.x + bounds.size.width / 2,
                          bounds.origin.y + bounds.size.height / 2, GTK_PICK_DEFAULT);
}

static bool
is_clear_of_words (Fixture *fixture, const void *toast)
{
  GtkWidget *const words[]
      = { GTK_WIDGET (fixture->viewport->corners.bar),
          GTK_WIDGET (fixture->viewport->corners.edges[ODL_EDGE_BOTTOM]) };
  graphene_rect_t place, other;
  if (!gtk_widget_compute_bounds ((GtkWidget *) toast, GTK_WIDGET (fixture->window),
                                  &place))
    return false;
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    if (!gtk_widget_get_mapped (words[i])
        || !gtk_widget_compute_bounds (words[i], GTK_WIDGET (fixture->window), &other)
        || graphene_rect_intersection (&place, &other, NULL))
      return false;
  return true;
}

// It covers neither the scale nor the letter below, and a drag goes through it.
static void
test_toasts_are_in_nobodys_way (Fixture *fixture, const void *data)
{
  static const char text[] = "Something that is said for a while";
  g_autofree char *path = write_patient (fixture, "Ct", "1\\0\\0\\0\\1\\0", 100);
  const OdlWindowParts *parts = odl_main_window_parts (fixture->window);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1000, 700);
  open_and_wait (fixture, path);
  odl_messages_say (parts->messages, text);
  wait_until (fixture, is_toast_mapped, text);
  GtkWidget *label = find_where (GTK_WIDGET (fixture->window), is_label_with, text);
  wait_until (fixture, is_clear_of_words, gtk_widget_get_parent (label));
  GtkWidget *pressed = under_pointer (fixture, label);
  g_assert_true (pressed == GTK_WIDGET (fixture->viewport)
                 || gtk_widget_is_ancestor (pressed, GTK_WIDGET (fixture->viewport)));
  GtkWidget *close = find_widget (gtk_widget_get_ancestor (label, ADW_TYPE_TOAST_OVERLAY),
                                  GTK_TYPE_BUTTON);
  while (close && !gtk_widget_get_mapped (close))
    close = gtk_widget_get_next_sibling (close);
  pressed = under_pointer (fixture, close);
  g_assert_true (pressed == close || gtk_widget_is_ancestor (pressed, close));
}

// Two files of one name in two folders, of two patients: by patient, study and series; a
// file that says none of it by its name and folder; a series once.
static void
test_recent_files_differ (Fixture *fixture, const void *data)
{
  static const char *const folders[] = { "one", "two" };
  const OdlWindowParts *parts = odl_main_window_parts (fixture->window);
  odl_settings_set_boolean (fixture->settings, "remember-recent", TRUE);
  for (size_t i = 0; i < G_N_ELEMENTS (folders); i++) {
    g_autofree char *written
        = write_patient (fixture, i ? "Beta" : "Alpha", "1\\0\\0\\0\\1\\0", 80);
    g_autofree char *folder = path_in (fixture, folders[i]);
    g_autofree char *path = g_build_filename (folder, "IM0001", NULL);
    g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
    g_assert_cmpint (g_rename (written, path), ==, 0);
    open_and_wait (fixture, path);
  }
  GMenuModel *menu
      = adw_split_button_get_menu_model (odl_window_child (parts, "open_button"));
  g_autoptr (GMenuModel) recent
      = g_menu_model_get_item_link (menu, 0, G_MENU_LINK_SECTION);
  for (int i = 0; i < 2; i++) {
    g_autofree char *label = NULL;
    g_assert_true (g_menu_model_get_item_attribute (recent, 1 - i, "label", "s", &label));
    g_test_message ("%s", label);
    g_assert_cmpstr (label, ==,
                     i ? "Beta, Erika · 2024-01-31 · MR · Series 3 · Schädel"
                       : "Alpha, Erika · 2024-01-31 · MR · Series 3 · Schädel");
  }
  g_autofree char *second = path_in (fixture, "one/IM0002");
  g_autofree char *written = write_patient (fixture, "Alpha", "1\\0\\0\\0\\1\\0", 80);
  g_assert_cmpint (g_rename (written, second), ==, 0);
  open_and_wait (fixture, second);
  g_autofree char *png = write_png (fixture, "p.png", 40, 30, false);
  open_and_wait (fixture, png);
  menu = adw_split_button_get_menu_model (odl_window_child (parts, "open_button"));
  g_autoptr (GMenuModel) more = g_menu_model_get_item_link (menu, 0, G_MENU_LINK_SECTION);
  g_assert_cmpint (g_menu_model_get_n_items (more), ==, 3);
  g_autofree char *of_file = NULL;
  g_assert_true (g_menu_model_get_item_attribute (more, 0, "label", "s", &of_file));
  g_assert_true (g_str_has_prefix (of_file, "p.png — "));
  odl_files_forget_recent (parts->files);
}

static bool
shows_last (Fixture *fixture, const void *data)
{
  const OdlFrame *frame = odl_session_frame (fixture->session);
  return frame && frame->index == FRAMES - 1;
}

static void
test_end (Fixture *fixture, const void *data)
{
  g_autofree char *path = write_cine (fixture);
  open_and_wait (fixture, path);
  odl_session_set_playing (fixture->session, false);
  activate (fixture, "last-frame", NULL);
  wait_until (fixture, shows_last, NULL);
}

int
main (int argc, char **argv)
{
  need_display (&argc, &argv);
  ADD ("/seen/number-and-pause-are-of-the-picture", test_number);
  ADD ("/seen/letters-of-a-rendered-view-turn-with-it", test_letters_turn);
  ADD ("/seen/gaps-stay-marked", test_gaps_stay);
  ADD ("/seen/hidden-names-are-not-looked-for", test_search_forgets);
  ADD ("/seen/a-saved-picture-has-no-pointer", test_pointer_is_not_saved);
  ADD ("/seen/the-pointer-stays-where-it-is", test_pointer_stays);
  g_test_add ("/seen/next-is-next/feet-first", Fixture, GINT_TO_POINTER (1),
              fixture_set_up, test_next_is_next, fixture_tear_down);
  g_test_add ("/seen/next-is-next/head-first", Fixture, GINT_TO_POINTER (-1),
              fixture_set_up, test_next_is_next, fixture_tear_down);
  ADD ("/seen/right-is-right", test_right_is_right);
  ADD ("/seen/progress-is-beside-marks", test_progress_is_beside_marks);
  ADD ("/seen/toasts-are-in-nobodys-way", test_toasts_are_in_nobodys_way);
  ADD ("/seen/recent-files-say-whose-they-are", test_recent_files_differ);
  ADD ("/seen/end-reaches-the-last-frame", test_end);
  return g_test_run ();
}
