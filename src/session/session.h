// SPDX-License-Identifier: MIT
// OdlSession joins a source, a recipe, an engine and a clock, and says which frame is to
// be shown. It knows no widgets. Main thread; the work is done in threads of its own.
//
// Signals:
//   frame-ready ()            odl_session_frame is another one
//   opened ()                 another source is in place
//   open-failed (location, GError)  the source before stays in place
//   message (text)            for the user; translated
//   choice-changed ()         a measurement of engines has begun, ended or a result
//   observed ()               odl_session_observed has new numbers
//   frame-failed (GError)     a frame could not be read. A damaged frame and an early
//                             end do not stop playing
//   trouble-changed ()        odl_session_trouble is different
//   planes-changed ()         odl_session_shows_planes or odl_session_slab is different
//   annotations-changed ()    odl_session_annotations is different
#pragma once

#include <gio/gio.h>

#include "engine/choice.h"
#include "filter/profile.h"
#include "image/area.h"
#include "image/volume/planes.h"
#include "session/history.h"
#include "session/player/frame.h"
#include "session/player/playback.h"
#include "session/render/renderer.h"
#include "session/slice_places.h"

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

// ---- source --------------------------------------------------------------------------

// Opens a path or a specification in the background, in place of what is being opened.
// With `recipe` NULL the recipe is empty, or stays if keep-recipe is set.
void
odl_session_open (OdlSession *session, const char *location, const OdlRecipe *recipe);
// The same with the recipe of the last call.
void odl_session_open_again (OdlSession *session, const char *location);
// Opens what the shown picture is a part of, such as the stack of a slice, in its place;
// what people have set stays. Where that cannot be opened, or is this picture alone, the
// picture stays, and nothing is said.
void odl_session_open_whole (OdlSession *session, const char *location);
void odl_session_cancel_open (OdlSession *session);
const char *odl_session_opening (OdlSession *session); // location; NULL: none
// What share of what is being opened is unpacked, 0 … 1, where nothing can be seen of it
// before; below 0: nothing is unpacked so.
double odl_session_unpacked (OdlSession *session);

// The message of an error of open-failed without the file's name, with which it begins.
const char *odl_session_open_reason (const char *location, const GError *error);

// The source in place: its description, all zero without a source, and how it is played.
const OdlSourceInfo *odl_session_info (OdlSession *session);
OdlPlayback *odl_session_playback (OdlSession *session);

void odl_session_set_playing (OdlSession *session, bool playing);
bool odl_session_playing (OdlSession *session);

// Whether `path` is a file that the source in place or a filter reads: such a file must
// not be written. Cost: reads a folder or a header.
bool odl_session_reads (OdlSession *session, const char *path);

// Why a camera currently delivers no frames; NULL while it does, and for all other
// sources. The session keeps trying.
const GError *odl_session_trouble (OdlSession *session);
// As odl_source_detail; NULL: no such detail. Borrowed.
const char *odl_session_detail (OdlSession *session, const char *key);
// As odl_source_axes; 0: there is no source.
int odl_session_axes (OdlSession *session, double axes[3][3]);
// As odl_header_text_kind. Borrowed.
const char *odl_session_header_kind (OdlSession *session);
// The file that the frame on screen comes from; NULL: none.
const char *odl_session_file (OdlSession *session);

// A slice that is missing from the folder, for which a dark one stands.
bool odl_session_lacks_frame (OdlSession *session, int64_t index);
// Whether the frame is of the source that these describe, not of the one before.
bool odl_session_is_of_source (OdlSession *session, const OdlFrame *frame);

// Whether files are opened where the system refuses the sandbox of their decoder. Holds
// for all sessions, from the next file on; ODL_SANDBOX overrides it.
void odl_session_set_sandbox_optional (bool optional);

// ---- recipe --------------------------------------------------------------------------

// Sets the recipe as one step of the history; `tag` as in odl_history_push. Without a
// wavelet filter, a view of coefficients becomes synthesis. ODL_VALUE_AUTO is replaced
// for good by the value that suits the current frame, or the first one of the next
// source.
void
odl_session_set_recipe (OdlSession *session, const OdlRecipe *recipe, const char *tag);
const OdlRecipe *odl_session_recipe (OdlSession *session);
// Sets all that says how much noise filter `item` (−1: each filter) has to expect to what
// `part` of `image`, an unfiltered picture of the source, has (odl_measure_recipe), as
// one step of the history. False: no filter asks for it, or the part has no noise.
bool odl_session_take_noise (OdlSession *session,
                             int item,
                             OdlImage *image,
                             const OdlNoisePart *part);
void odl_session_undo (OdlSession *session);
void odl_session_redo (OdlSession *session);
// Goes to a step of the history, counted from 0, as undo or redo as often as needed.
void odl_session_go_to_step (OdlSession *session, guint step);
const OdlHistory *odl_session_history (OdlSession *session);
// Replaces the history by a copy, after changes that are to leave no steps.
void odl_session_restore_history (OdlSession *session, const OdlHistory *history);

