// SPDX-License-Identifier: MIT
// The inside of OdlMainWindow, for its own files only.
#pragma once

#include "session/reference.h"
#include "session/save/exporter.h"
#include "session/save/recorder.h"
#include "session/save/save_format.h"
#include "widgets/failure_page.h"
#include "widgets/transport/rate_meter.h"
#include "widgets/panels/source_panel.h"
#include "widgets/stay_awake.h"
#include "widgets/transport/transport.h"
#include "widgets/window/window.h"

G_BEGIN_DECLS

typedef struct _OdlShow OdlShow; // a presentation
typedef struct _OdlHome OdlHome; // what was there before it

struct _OdlMainWindow {
  AdwApplicationWindow parent_instance;
  OdlSession *session;
  OdlReference *reference; // of nothing at first
  OdlSettings *settings;

  GtkOverlay *whole;
  AdwToastOverlay *toasts;
  AdwFlap *header_flap;
  AdwFlap *sources_flap;
  AdwFlap *filters_flap;
  AdwWindowTitle *title;
  AdwSplitButton *open_button;
  GtkWidget *planes;
  GtkWidget *views;
  GtkWidget *view_menu;
  GtkWidget *diagnostics;
  GtkLabel *line;
  GtkLabel *window_line;
  OdlSourcePanel *source_panel;
  OdlFilterPanel *filter_panel;
  OdlViewport *viewport;
  AdwStatusPage *status;
  OdlFailurePage *failure_page;
  GtkWidget *opening;
  GtkLabel *opening_label;
  GtkWidget *recording;
  GtkLabel *recording_label;
  GtkWidget *exporting;
  GtkLabel *exporting_label;
  GtkProgressBar *exporting_bar;
  GtkRevealer *transport_revealer;
  OdlTransport *transport;
  GtkEventControllerMotion *transport_motion; // of its pointer
  GtkWidget *show_box; // the presentation's large numbers
  GtkLabel *show_rate;
  GtkLabel *show_work;
  GtkLabel *show_name;
  GtkLabel *show_notice;
  OdlShow *show; // NULL: nothing is presented
  OdlHome *home; // that is being opened again; NULL: none
  guint home_id;

  guint opening_id; // the spinner appears when it takes longer
  guint line_id;
  guint hide_id; // header and transport go again in full screen
  OdlStayAwake *stay_awake; // NULL: the screen saver may come
  bool full_screen;
  bool panels_shown; // there was something that they belong to
  bool sources_wanted; // before full screen
  bool filters_wanted;
  char *last_toast;
  GPtrArray *said; // AdwToast, to be seen or in line
  bool told_frame; // that one of the source in place is damaged
  char *failed; // what the page in the canvas tells of; NULL: the canvas is to be seen
  bool plays_on; // when the page is closed
  char *failed_camera; // the camera that the page tells of; NULL: it tells of a file
  bool camera_lost; // and it is the one that runs
  bool any_camera; // any camera was asked for; the next fields are what else was
  bool any_has_recipe;
  OdlRecipe any_recipe;
  OdlRecorder *recorder; // NULL: nothing is being recorded
  OdlExporter *exporter; // NULL: nothing is being exported
  bool export_range; // and not all frames
  int64_t exported_first;
  GPtrArray *unfinished; // OdlUnfinished to ask about; NULL: none
  GtkWindow *stop_question; // whether to close in the middle of an export; NULL: none
  bool ending; // closes without a question
  guint record_id; // shows how far they are
  gulong record_frames; // handler that gives frames to the recorder; 0: the canvas does
  guint64 recorded_source; // the last frame that was recorded: its source,
  guint64 recorded_arrival; // its image,
  int64_t recorded_index; // and its number
  GArray *save_formats; // OdlSaveFormat; NULL: not known yet
  bool choosing; // what to record or export into
  const char *picture_format; // that was chosen, while it is being saved; may be NULL
  bool told_first_picture;
  OdlRateMeter rate; // of painting
  int64_t latency_us; // the longest since the line was written
  int64_t told_latency_us; // what the line says
  int64_t n_frames; // of the source, as the actions know it
};

// Shows a sentence; long ones behind a button.
void odl_main_window_say (OdlMainWindow *window, const char *text);

// The same about the source in place, or about one of its frames: gone when the canvas
// shows another source.
void odl_main_window_say_of_source (OdlMainWindow *window, const char *text);
void odl_main_window_say_of_frame (OdlMainWindow *window, const char *text);
void odl_main_window_hush_source (OdlMainWindow *window);

// Puts the state of session and viewport into actions, title and line.
void odl_main_window_update_actions (OdlMainWindow *window);
void odl_main_window_update_line (OdlMainWindow *window);

void odl_main_window_update_title (OdlMainWindow *window);

// In reference.c. The words are what the line says besides; transfer full.
void odl_main_window_add_reference (OdlMainWindow *window);
char *odl_main_window_reference_words (OdlMainWindow *window, const char *others);

// In actions.c.
void odl_main_window_add_actions (OdlMainWindow *window);
void odl_main_window_add_keys (OdlMainWindow *window);

