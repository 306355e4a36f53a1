// SPDX-License-Identifier: MIT
// OdlSession: source + recipe + engine + clock, below the widgets. Main thread; the work
// happens in threads that it owns.
//
// Signals:
//   frame-ready ()            odl_session_frame has something else to show
//   opened ()                 another source is in place
//   open-failed (location, GError)  the previous source stays
//   message (text)            something that the user should read; translated
//   choice-changed ()         engines are being measured, or were
//   frame-failed (GError)     a frame of the source could not be read; a damaged one and
//   an
//                             early end do not stop playing
//   trouble-changed ()        odl_session_trouble is different
//   planes-changed ()         odl_session_shows_planes is different
//   annotations-changed ()
#pragma once

#include <gio/gio.h>

#include "engine/choice.h"
#include "image/planes.h"
#include "session/player/frame.h"
#include "session/history.h"
#include "session/player/timeline.h"

G_BEGIN_DECLS

#define ODL_TYPE_SESSION (odl_session_get_type ())
G_DECLARE_FINAL_TYPE (OdlSession, odl_session, ODL, SESSION, GObject)

// What the canvas can do with GL.
typedef enum {
  ODL_GL_UNKNOWN, // nothing is rendered until it is known
  ODL_GL_NONE,
  ODL_GL_SOFTWARE,
  ODL_GL_HARDWARE,
} OdlGlLevel;

OdlSession *odl_session_new (void);

// Opens a path or a specification in the background; what is being opened is cancelled,
// the last call wins. With `recipe` NULL the new picture starts unprocessed, unless
// keep-recipe is set.
void
odl_session_open (OdlSession *session, const char *location, const OdlRecipe *recipe);
// The same with the recipe of the last call.
void odl_session_open_again (OdlSession *session, const char *location);
void odl_session_cancel_open (OdlSession *session);

// Location that is being opened, or NULL.
const char *odl_session_opening (OdlSession *session);

// The source in place; NULL, 0 or false where there is none.
const char *odl_session_location (OdlSession *session);
const char *odl_session_name (OdlSession *session);
// Whether `path` is a file that the source in place or a filter reads, which is never to
// be written over: its own, or one of several. Cost: reads a folder or a header.
bool odl_session_reads (OdlSession *session, const char *path);
const char *odl_session_format (OdlSession *session);
const char *odl_session_warning (OdlSession *session);
bool odl_session_is_moving (OdlSession *session);
bool odl_session_is_live (OdlSession *session);
// 0 as long as the end of a stream is not known. A phantom counts one period.
int64_t odl_session_n_frames (OdlSession *session);
bool odl_session_is_capture (OdlSession *session);
// Why a camera shows nothing now; NULL while it does, and for all other sources. It is
// asked again by itself.
const GError *odl_session_trouble (OdlSession *session);
// A detail of the source, see odl_source_detail; NULL: none. Borrowed.
const char *odl_session_detail (OdlSession *session, const char *key);
// Where the frame rate or the times of frames come from, translated where it is not the
// file; may be NULL.
const char *odl_session_timing (OdlSession *session);
double odl_session_frame_rate (OdlSession *session);

// A phantom's rate, ODL_RATE_MIN … ODL_RATE_MAX per second. Sources with an end and
// captures have rates of their own: nothing changes.
void odl_session_set_frame_rate (OdlSession *session, double frame_rate);

// The rate of frames whose source states none, such as numbered pictures, in place or
// opened later; ODL_DEFAULT_FRAME_RATE at first. Same bounds.
void odl_session_set_default_rate (OdlSession *session, double frame_rate);

// Whether files are opened where the system refuses the sandbox of their decoder; for all
// sessions of the program, from the next file on. ODL_SANDBOX comes before it.
void odl_session_set_sandbox_optional (bool optional);

// The canvas painted this frame for the first time; may be called while it paints.
void odl_session_painted (OdlSession *session, const OdlFrame *frame);

