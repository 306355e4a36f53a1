// SPDX-License-Identifier: MIT
// The inside of OdlSession, for its own files only.
#pragma once

#include "engine/takes.h"
#include "session/chooser.h"
#include "session/opener.h"
#include "session/player/pace.h"
#include "session/player/player.h"
#include "session/renderer.h"
#include "session/session.h"

G_BEGIN_DECLS

// Which frames came before `image` in its take.
typedef struct {
  int64_t first; // the take began with this one
  int n; // so many were run since
  bool whole; // there is nothing before it to know: it began with a cut, or after a frame
              // that stands alone
  bool exact; // it is the end of a lead-in, run with what is set now
} OdlSessionPast;

// In session_lead_in.c.
typedef struct {
  guint64 number; // 0: none is under way
  guint64 n_begun;
  int64_t begin, next; // frame with which it began, and the one to be run next
  bool continues; // one was run
  OdlTakes takes;
  int n_running;
  bool failed; // for this image and recipe
  GSource *rest; // it begins when this is over; NULL: it is not waited for
  GQueue to_run; // OdlFrame, in the canvas
  GSource *run_source; // which runs them
} OdlLeadIn;

struct _OdlSession {
  GObject parent_instance;

  OdlGate *gate; // openings in flight
  GCancellable *cancellable; // of the current opening
  char *opening;
  OdlRecipe opening_recipe;
  bool opening_has_recipe;

  OdlSource *source;
  bool moving; // the source has more than one frame, as known when it was opened
  guint64 source_serial;
  OdlPlayer *player; // NULL for stills
  bool playing;
  GError *trouble; // of a capture; NULL: there are frames
  size_t cache_bytes; // of the player
  double speed; // these three are those of the player
  OdlRepeat repeat;
  int64_t range_first, range_last;
  OdlImage *image; // the latest frame of the source
  int64_t index;
  int64_t arrived_us; // monotonic time at which `image` came
  int64_t due_us; // and at which it was due
  bool asked; // `image` came because of a seek
  int64_t target; // frame that was asked for and has not come yet; −1: none
  double frame_rate; // that the source is played with, where frames have no own times
  double default_rate; // where the source states none
  guint64 arrival; // number of `image`, as they came
  guint64 painted_arrival; // of the last one that was painted
  guint64 n_painted, n_unseen; // images that were painted, and that were not
  OdlPace pace; // of the painted frames
  OdlTakes takes;
  OdlMoment moment; // of `image`; serial 0: not asked for yet
  bool continues; // `image` is the one that follows, or one that comes after it
  uint64_t last_take; // the greatest number of a take, of whatever was run
  OdlSessionPast past; // of `image`
  OdlEngineChoice ran; // the engine of the last frame that was to be shown
  OdlLeadIn lead_in;
  OdlRunCb run; // NULL: no canvas runs engines
  void *run_data;

  // In session_volume.c.
  bool planes; // asked for
  OdlImage *volume; // all slices; NULL: not read, or not to be had
  GCancellable *reading_volume;
  bool no_volume; // they cannot be had; was said
  bool no_whole; // filters cannot see all of them; was said
  int voxel_x, voxel_y;

  OdlHistory history;
  GHashTable *annotated; // OdlAnnotations of the sources before, by location; may be NULL
  bool keep_recipe;
  OdlOperands *operands; // second pictures, of the recipe at least; NULL: none yet
  GCancellable *reading; // others are being read; NULL: none
  OdlPlan *plan; // of the recipe and the geometry of `image`
  OdlRecipe planned;
  OdlPlan *observed_plan; // of the numbers that were observed last
  float *observed;

  OdlEngineRequest request;
  char *engine_name; // of the request
  GArray *failures; // of engines, see session_engine.c
  char *fallback_reason; // why the request is not followed; NULL: it is
  char *told_fallback_reason;
  OdlChooser *chooser;
  char *gpu; // that the canvas draws with; "" for none
  OdlRanking *last_ranking; // the last that a measurement could decide; NULL: none yet
  OdlGlLevel gl_level;
  int gl_max_side;
  bool want_original;
  bool told_too_large;
  OdlImagePool *pool; // of the canvas; NULL: it has none
  OdlRenderer *renderer;
  OdlFrame *frame; // to be shown
  OdlFrame *next; // waits until `frame` has been painted; NULL: none
  GSource *next_source; // to show it
};