// The recipe stays when another location is opened. Off at first.
void odl_session_set_keep_recipe (OdlSession *session, bool keep);

// The annotations of the source; not part of the recipe, but undone in the same history.
// NULL: none yet. Kept while the program runs, and restored with the source if its
// pictures have the same size; not for captures. Borrowed.
OdlAnnotations *odl_session_annotations (OdlSession *session);
// Whether those of files are stored in the user's data folder, too, and restored from it.
// Off at first.
void odl_session_set_stores_annotations (OdlSession *session, bool stores);
// Each is a step of the history. Changes the annotation with that id, or adds one as the
// last.
void odl_session_annotate (OdlSession *session, const OdlAnnotation *annotation);

// Whether a frame is a key picture: marked here, or named by a key object of DICOM beside
// the file, of which "annotations-changed" tells when they are found. Marks or unmarks
// it. The next one after, or before, `from`, around the end (−1: none). Those marked here
// (gint64; transfer full).
bool odl_session_is_key (OdlSession *session, int64_t frame, bool *by_others);
void odl_session_mark_key (OdlSession *session, int64_t frame);
int64_t odl_session_next_key (OdlSession *session, int64_t from, int by);
GArray *odl_session_keys (OdlSession *session);
// How many frames are key pictures; −1: what others have marked is not known yet.
int odl_session_count_keys (OdlSession *session);
// Keeps them in a file beside the source (odl_beside_save), from which they are restored
// where the user's data folder has none; *path is its name, transfer full. ODL_ERROR_IO,
// also where the source is another one now, or lies where all is cleared away
// (archive/spool.h). Blocks for a moment.
bool
odl_session_save_annotations_beside (OdlSession *session, char **path, GError **error);
// What they are kept under (odl_annotation_identity); NULL: those of a capture are not.
const char *odl_session_identity (OdlSession *session);
void odl_session_remove_annotation (OdlSession *session, unsigned id);

// Where filters act, and what they leave as it came; not part of the recipe, since it is
// about the source: found when it is set, on the frame that is there, and kept for the
// others. Where that fails a message says so, and nothing changes. Emits notify::recipe.
void odl_session_set_area (OdlSession *session, OdlArea area);
OdlArea odl_session_area (OdlSession *session);
// Whether filters keep to the two-dimensional ultrasound pictures of files that say where
// these are, from the next source on. Off at first.
void odl_session_set_keeps_to_regions (OdlSession *session, bool keeps);

// Second pictures of the recipe's filters; NULL: none. Borrowed. A recipe whose second
// pictures cannot be read, or do not fit, is not set, and a message says so. In a recipe
// that comes with a source or by undo, such filters are bypassed instead.
OdlOperands *odl_session_operands (OdlSession *session);

// Another recipe that the one in force is compared with.
typedef struct {
  OdlRecipe recipe;
  bool difference; // its result less that of the one in force is shown; where one of both
                   // has no filters that act, as without this
  char letter, other_letter; // names of the one in force, and of the other one
} OdlOther;

// What is made of each frame by `other`, in software, takes the place of the picture as
// it came: left of the wipe, and where that is shown; of volumes in three planes, too.
// Not of surfaces, in views of coefficients, and by filters over time of volumes over
// time. NULL: none, as at first.
void odl_session_set_other (OdlSession *session, const OdlOther *other);
const OdlOther *odl_session_other (OdlSession *session); // borrowed
// Whether the next frames are the difference: it is asked for, both have filters that
// act, and no volume is computed.
bool odl_session_shows_difference (OdlSession *session);

// ---- engine --------------------------------------------------------------------------

// "auto" or an engine, with or without a variant; unknown names mean auto. The engine is
// used whenever it can work; while it cannot, another one is, and a message says so.
void odl_session_set_engine (OdlSession *session, const char *name);
const char *odl_session_engine (OdlSession *session);

// The same with the origin of the request.
void odl_session_set_engine_request (OdlSession *session,
                                     const OdlEngineRequest *request);
const OdlEngineRequest *odl_session_engine_request (OdlSession *session);

// Why another engine than the requested one works now; NULL when it does not. Translated.
const char *odl_session_fallback_reason (OdlSession *session);

// The known times of the engines for the current work; NULL without a picture or a
// filter. Borrowed until the next call.
const OdlRanking *odl_session_ranking (OdlSession *session);
bool odl_session_is_measuring (OdlSession *session);
// Measures all engines again. False without a picture or a filter.
bool odl_session_measure_engines (OdlSession *session);

// An engine could not compute a frame: the next one is used, and a message says so. For
// ODL_ERROR_UNSUPPORTED and ODL_ERROR_TOO_LARGE this holds for plans of this structure,
// for other errors until an engine is requested again.
void odl_session_engine_failed (OdlSession *session,
                                OdlEngineChoice engine,
                                const GError *error);

// ---- canvas --------------------------------------------------------------------------

