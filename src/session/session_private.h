// SPDX-License-Identifier: MIT
// The inside of OdlSession, for its own files only. They stand in the order in which they
// use each other, from session_state.c, which uses none, to session.c, which makes and
// ends them all: none calls a later one, but marks what it is to do (OdlMark).
#pragma once

#include "engine/takes.h"
#include "session/job.h"
#include "session/player/pace.h"
#include "session/render/renderer.h"
#include "session/session.h"

// Each is private to its file.
typedef struct _OdlOpening OdlOpening; // session_open.c
typedef struct _OdlAbout OdlAbout; // session_about.c
typedef struct _OdlCineSearch OdlCineSearch; // session_lead_in.c
typedef struct _OdlEngineSelector OdlEngineSelector; // session_engine.c
typedef struct _OdlLag OdlLag; // session_lag.c
typedef struct _OdlLeadIn OdlLeadIn; // session_lead_in.c
typedef struct _OdlOperandReader OdlOperandReader; // session_operands.c
typedef struct _OdlOwnTrial OdlOwnTrial; // own_code.c
typedef struct _OdlVolumeReader OdlVolumeReader; // volume_reader.h

// What has changed since the session settled.
typedef enum {
  ODL_MARK_PICTURE = 1 << 0, // what is to be shown
  ODL_MARK_MEASURED = 1 << 1, // what values wait for can be measured
  ODL_MARK_LEAD_IN = 1 << 2, // frames of a lead-in may have been read
  ODL_MARK_OPERANDS = 1 << 3, // second pictures were read, or could not be
} OdlMark;

struct _OdlSession {
  GObject parent_instance;
  unsigned marks; // OdlMark, set and not settled yet
  GSource *settler; // which settles when something is marked
  bool settles; // is at it
  OdlGate *gate; // of all jobs
  OdlOpening *opening;
  OdlEngineSelector *engines;
  OdlAbout *about;
  OdlCineSearch *cine;
  OdlLag *lag;
  OdlLeadIn *lead_in;
  OdlOperandReader *operand_reader;
  OdlOwnTrial *own_trial;
  OdlVolumeReader *volume_reader;
  OdlPlayback *playback;
  OdlRenderer *renderer;

  OdlSource *source; // NULL: none
  guint64 source_serial;
  bool playing;
  GError *trouble; // of a capture; NULL: there are frames

  OdlSlicePlaces *places; // of the source; NULL: none, or …
  bool read_places; // … nobody asked yet

  OdlImage *image; // the latest frame of the source
  int64_t index;
  int64_t arrived_us; // monotonic time at which `image` came
  int64_t due_us; // and at which it was due
  bool asked; // `image` came because of a seek
  guint64 arrival; // number of `image`, as they came …
  guint64 n_arrived; // … of so many
  guint64 dropped; // before `image`, see OdlPlayed
  OdlTakes takes;
  uint64_t last_take; // the greatest take number so far
  OdlMoment moment; // of `image`; serial 0: not determined yet
  bool continues; // `image` follows the previous one, directly or after dropped frames

  OdlHistory history;
  char *identity; // of the source, see annotation_store.h; NULL: none, or a capture
  GHashTable *annotated; // OdlAnnotations of the holders before, by identity; may be NULL
  struct {
    guint64 serial; // source whose folder was looked through; 0: none yet
    GHashTable
        *others; // that key objects there name (odl_keys_find); NULL: not found yet
    GCancellable *search;
  } keys; // session_keys.c
  OdlAnnotations *held; // those of the source that all holders have by now
  bool stores_annotations;
  bool keep_recipe;
  bool keeps_to_regions; // of ultrasound
  OdlPlan *plan; // of the recipe and the geometry of `image`
  OdlRecipe planned;
  bool prices_matter; // for it
  bool has_other; // session_render.c
  OdlOther other;
  OdlPlan *other_plan; // NULL: none yet
  OdlPlan *other_plan_of; // the plan that it was made beside
  bool other_plan_of_volume; // and whether a volume was used
  bool other_failed; // which was said
  OdlEngineChoice ran; // the engine of the last frame that was to be shown
  bool ran_in_canvas; // and who ran it
  OdlPlan *observed_plan; // of the numbers that were observed last
  float *observed;