// What filters of the recipe measured in a frame that is shown, or was shown some frames
// ago: the observed numbers of *plan (plan/flow.h). NULL: nothing was measured yet. The
// signal “observed” tells of new ones. Borrowed.
const float *odl_session_observed (OdlSession *session, const OdlPlan **plan);

// The canvas, or the renderer, has observed these.
void odl_session_take_observed (OdlSession *session, OdlPlan *plan, const float *numbers);

// Images of the source that were painted, each counted once, and those that nobody saw
// because they were late or another one took their place.
guint64 odl_session_n_painted (OdlSession *session);
guint64 odl_session_dropped (OdlSession *session);

// What is to be shown now; NULL before the first picture. Borrowed.
OdlFrame *odl_session_frame (OdlSession *session);

// Changes the recipe as one step of the history; `tag` as in odl_history_push. A view of
// coefficients without a wavelet filter becomes synthesis. Values that are ODL_VALUE_AUTO
// become those that suit the frame of the source that is here now, or the first one of
// the source that comes, and stay what they are from then on.
void
odl_session_set_recipe (OdlSession *session, const OdlRecipe *recipe, const char *tag);
const OdlRecipe *odl_session_recipe (OdlSession *session);
void odl_session_undo (OdlSession *session);
void odl_session_redo (OdlSession *session);
bool odl_session_can_undo (OdlSession *session);
bool odl_session_can_redo (OdlSession *session);

// What people drew over the source in place, which is no part of the recipe but undone
// with it; NULL: nothing yet. It is there again when the source is, as long as the
// program runs and its pictures have the same size; of captures it is not. Borrowed.
OdlAnnotations *odl_session_annotations (OdlSession *session);
// Each is a step of the history; `tag` as in odl_history_push. Changes the one of that
// id, or adds one, which is the last one then.
void odl_session_annotate (OdlSession *session,
                           const OdlAnnotation *annotation,
                           const char *tag);
void odl_session_remove_annotation (OdlSession *session, unsigned id);

// Second pictures of the recipe's filters, read when it was set; NULL: none. Borrowed. A
// recipe whose second pictures cannot be read, or are of another size, is not set, and a
// message says so. A recipe that is in force otherwise, with a picture that is opened or
// by undo, loses such filters: they are bypassed.
OdlOperands *odl_session_operands (OdlSession *session);

// For what changes the recipe for a while and leaves no steps: the whole history, to be
// cleared with odl_history_clear, and back to it.
void odl_session_save_history (OdlSession *session, OdlHistory *history);
void odl_session_restore_history (OdlSession *session, const OdlHistory *history);

// The filters stay when another location is opened. Off at first.
void odl_session_set_keep_recipe (OdlSession *session, bool keep);

// "auto" or an engine, with or without a variant; unknown names mean auto. What is asked
// for works whenever it can; while it cannot, something else does, and says so.
void odl_session_set_engine (OdlSession *session, const char *name);
const char *odl_session_engine (OdlSession *session);

// The same with who asked for it.
void odl_session_set_engine_request (OdlSession *session,
                                     const OdlEngineRequest *request);
const OdlEngineRequest *odl_session_engine_request (OdlSession *session);

// Why another engine than the one asked for works now; NULL when it does not. Translated.
const char *odl_session_fallback_reason (OdlSession *session);

// What is known of the engines' times for what is shown now; NULL while there is nothing
// to measure by (no picture, no filter). Borrowed until the next call.
const OdlRanking *odl_session_ranking (OdlSession *session);
bool odl_session_is_measuring (OdlSession *session);

// Measures all again, now. False while there is nothing to measure by.
bool odl_session_measure_engines (OdlSession *session);

// The GPU and driver that the canvas draws with, "" for none: measurements hold for it.
// To be called before odl_session_set_canvas.
void odl_session_set_gpu (OdlSession *session, const char *gpu);

// Where a live source should make its frames while an engine with GL shows them: memory
// of the canvas's context. NULL before that ends. Keeps a reference.
void odl_session_set_pool (OdlSession *session, OdlImagePool *pool);