// Takes ownership of `frame`, makes it the one to show and says so.
void odl_session_show (OdlSession *session, OdlFrame *frame);

// Emits a message.
void odl_session_say (OdlSession *session, const char *text);

// Frames that are played, and no word of how fast.
bool odl_session_states_no_rate (OdlSession *session);

// In session_recipe.c: thresholds that wait for a picture get those of the one that is
// here, and keep them.
void odl_session_settle (OdlSession *session, OdlRecipe *recipe);

// As one step of the history, whatever it says.
void
odl_session_put_recipe (OdlSession *session, const OdlRecipe *recipe, const char *tag);

// In session_annotations.c: those of the source in place are put by, before it goes;
// those that were put by for it (borrowed; NULL: none).
void odl_session_keep_annotations (OdlSession *session);
OdlAnnotations *odl_session_kept_annotations (OdlSession *session);
void odl_session_tell_annotations (OdlSession *session);

// In session_operands.c. What plans for that image are made from.
OdlGeometry odl_session_geometry (OdlSession *session, const OdlImage *image);
// Whether a recipe that is to be set has its second pictures and they fit. False: it is
// set when they have been read, or never, and that is said.
bool odl_session_takes_operands (OdlSession *session,
                                 const OdlRecipe *recipe,
                                 const char *tag);
// The same of the recipe in force. False: the session renders again when they are there;
// a filter whose second picture cannot be had is switched off, which is said.
bool odl_session_has_operands (OdlSession *session);
void odl_session_stop_reading (OdlSession *session);

// In session_engine.c.
GArray *odl_failures_new (void);
OdlEngineChoice odl_session_choose_engine (OdlSession *session); // needs plan and image
void odl_session_tell_fallback (OdlSession *session, OdlEngineChoice taken);
void odl_session_want_measured (OdlSession *session);
void odl_session_measured (void *session);

// In session_lead_in.c. The moment of the next frame in either row of takes.
OdlMoment odl_session_next_moment (OdlSession *session,
                                   OdlTakes *takes,
                                   OdlImage *image,
                                   bool continues,
                                   bool finds_cuts);
// `image` has its moment; that of the image before was in this take.
void odl_session_note_past (OdlSession *session, uint64_t take_before);
// What engines kept of earlier frames is gone, or was made in another way.
void odl_session_forget_past (OdlSession *session);
OdlPast odl_session_past (OdlSession *session);
// Begins the lead-in of `image` where it needs one, after a short rest; one that is under
// way ends.
void odl_session_want_lead_in (OdlSession *session);
void odl_session_stop_lead_in (OdlSession *session);
void odl_session_pump_lead_in (OdlSession *session); // frames may be there
// A frame of it was run.
void odl_session_led (OdlSession *session, const OdlFrame *frame, const GError *error);

// In session_volume.c. Another source is in place: forgets the volume of the one before.
void odl_session_take_volume (OdlSession *session);
// Reads the volume where what is to be seen needs it.
void odl_session_want_volume (OdlSession *session);
// The frame to render shows the volume, or its plan is for all of it.
bool odl_session_uses_volume (OdlSession *session);
OdlGeometry odl_session_plan_geometry (OdlSession *session); // of what the plan is for
void odl_session_add_volume (OdlSession *session, OdlFrame *frame);

// In session_render.c: computes what is to be seen, here or in the canvas; and takes what
// the renderer has made.
void odl_session_render (OdlSession *session);
// Takes ownership. While the frame before has not been painted this one waits until it
// has, or until yet another one comes.
void odl_session_publish (OdlSession *session, OdlFrame *frame);
void odl_session_rendered (OdlFrame *frame, const GError *error, void *session);

G_END_DECLS