  OdlGlLevel gl_level;
  int gl_max_side;
  bool want_original;
  bool told_too_large;
  OdlImagePool *pool; // of the canvas; NULL: it has none
  OdlFrame *frame; // to be shown
  OdlFrame *next; // waits until `frame` has been painted; NULL: none
  GSource *next_source; // to show it
  GSource *late_source; // to show the picture as it came, should its result be late
  OdlFrame *painted; // the last one that was painted; NULL: none
  guint64 asked_arrival; // of the last image that came because of a seek
  // What came after the image at which playing was paused, up to this one, is not shown.
  guint64 held_arrival, held_until;
  guint64 painted_arrival; // of the last image that was painted
  int64_t painted_index; // likewise; −1: none
  guint64 n_painted, n_unseen; // images that were painted, and that were not
  GSource *turn_source; // to tell the player that a frame is finished
  OdlPace pace; // of the painted frames
};

// ---- session_state.c: what others use, and which uses none of them ------------------

// Setters, and what comes from threads, mark what has changed and return; the session
// settles when the main loop comes to it.
void odl_session_mark (OdlSession *session, OdlMark mark);
bool odl_session_unmark (OdlSession *session, OdlMark mark); // whether it was marked
// Takes ownership of `frame`, makes it the one to show and emits frame-ready.
void odl_session_show (OdlSession *session, OdlFrame *frame);
// Emits a message.
void odl_session_say (OdlSession *session, const char *text);
// The same with the detail "refused": why filters were not taken, which no longer matters
// once others are.
void odl_session_refuse (OdlSession *session, const char *text);
// Whether what counts over frames has to be looked for in some that are not shown.
bool odl_session_has_cine (OdlSession *session);
// How far the frames that follow each other in time stand apart: the slices of a volume
// over time, else 1.
int odl_session_time_step (OdlSession *session);
// The moment of the next frame, either shown or of a lead-in.
OdlMoment odl_session_next_moment (OdlSession *session,
                                   OdlTakes *takes,
                                   OdlImage *image,
                                   bool continues,
                                   bool finds_cuts);

// ---- session_annotations.c, session_keys.c ------------------------------------------

// Gives all holders what they hold of those of the source in place, stored too if that is
// wanted.
void odl_session_keep_annotations (OdlSession *session);
// Those that are kept for it; borrowed, NULL: none.
OdlAnnotations *odl_session_kept_annotations (OdlSession *session);
void odl_session_identify (OdlSession *session); // the source that is in place now
// After a change by the user.
void odl_session_store_annotations (OdlSession *session);
void odl_session_tell_annotations (OdlSession *session);
void odl_session_forget_keys (OdlSession *session);

// ---- session_operands.c -------------------------------------------------------------

// The geometry of plans for that image.
OdlGeometry odl_session_geometry (OdlSession *session, const OdlImage *image);
// Second pictures that were read for a recipe, or why they could not be.
typedef struct {
  OdlRecipe recipe;
  char *tag; // in the history
  bool present; // the recipe is already in force, by undo or by opening a picture
  char *note; // how a volume lies otherwise; NULL: none does
  GError *error; // NULL: they were read
} OdlOperandsCame;
OdlOperandsCame *odl_session_steal_operands_came (OdlSession *session); // NULL: none
void odl_operands_came_free (OdlOperandsCame *came);
// The first active item whose second picture is missing; −1: none.
int odl_session_missing_operand (OdlSession *session, const OdlRecipe *recipe);
// Reads them in the background and marks ODL_MARK_OPERANDS.
void odl_session_read_operands (OdlSession *session,
                                const OdlRecipe *recipe,
                                const char *tag,
                                bool present);
void odl_session_stop_reading (OdlSession *session);
bool odl_session_is_reading (OdlSession *session);
// Another source is in place, with its first frame: chooses where filters act.
void odl_session_begin_area (OdlSession *session);
OdlOperandReader *odl_operand_reader_new (void);
void odl_operand_reader_free (OdlOperandReader *reader);

// ---- session_about.c ----------------------------------------------------------------

// Another source is in place.
void odl_session_about_begin (OdlSession *session);
// The recipes may look at other frames than before.
void odl_session_about_settle (OdlSession *session);
// `image` came, with those about it or without (NULL); those about image `index` came
// later, or it stands alone (NULL). Both take ownership.
void odl_session_about_take (OdlSession *session, OdlNeighbours *neighbours);
void
odl_session_about_came (OdlSession *session, int64_t index, OdlNeighbours *neighbours);
// Whether filters of stored pictures look at those about each one, and whether they wait
// for those about `image`.
bool odl_session_looks_about (OdlSession *session);
bool odl_session_awaits_about (OdlSession *session);
OdlNeighbours *odl_session_about_neighbours (OdlSession *session); // borrowed, as above
OdlAbout *odl_about_new (void);
void odl_about_free (OdlAbout *about);