// The GPU and driver of the canvas, "" for none: measurements hold for these. Called
// before odl_session_set_canvas.
void odl_session_set_gpu (OdlSession *session, const char *gpu);

// `max_side`: the texture limit in pixels; larger pictures are computed by the CPU.
// `want_original`: frames need their scaled originals.
void odl_session_set_canvas (OdlSession *session,
                             OdlGlLevel level,
                             int max_side,
                             bool want_original);

// Memory of the canvas's context, in which a live source makes its frames while an engine
// with GL shows them. NULL before that context ends. Keeps a reference.
void odl_session_set_pool (OdlSession *session, OdlImagePool *pool);

// Runs a frame of a lead-in, which is not shown, in the canvas's context: as
// OdlEnginePair has it. False: not possible now.
typedef bool (*OdlRunCb) (OdlFrame *frame, void *data);
void odl_session_set_run (OdlSession *session, OdlRunCb run, void *data);

// A lead-in for filters over time is under way, or about to begin; OdlFrame.past says
// what the frame shown knows.
bool odl_session_leads_in (OdlSession *session);

// The frame to show; NULL before the first picture. Borrowed.
OdlFrame *odl_session_frame (OdlSession *session);

// The canvas painted this frame for the first time; may be called while it paints.
void odl_session_painted (OdlSession *session, OdlFrame *frame);

// Images of the source that were painted, each counted once, and those that never were
// because they were late or another one took their place. As fast as possible, all are
// processed and counted, and the screen shows as many as it can.
guint64 odl_session_n_painted (OdlSession *session);
guint64 odl_session_dropped (OdlSession *session);

// The observed numbers of *plan (plan/flow.h), measured in the frame shown or a few
// frames before; NULL: none yet. Borrowed.
const float *odl_session_observed (OdlSession *session, const OdlPlan **plan);
// Called by the canvas or the renderer, which observed them.
void odl_session_take_observed (OdlSession *session, OdlPlan *plan, const float *numbers);

// What the plan of the frame shown had to change, or the sections of the volume that its
// filters were run in, translated; may be NULL.
const char *odl_session_note (OdlSession *session);

// ---- volumes -------------------------------------------------------------------------

// Whether a volume, or a picture that is waited for, is being filtered, and how far.
// “work-begun” is emitted when it may have begun.
bool odl_session_volume_work (OdlSession *session, OdlVolumeWork *work);
// Gives it up: the filters that see volumes are switched off, or where there are none all
// of them, in one step that can be undone.
void odl_session_give_up_volume (OdlSession *session);

// Whether two show different persons, as far as their files say. In doubt they do, unless
// it is the same file.
bool odl_session_are_strangers (OdlSession *session, OdlSession *other);

// The frames of the source are slices of a volume, or of volumes over time. All slices
// of the one that is shown are read in the background,
// for three planes and for filters in three dimensions; until then slices are shown, and
// filtered one by one. Where the volume cannot be read a message says why.
bool odl_session_is_volume (OdlSession *session);
// Its frames are slices: of one volume, or of a series in the order of their places.
bool odl_session_counts_slices (OdlSession *session);

// Where the slices lie, of volumes over time those of one; NULL: the file does not say.
const OdlSlicePlaces *odl_session_slice_places (OdlSession *session);

// As odl_slice_places_is_uneven, of a frame of a stack.
bool odl_session_is_uneven (OdlSession *session, int64_t index, double around[2]);
// Three planes, or a slice at a time, for this volume and later ones. Off at first. They
// begin in the middle where the slice is still that at an end of the volume.
// Coefficients are always shown slice by slice.
void odl_session_set_planes (OdlSession *session, bool planes);
bool odl_session_planes (OdlSession *session); // as set
bool odl_session_shows_planes (OdlSession *session); // now, or when the volume is read
// How thick the planes are; one voxel at first. Stays from volume to volume.
void odl_session_set_slab (OdlSession *session, const OdlSlab *slab);
OdlSlab odl_session_slab (OdlSession *session);
// One of the planes, turned about the cross-hair; none at first and for each source.
void odl_session_set_oblique (OdlSession *session, const OdlOblique *oblique);
OdlOblique odl_session_oblique (OdlSession *session);
// What rendered views are cut to; nothing at first and for each source.
void odl_session_set_box (OdlSession *session, const OdlBox *box);
OdlBox odl_session_box (OdlSession *session);
// The thickness at which every plane holds the whole volume; 0 without one.
double odl_session_thickest_slab (OdlSession *session);
// Frames with planes also get the bodies of their volumes, for a rendered view.
void odl_session_set_renders (OdlSession *session, bool renders);
// Where the planes meet; z is the position of the playback.
OdlVoxel odl_session_voxel (OdlSession *session);
void odl_session_set_voxel (OdlSession *session, const OdlVoxel *voxel);
// Pauses, and moves along an axis (0 x, 1 y, 2 z), to its end at most.
void odl_session_step_voxel (OdlSession *session, int axis, int by);