// What the canvas reports. `max_side` is the texture limit in pixels; beyond it the CPU
// computes. `want_original` asks frames for scaled originals.
void odl_session_set_canvas (OdlSession *session,
                             OdlGlLevel level,
                             int max_side,
                             bool want_original);

// An engine could not make the frame: takes the next one and says so. What the plan or
// the lack of memory caused (ODL_ERROR_UNSUPPORTED, ODL_ERROR_TOO_LARGE) holds for plans
// of this structure, everything else until an engine is asked for again.
void odl_session_engine_failed (OdlSession *session,
                                OdlEngineChoice engine,
                                const GError *error);

// Runs a frame of a GL engine for what it leaves behind, not to be shown, in the context
// of the canvas: as OdlEnginePair has it. False: not now.
typedef bool (*OdlRunCb) (OdlFrame *frame, void *data);
void odl_session_set_run (OdlSession *session, OdlRunCb run, void *data);

// Earlier frames are being run, or about to be, for filters over time; the frame shown
// says what they know (OdlFrame.past).
bool odl_session_leads_in (OdlSession *session);

// Volumes: sources whose frames are slices. Their slices are read all at once, in the
// background, for three planes and for filters in three dimensions; until they are there
// slices are shown, and filtered one by one. Where they cannot be had a message says why.
bool odl_session_is_volume (OdlSession *session);
// How this volume and those to come are looked at: three planes, or a slice at a time.
// Off at first. Coefficients are shown slice by slice.
void odl_session_set_planes (OdlSession *session, bool planes);
bool odl_session_planes (OdlSession *session); // as set
bool odl_session_shows_planes (OdlSession *session); // now, or as soon as they were read
// Where the planes meet; z is the frame that is shown or was asked for.
OdlVoxel odl_session_voxel (OdlSession *session);
void odl_session_set_voxel (OdlSession *session, const OdlVoxel *voxel);
// Along an axis (0 x, 1 y, 2 z), to its end at most; pauses first.
void odl_session_step_voxel (OdlSession *session, int axis, int by);

void odl_session_set_playing (OdlSession *session, bool playing);
bool odl_session_playing (OdlSession *session);

// Frame `index` is shown as soon as it is there, playing or not. Step: pauses first; from
// the end of the range it goes to the other end. Steps and seeks count from the frame
// that was asked for, which may still be on its way.
void odl_session_seek (OdlSession *session, int64_t index);
int64_t odl_session_position (OdlSession *session); // the frame shown or asked for
void odl_session_step (OdlSession *session, int frames);

// How it is played; the next source starts with speed 1, a loop and its full range.
// Range: both ends included, cut to what there is.
void odl_session_set_speed (OdlSession *session, double speed);
double odl_session_speed (OdlSession *session);
void odl_session_set_repeat (OdlSession *session, OdlRepeat repeat);
OdlRepeat odl_session_repeat (OdlSession *session);
void odl_session_set_range (OdlSession *session, int64_t first, int64_t last);
int64_t odl_session_range_first (OdlSession *session);
int64_t odl_session_range_last (OdlSession *session);
bool odl_session_has_range (OdlSession *session); // other than all frames

// Bytes for frames that were read already. At first the default: a quarter of the
// machine's memory, at most 2 GiB.
size_t odl_session_default_cache_bytes (void);
void odl_session_set_cache_bytes (OdlSession *session, size_t bytes);
size_t odl_session_cached_bytes (OdlSession *session);
int odl_session_cached_frames (OdlSession *session);
size_t odl_session_cache_bytes (OdlSession *session); // the bound

// What is known of the frames, see odl_frame_cache_mark. False while the end is not
// known, or for fewer frames than marks.
bool odl_session_mark (OdlSession *session, int n_marks, uint8_t *marks);

// When frame `index` appears at speed 1, and how long all of it takes; seconds. 0 for the
// length where no end is known.
double odl_session_time_s (OdlSession *session, int64_t index);
double odl_session_length_s (OdlSession *session);

// Text of the plan's note for the frame shown: what had to be changed. May be NULL.
const char *odl_session_note (OdlSession *session);

G_END_DECLS