// In present.c. Without a presentation those that answer say false.
void odl_main_window_add_present_action (OdlMainWindow *window);
void odl_main_window_stop_presenting (OdlMainWindow *window);
void odl_main_window_dispose_show (OdlMainWindow *window);
void odl_main_window_present_opened (OdlMainWindow *window);
bool odl_main_window_present_failed (OdlMainWindow *window, const GError *error);
bool odl_main_window_present_step (OdlMainWindow *window, int sources);
bool odl_main_window_present_pause (OdlMainWindow *window);
bool odl_main_window_present_holds (OdlMainWindow *window); // the screen, in spite of
                                                            // what the window manager did
void odl_main_window_update_readout (OdlMainWindow *window);

// In home.c: what a presentation must not change, and back to it (transfer full),
// at once or when it has been opened again.
OdlHome *odl_main_window_leave_home (OdlMainWindow *window);
void odl_main_window_go_home (OdlMainWindow *window, OdlHome *home);
void odl_main_window_home_opened (OdlMainWindow *window);
void odl_main_window_forget_home (OdlMainWindow *window);
void odl_home_free (OdlHome *home);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlHome, odl_home_free)

// In screen.c. Panels come, if they are wanted, with the first thing that is opened.
void odl_main_window_show_panels (OdlMainWindow *window);
void odl_main_window_set_full_screen (OdlMainWindow *window, bool full_screen);
void odl_main_window_add_controllers (OdlMainWindow *window);
void odl_main_window_update_chrome (OdlMainWindow *window); // what belongs to a picture

// In page.c. A page stands in the place of the picture when something cannot be
// opened: `failed`, which is in the title and in the list then. NULL: none does.
bool odl_main_window_shows_picture (OdlMainWindow *window);
void odl_main_window_show_page (OdlMainWindow *window,
                                OdlFailureKind kind,
                                const char *location,
                                const GError *error);
void odl_main_window_set_failed (OdlMainWindow *window, const char *location);
void odl_main_window_close_page (OdlMainWindow *window, bool goes_on);
void odl_main_window_add_page_actions (OdlMainWindow *window);

// In camera.c. “webcam” means the camera of last time (transfer full).
void odl_main_window_add_camera (OdlMainWindow *window);
char *odl_main_window_resolve_camera (OdlMainWindow *window, const char *location);
void odl_main_window_remember_camera (OdlMainWindow *window);
void odl_main_window_retry_camera (OdlMainWindow *window);
// False: `location` is no camera.
bool odl_main_window_take_camera_failure (OdlMainWindow *window,
                                          const char *location,
                                          const GError *error);

// In files.c.
void odl_main_window_add_file_actions (OdlMainWindow *window);
void odl_main_window_add_drop (OdlMainWindow *window);
void odl_main_window_remember (OdlMainWindow *window, const char *location);
void odl_main_window_fill_recent (OdlMainWindow *window);
void odl_main_window_forget_recent (OdlMainWindow *window);
char *odl_main_window_menu_label (const char *name); // transfer full
// Where what is made of the picture is saved: beside it, if it is a file; else where
// files were opened. NULL: no such folder is known. Transfer full.
GFile *odl_main_window_save_folder (OdlMainWindow *window);
GtkFileChooser *odl_main_window_make_chooser (OdlMainWindow *window, // not shown yet
                                              const char *title,
                                              GtkFileChooserAction action,
                                              const char *name,
                                              void (*chosen) (OdlMainWindow *window,
                                                              GFile *file));
void odl_main_window_choose (OdlMainWindow *window,
                             const char *title,
                             GtkFileChooserAction action,
                             const char *name,
                             void (*chosen) (OdlMainWindow *window, GFile *file));

// In picture.c.
#define ODL_PICTURE_FORMAT "picture-format" // a choice of the file chooser
void odl_main_window_add_picture_actions (OdlMainWindow *window);

// In save.c: the same for a recording or an export, with what it is written as,
// and, when recording, whether it is the canvas or the frames; both are remembered. When
// exporting, `export_range` is what was chosen.
void odl_main_window_choose_save (OdlMainWindow *window,
                                  const char *title,
                                  bool recording,
                                  void (*chosen) (OdlMainWindow *window, GFile *file));

// Says so when `path` is a file that the source in place reads: then nothing is written.
bool odl_main_window_is_shown_file (OdlMainWindow *window, const char *path);

// What is remembered, and *path, the file to write (transfer full); NULL for a file that
// is not of this computer. *replace: the person has said that it may be replaced.
OdlSaveFormat odl_main_window_save_format (OdlMainWindow *window,
                                           GFile *file,
                                           char **path,
                                           bool *replace);

// A name for what is saved of the source: without its folder and ending, "-processed" if
// it is, and `ending`. Transfer full.
char *odl_main_window_save_name (OdlMainWindow *window, const char *ending);

// In record.c. The last one completes what is being recorded, and waits for it.
void odl_main_window_add_record_actions (OdlMainWindow *window);
void odl_main_window_update_record_actions (OdlMainWindow *window);
// Offers, when the window appears, what a killed program left.
void odl_main_window_add_rescue (OdlMainWindow *window);

void odl_main_window_end_recording (OdlMainWindow *window);

// Asks whether an export is to be stopped, and closes the window then. False: nothing is
// being exported.
bool odl_main_window_asks_to_stop (OdlMainWindow *window);

G_END_DECLS
