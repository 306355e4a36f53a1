// SPDX-License-Identifier: MIT
// The real window in this process, and how to wait for it and look at it.
#pragma once

#include "widgets/application.h"
#include "widgets/window/window.h"

G_BEGIN_DECLS

typedef struct {
  OdlApplication *application;
  OdlSettings *settings;
  OdlMainWindow *window;
  OdlSession *session;
  OdlViewport *viewport;
  char *folder; // empty at first, removed at the end
  char *engine; // asked for, from ODL_TEST_ENGINE
} Fixture;

// Exits with 77 where there is no display; to be called before the tests are added.
void need_display (int *argc, char ***argv);

void fixture_set_up (Fixture *fixture, const void *data);
void fixture_tear_down (Fixture *fixture, const void *data);

// Adds a test with the fixture.
#define ADD(path, test) \
  g_test_add (path, Fixture, NULL, fixture_set_up, test, fixture_tear_down)

typedef bool (*Condition) (Fixture *fixture, const void *data);

// How long a test waits for what must come: only a program that hangs needs so long, on
// the slowest machine as well.
#define PATIENCE_US (120 * G_USEC_PER_SEC)

// Runs the main loop until `condition` holds; fails when it never does.
void wait_until (Fixture *fixture, Condition condition, const void *data);

// Runs the main loop until all that was asked for is on screen: the source is open, its
// frame is that of the recipe, the engine and the canvas, and it has been laid out and
// painted. While a source plays: until a frame of the recipe has been painted.
void settle (Fixture *fixture);

// Runs the main loop until the window has been laid out and painted so many times.
void run_cycles (Fixture *fixture, int n);

// Runs the main loop until so many more frames of the source in place have been painted.
void wait_for_frames (Fixture *fixture, int n);

// Runs the main loop for so long. Only for what must not happen: what must happen is
// waited for.
void let_pass (int milliseconds);

// Activates an action of the window, with a parameter in GVariant's text form, such as
// "1" or "'analysis'"; NULL: none.
void activate (Fixture *fixture, const char *name, const char *parameter);

// And waits until what it does is on screen.
void activate_and_settle (Fixture *fixture, const char *name, const char *parameter);

// The same with `text` as it is, a path for instance; NULL: no parameter.
void activate_with_text (Fixture *fixture, const char *name, const char *text);

// Writes a PNG with a pattern of that size into the folder; transfer full path.
char *write_png (Fixture *fixture, const char *name, int width, int height, bool colour);

// Opens a file and waits until it is on the canvas.
void open_and_wait (Fixture *fixture, const char *path);

// Sets the filters through the session and waits until they are on the canvas.
void set_filters (Fixture *fixture, const char *text);

// Begins a presentation with one list of filters.
void present (Fixture *fixture,
              const char *const *locations,
              const char *filters,
              double dwell_s);

// The last thing that the window said in passing has this part.
bool has_toast (Fixture *fixture, const void *part);

// The session's source has that location.
bool has_location (Fixture *fixture, const void *location);

// What `ondelette-cli process PATH OPTIONS…` makes of the file; options end with NULL.
GdkPixbuf *cli_process (Fixture *fixture, const char *path, const char *const *options);

// Fails when a canvas pixel of the picture, which must be shown 1:1, differs from
// `expected` by more than 1 of 255. Gives the largest difference.
void assert_canvas_shows (Fixture *fixture, GdkPixbuf *expected);

// Mean of the canvas bytes, for telling pictures apart.
double canvas_mean (Fixture *fixture);

// First label of that class among `root` and its descendants, or NULL.
GtkLabel *label_with_class (GtkWidget *root, const char *css_class);

// Whether a label inside `root` that can be seen has this part.
bool has_label (GtkWidget *root, const char *part);

// First descendant of that type, or NULL.
GtkWidget *find_widget (GtkWidget *root, GType type);

G_END_DECLS
