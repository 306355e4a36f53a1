// SPDX-License-Identifier: MIT
// The real window in this process: waiting and inspection.
#pragma once

#include <adwaita.h>

#include "widgets/application.h"
#include "widgets/window/window.h"

G_BEGIN_DECLS

typedef struct {
  OdlApplication *application;
  OdlSettings *settings;
  OdlMainWindow *window;
  OdlSession *session;
  OdlViewport *viewport;
  char *folder; // temporary; initially empty
  char *engine; // requested engine, from ODL_TEST_ENGINE
} Fixture;

// Exits with 77 without a display; call it before adding tests.
void need_display (int *argc, char ***argv);

void fixture_set_up (Fixture *fixture, const void *data);
void fixture_tear_down (Fixture *fixture, const void *data);

// Rows of the list of sources behind the files of a folder: the phantoms, the camera.
#define ROWS_BEHIND 5

// Adds a test with the fixture.
#define ADD(path, test) \
  g_test_add (path, Fixture, NULL, fixture_set_up, test, fixture_tear_down)

// With numbers of filters as recipes have them, whatever picture is open.
void fixture_set_up_in_shares (Fixture *fixture, const void *data);
#define ADD_IN_SHARES(path, test) \
  g_test_add (path, Fixture, NULL, fixture_set_up_in_shares, test, fixture_tear_down)

typedef bool (*Condition) (Fixture *fixture, const void *data);

// Time-out for expected events: exceeded only by a hanging program, even on the
// slowest machine.
#define PATIENCE_US (600 * G_USEC_PER_SEC)

// Runs the main loop until `condition` holds; fails on time-out, and says where.
#define wait_until(fixture, condition, data) \
  wait_until_at (fixture, condition, data, #condition, G_STRLOC)
void wait_until_at (Fixture *fixture,
                    Condition condition,
                    const void *data,
                    const char *name,
                    const char *place);

// Runs the main loop until everything requested is on screen: the source is open, and
// its frame was computed with the current recipe and engine, laid out and painted.
// While playing: until a frame with the current recipe was painted.
void settle (Fixture *fixture);

// Runs the main loop for a number of layout and paint cycles.
void run_cycles (Fixture *fixture, int n);

// Runs the main loop until that many more frames of the current source were painted.
void wait_for_frames (Fixture *fixture, int n);

// Runs the main loop for a fixed time. Only to check that something does not happen.
void let_pass (int milliseconds);

// Activates an action of the window, with a parameter in GVariant text form, such as
// "1" or "'analysis'"; NULL: none.
void activate (Fixture *fixture, const char *name, const char *parameter);

// Likewise, and waits until its effect is on screen.
void activate_and_settle (Fixture *fixture, const char *name, const char *parameter);

// Likewise with the string `text`, a path for instance; NULL: no parameter.
void activate_with_text (Fixture *fixture, const char *name, const char *text);

// Writes a PNG test pattern of that size into the folder; transfer full path.
char *write_png (Fixture *fixture, const char *name, int width, int height, bool colour);

// Opens a file and waits until it is displayed.
void open_and_wait (Fixture *fixture, const char *path);

// Sets the filters in the session and waits until their result is displayed.
void set_filters (Fixture *fixture, const char *text);

// Starts a presentation with one list of filters.
void present (Fixture *fixture,
              const char *const *locations,
              const char *filters,
              double dwell_s);

// The last toast contains this text.
bool has_toast (Fixture *fixture, const void *part);

// The session's source has that location.
bool has_location (Fixture *fixture, const void *location);

// Result of `ondelette-cli process PATH OPTIONS…`; NULL-terminated options.
GdkPixbuf *cli_process (Fixture *fixture, const char *path, const char *const *options);

// Fails if a canvas pixel of the picture, which must be displayed 1:1, differs from
// `expected` by more than 1 of 255. Returns the largest difference.
void assert_canvas_shows (Fixture *fixture, GdkPixbuf *expected);

// Mean of the canvas bytes, to distinguish pictures.
double canvas_mean (Fixture *fixture);

// What is on the canvas, some cycles later; `bytes` are to be given up.
typedef struct {
  GBytes *bytes;
  const guint8 *rgba;
  int width, height;
} Canvas;

Canvas grab_canvas (Fixture *fixture);

const OdlRecipe *recipe_of (Fixture *fixture);
GtkWidget *card_of (Fixture *fixture, int item); // of that filter, which is selected
GtkWidget *row_in_chain (Fixture *fixture, int item); // its row above the cards

// Unfolds the grey levels of the panel, as somebody would.
void unfold_levels (Fixture *fixture);

// The widget with data of that key on a page of the lab bench, which is shown with that
// filter selected: of the first half, or the second one (1).
GtkWidget *in_lab (Fixture *fixture, const char *page, int item, const char *key);
GtkWidget *in_lab_half (Fixture *fixture, const char *key, int half);
GtkListView *source_list (Fixture *fixture); // of the panel of sources
char *path_in (Fixture *fixture, const char *name); // the folder; transfer full

// Whether an action of the window that is a switch is on.
bool is_on (Fixture *fixture, const void *action);

// The question that is asked, or NULL; whether there is one.
AdwMessageDialog *find_dialog (void);
bool asks (Fixture *fixture, const void *data);

// First label with that CSS class at or below `root`, or NULL.
GtkLabel *label_with_class (GtkWidget *root, const char *css_class);

// Whether a visible label below `root` contains this text.
bool has_label (GtkWidget *root, const char *part);

// The first one at or below `root`, parents before children, or NULL: that matches, of a
// type, the n-th of a type from 0, or with data of that key.
typedef bool (*WidgetMatches) (GtkWidget *widget, const void *data);
GtkWidget *find_where (GtkWidget *root, WidgetMatches matches, const void *data);
GtkWidget *find_widget (GtkWidget *root, GType type);

// The first one of that type; it is there. Borrowed.
GtkEventController *controller_of (GtkWidget *widget, GType type);
GtkWidget *find_nth (GtkWidget *root, GType type, int n);
GtkWidget *find_with (GtkWidget *root, const char *key);

// For find_where: labels, visible or not, that contain this text.
bool is_label_with (GtkWidget *widget, const void *part);

G_END_DECLS