// ---- session_lag.c ------------------------------------------------------------------

// `image` came: of a camera whose filters look at later frames it is kept, and an earlier
// one takes its place. `jumped`: it does not follow the one before.
void odl_session_lag_take (OdlSession *session, bool jumped);
// The recipe may look further ahead than before, or less far.
void odl_session_lag_settle (OdlSession *session);
// Of `image`; borrowed, NULL: it stands alone.
OdlNeighbours *odl_session_lag_neighbours (OdlSession *session);
// Frames that came after `image`, which filters look at.
int odl_session_lag_behind (OdlSession *session);
OdlLag *odl_lag_new (void);
void odl_lag_free (OdlLag *lag);

// ---- session_volume.c ---------------------------------------------------------------

// Another source is in place: drops the volume of the one before.
void odl_session_take_volume (OdlSession *session);
// Reads the volume if the view or a filter needs it.
void odl_session_want_volume (OdlSession *session);
void odl_session_stop_volume (OdlSession *session);
// The picture that the recipe is measured in: the one that is shown or, where filters see
// all slices, the volume. NULL: it is not read yet; when it was, or cannot be,
// ODL_MARK_MEASURED is marked.
OdlImage *odl_session_measured_image (OdlSession *session, const OdlRecipe *recipe);
// Whether planes were asked for, of volumes or of stacks.
bool *odl_session_find_planes (OdlSession *session);
// The next frame shows the volume, or its plan filters the whole volume.
bool odl_session_uses_volume (OdlSession *session);
// They will, once it was read.
bool odl_session_awaits_volume (OdlSession *session);
// Not even a section of it can be filtered as a whole: says so, and goes slice by slice.
void odl_session_volume_is_too_large (OdlSession *session, const GError *error);
OdlGeometry odl_session_plan_geometry (OdlSession *session); // of the input
// Of what a recipe beside that in force filters of a frame: the whole volume, if one is
// used and the recipe is for volumes, else a picture or slice. False: of volumes over
// time it would need those before.
bool odl_session_other_geometry (OdlSession *session,
                                 const OdlRecipe *recipe,
                                 OdlGeometry *geometry);
// The moment of the volume that filters see as a whole.
OdlMoment odl_session_volume_moment (OdlSession *session);
// Whether so many volumes were filtered before the one that is shown, or all there are;
// true where filters see slices.
bool odl_session_volume_has_past (OdlSession *session, int n);
// The volumes of a lead-in, read in the background: `number` with those about it,
// transfer full. ODL_LED_NOT_YET: ODL_MARK_LEAD_IN is set when it is there.
OdlLed
odl_session_lead_in_volume (OdlSession *session, int number, OdlNeighbours **neighbours);
void odl_session_stop_led_volumes (OdlSession *session);
// A lead-in of the volumes from `begin` on ended with this one.
void odl_session_volume_led (OdlSession *session, OdlTakes *takes, int begin);
// Whether the volume of the current position is the one that was read last.
bool odl_session_volume_rests (OdlSession *session);
// Where filters see volumes about each one: how many the player is to count as worked on,
// all that it delivers while the one that it is at, or those about it, are still read,
// else one less, so that it delivers one at a time. 0: it is not held.
int odl_session_volumes_at_work (OdlSession *session);
// Whether the player's clock waits for the volumes that are read: changes with recipe,
// view, speed and what was read.
void odl_session_tell_stride (OdlSession *session);
// How long it takes decides with how they are read.
void odl_session_note_filtered (OdlSession *session, const OdlFrame *frame);
void odl_session_add_volume (OdlSession *session, OdlFrame *frame);
OdlVolumeReader *odl_volume_reader_new (void);
void odl_volume_reader_free (OdlVolumeReader *reader);

// ---- session_recipe.c ---------------------------------------------------------------

// Replaces ODL_VALUE_AUTO by values that suit the current image, if
// there is one.
void odl_session_measure (OdlSession *session, OdlRecipe *recipe);
// What the recipes in force still wait for, now that it may be there.
void odl_session_measure_late (OdlSession *session);
// Whether the second pictures of the recipe in force are available and fit. False: they
// are read, or a filter whose second picture cannot be used is bypassed, and a message
// says so.
bool odl_session_has_operands (OdlSession *session);
// Sets the recipe whose second pictures were read.
void odl_session_take_operands (OdlSession *session);

// ---- own_code.c ---------------------------------------------------------------------

// Whether the plan has code of the user's own, and whether that has to be
// tried before this engine gets it: the session renders when it was.
bool odl_session_has_code (OdlSession *session);
bool odl_session_awaits_code (OdlSession *session, OdlEngineChoice choice);
// No engine can run the code of the plan, which is passed over from now on. False: it has
// none.
bool odl_session_gives_code_up (OdlSession *session);
// Whether the error is one of Python, which is then passed over.
bool odl_session_blames_code (OdlSession *session, const GError *error);
OdlOwnTrial *odl_own_trial_new (void);
void odl_own_trial_free (OdlOwnTrial *trial);

// ---- session_engine.c ---------------------------------------------------------------

OdlEngineChoice odl_session_choose_engine (OdlSession *session); // needs plan and image
// Engines with GL do, but for volumes and for frames that are known to take long: those
// are the renderer's, in a context of its own.
bool odl_session_runs_in_canvas (OdlSession *session, OdlEngineChoice choice);
void odl_session_tell_fallback (OdlSession *session, OdlEngineChoice taken);
void odl_session_want_measured (OdlSession *session);
// Measures while the session rests and its picture is there: playing comes first.
void odl_session_want_prices (OdlSession *session);
void odl_session_stop_measuring (OdlSession *session);
// The image in place, before `plan` of `recipe` was executed, with its number and times.
OdlFrame *odl_session_new_frame (OdlSession *session,
                                 OdlPlan *plan,
                                 OdlEngineChoice choice,
                                 const OdlRecipe *recipe);
// A result was asked for: should it be late, the picture as it came is shown meanwhile.
void odl_session_await_result (OdlSession *session);
void odl_session_stop_awaiting (OdlSession *session);
OdlEngineSelector *odl_engine_selector_new (OdlSession *session);
void odl_engine_selector_free (OdlEngineSelector *engines);

// ---- session_lead_in.c --------------------------------------------------------------

// `image` has a moment; the image before belonged to take `take_before`.
void odl_session_note_past (OdlSession *session, uint64_t take_before);
// The engines' history of earlier frames is invalid.
void odl_session_forget_past (OdlSession *session);
// There is another image or another plan, and perhaps another source: a lead-in that
// failed may be tried again.
void odl_session_renew_past (OdlSession *session, bool new_source);
OdlPast odl_session_past (OdlSession *session);
// Cancels the current lead-in, and begins one for `image` after a short delay, if it
// needs one.
void odl_session_want_lead_in (OdlSession *session);
void odl_session_stop_lead_in (OdlSession *session);
void odl_session_pump_lead_in (OdlSession *session); // frames may have been read
// A frame of the lead-in was run.
void odl_session_led (OdlSession *session, const OdlFrame *frame, const GError *error);
// Runs a frame that is not shown in the canvas's context, whose GL engine it has.
bool odl_session_run_unseen (OdlSession *session, OdlFrame *frame);
OdlLeadIn *odl_lead_in_new (void);
// To be called with each image, and each recipe: looks for it where a recipe waits.
void odl_session_want_cine (OdlSession *session);
OdlCineSearch *odl_cine_search_new (void);
void odl_cine_search_free (OdlCineSearch *search);

// ---- session_render.c: settles ------------------------------------------------------

// What is marked: second pictures, values, a lead-in, and then the picture, in this
// order.
void odl_session_settle (OdlSession *session);
// Pauses at the picture that is seen, of which nothing is computed again. False, and
// nothing was done: there is none, or another one was asked for.
bool odl_session_hold (OdlSession *session);
// Takes ownership, and shows the frame when the one before has been painted or another
// one follows.
void odl_session_publish (OdlSession *session, OdlFrame *frame);
void odl_session_rendered (OdlFrame *frame, const GError *error, void *session);

// ---- session_source.c, session_open.c -----------------------------------------------

// Another source is in place, with its first frame; takes ownership
// of both. `recipe`: NULL for none, or the one in force if that is kept.
// odl_session_begin shows it.
void odl_session_take_source (OdlSession *session,
                              OdlSource *source,
                              OdlImage *image,
                              const OdlRecipe *recipe);
void odl_session_begin (OdlSession *session);
OdlOpening *odl_opening_new (void);
