// SPDX-License-Identifier: MIT
// The contract of all engines and their registry.
#pragma once

#include <glib.h>

#include "base/progress.h"
#include "image/image.h"
#include "image/pool.h"
#include "plan/plan.h"

typedef struct _OdlEngine OdlEngine;

// A named way in which an engine can work. Variants exist to be measured and compared.
typedef struct {
  const char *name; // "packed"
  const char *description; // translatable, a few words
  bool inexact; // makes another picture on purpose; runs only when asked for by name
} OdlEngineVariant;

// Counts of what must not happen per frame; tests compare them before and after.
typedef struct {
  size_t allocations; // buffers of the working set
  size_t programs; // shader programs linked
  size_t textures; // textures created
  size_t resumed; // frames that ran only what a moved slider changes
} OdlEngineCounters;

// What an engine can do with wavelets; a plan that asks for more is refused before
// prepare. All zero: no wavelets at all.
typedef struct {
  unsigned borders; // bits 1u << ODL_BORDER_…
  bool reversible; // integer lifting
  bool lifting_only; // no wavelet without a row of lifting steps
  bool shrinks_once; // no threshold of what another one made
  bool pads; // frames of RGB or grey that are smaller than the plan's geometry: they lie
             // at its top left, and beyond them are zeros
} OdlEngineLimits;

// The place of a frame in time, for steps over time. The same moment again (another
// slider, a read-back) gives the same picture. A greater serial is the next frame of its
// take, however many were dropped between them. A new take starts with an empty history.
typedef struct {
  uint64_t take; // an uninterrupted stretch of frames; 0: a picture by itself
  uint64_t serial; // grows from frame to frame of a take
} OdlMoment;

// What parts of a picture are read back as.
typedef enum {
  ODL_PART_FLOATS, // float
  ODL_PART_WORDS, // uint32_t: magnitude, less than 2^31, rounded down, and
                  // ODL_PART_NEGATIVE
  ODL_PART_BYTES, // uint8_t, rounded
} OdlPartForm;

#define ODL_PART_NEGATIVE 0x80000000u

typedef struct {
  int x, y, width, height; // inside the picture; may be empty
  float scale; // of the samples
  bool clamp; // to 0 … 1 first; bytes always are within 0 … 255
} OdlPart;

#define ODL_ENGINE_EVERY_BORDER ((1u << ODL_N_BORDERS) - 1)

// One row of the registry. Engines that need GL must be opened, used and closed with the
// same GL context current; the others on any one thread at a time.
typedef struct {
  const char *name; // "cpu"
  const char *description; // translatable, one sentence
  bool needs_gl;
  bool shares_memory; // pictures of volumes take memory until they were read
  const OdlEngineVariant *variants; // ends with a NULL name; NULL: only one way
  OdlEngineLimits limits;
  // True when its table of step kinds has code for this one.
  bool (*has_step) (const OdlStep *step);
  // Likewise in plans whose geometry has depth; NULL: it filters pictures only.
  bool (*has_volume_step) (const OdlStep *step);
  // Opens an engine. Errors: ODL_ERROR_GPU, ODL_ERROR_UNSUPPORTED.
  OdlEngine *(*open) (GError **error);
  void (*close) (OdlEngine *engine);
  // Allocates what `plan` needs; returns at once when the structure is the one in place.
  // Errors: ODL_ERROR_TOO_LARGE (texture limit or memory), ODL_ERROR_GPU,
  // ODL_ERROR_PENDING (only where engine->patient).
  bool (*prepare) (OdlEngine *engine, const OdlPlan *plan, GError **error);
  // Executes the prepared plan on frame 0 of `input`, whose geometry is the plan's: where
  // that has no depth, on slice 0. GL work is queued, not finished.
  bool (*run) (OdlEngine *engine, const OdlPlan *plan, OdlImage *input, GError **error);
  // Fills in what odl_engine_read_back returns.
  bool (*read_back) (OdlEngine *engine,
                     const OdlPlan *plan,
                     int slot,
                     float *samples,
                     GError **error);
  // The result of the last run as an image to show: the samples of odl_engine_read_back,
  // but in planes that may lie apart, and in colour perhaps as luma and differences,
  // which odl_image_scaled_row and the display read. Valid as long as it is referenced.
  // NULL: read_back.
  OdlImage *(*show) (OdlEngine *engine, const OdlPlan *plan, GError **error);
  // Fills in what odl_engine_parts returns. NULL: nothing but read_back.
  bool (*parts) (OdlEngine *engine,
                 const OdlPlan *plan,
                 OdlPartForm form,
                 const OdlPart *parts,
                 int n_parts,
                 void *out,
                 GError **error);
  // Fills in what odl_engine_observe returns. NULL: nothing can be observed.
  bool (*observe) (OdlEngine *engine, const OdlPlan *plan, float *numbers);
  // Works in the way `name` (one of `variants`; NULL: what is fastest here) from the next
  // prepare on, which must follow before the next run. ODL_ERROR_UNSUPPORTED where this
  // machine cannot. NULL without variants.
  bool (*choose) (OdlEngine *engine, const char *name, GError **error);
  // For measurements: queues the work of the last frame again without its upload, or only
  // its synthesis from the coefficients of that frame. NULL: not supported.
  void (*repeat) (OdlEngine *engine, bool synthesis_only);
} OdlEngineClass;

// An engine and how it is to work, which people write as "gl-fragment:packed".
typedef struct {
  const OdlEngineClass *klass;
  const char *variant; // of the class's table; NULL: the fastest one here
} OdlEngineChoice;

// How many times as dear convolutions by Fourier transforms are, beside products, as the
// engine counts them (engine/prices.h).
typedef struct {
  double pictures, volumes;
  bool is_measured; // here; else 1, as shipped
} OdlPrices;

// First member of every engine.
struct _OdlEngine {
  const OdlEngineClass *klass;
  OdlEngineCounters counters;
  // Set and owned by the caller: the pool of the GL context, whose images are read in
  // place. NULL: every image is copied.
  OdlImagePool *pool;
  // Bytes that the pictures of a plan may take (engine/sections.h); 0: it is not known.
  double memory;
  // Bytes that a picture of single floats may have; 0: no limit. Volumes beyond are
  // filtered in sections.
  double block;
  // Set by the caller before each run: the moment of its frame. All zero: a single
  // picture.
  OdlMoment moment;
  // Set by odl_engine_run, for steps over time: how many frames of the take were run
  // before this one, since the structure was put in place. Engines keep the pictures of a
  // step in a ring of step->frames places, this frame's at past modulo frames.
  uint64_t past;
  // Set and owned by the caller, for volumes: told how far a run is, which ends with
  // ODL_ERROR_CANCELLED when it is stopped. NULL: nobody waits.
  OdlProgress *progress;
  // 1: a step of this run found no memory, which ends with ODL_ERROR_TOO_LARGE. Atomic.
  int short_of_memory;
  // Set by a step that failed for another reason, which ends the run. Owned.
  GError *failure;
  OdlMoment last; // of the last run; take 0: none that a frame could follow
  // What prices are measured for, set by the engine as it opens; NULL: it has its own.
  // Freed with the engine.
  char *device;
  OdlPrices prices; // since the structure was put in place
  bool is_variant; // set by odl_engine_choose: one was asked for by name
  // How many times as long the last convolution was counted to take by products as by
  // transforms, at the shipped prices.
  double gain;
  // Set by the caller: measure steps. GL needs timer queries; the CPU engine then goes
  // step by step where it would run a whole plan as one pass, whose steps cannot be told
  // apart.
  bool timing;
  // Set by the caller: prepare may fail with ODL_ERROR_PENDING while a driver compiles,
  // and is asked again.
  bool patient;
  // Set by the caller: observed numbers are wanted. `n_observing` counts the frames whose
  // numbers have not arrived yet.
  bool observing;
  int n_observing;
  int n_step_ns; // 0 while unknown (GL: results of some frames ago)
  int64_t *step_ns; // time of each step of the last measured run; all 0: one pass
  int64_t frame_ns; // sum over the steps
  // How the last run worked: "streamed-avx512"; "" for the only way. Where the plan has a
  // step that the chosen variant cannot do, what ran instead: "quads, not mirror".
  char variant[32];
};

// The registry, in the order in which people see it. Any thread.
size_t odl_engine_count (void);
const OdlEngineClass *odl_engine_at (size_t index);
const OdlEngineClass *odl_engine_find (const char *name);

// "gl-fragment" or "gl-fragment:packed". ODL_ERROR_USAGE, naming what there is, for
// engines and variants that do not exist; whether they run here is seen when they open.
bool odl_engine_choice_parse (const char *text, OdlEngineChoice *choice, GError **error);
char *odl_engine_choice_to_text (OdlEngineChoice choice); // transfer full

// Whether the engine's limits allow `plan`. If not, `error` (ODL_ERROR_UNSUPPORTED) names
// the wavelet, the engine and the reason. Any thread.
bool
odl_engine_can_run (const OdlEngineClass *klass, const OdlPlan *plan, GError **error);

// Wrappers over the table; prepare asks odl_engine_can_run first. odl_engine_close
// accepts NULL.
OdlEngine *odl_engine_open (const OdlEngineClass *klass, GError **error);
OdlEngine *odl_engine_open_choice (OdlEngineChoice choice, GError **error);
// As OdlEngineClass.choose; NULL is fine for engines without variants.
bool odl_engine_choose (OdlEngine *engine, const char *variant, GError **error);
void odl_engine_close (OdlEngine *engine);
bool odl_engine_prepare (OdlEngine *engine, const OdlPlan *plan, GError **error);
bool
odl_engine_run (OdlEngine *engine, const OdlPlan *plan, OdlImage *input, GError **error);

// The content of a slot of the prepared plan after run, as F32 image: channels of the
// slot, layout as in OdlSlot, values scaled. LL of a slot that THRESHOLD wrote is
// undefined.
OdlImage *
odl_engine_read_back (OdlEngine *engine, const OdlPlan *plan, int slot, GError **error);

// The observed numbers (plan/flow.h has their order) of the prepared plan: of the
// last frame that was run, or where a GPU made them of one before it. Never waits; false
// when none have come since the last call.
bool odl_engine_observe (OdlEngine *engine, const OdlPlan *plan, float *numbers);

// prepare, run and read_back of the result, with the input's alpha, ranges, value map,
// spacing and mark carried over (odl_plan_describe): a scaled F32 image of the input's
// channels (1 for an analysis of luma). stored_min … stored_max of the result are 0 … 1.
OdlImage *odl_engine_process (OdlEngine *engine,
                              const OdlPlan *plan,
                              OdlImage *input,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

// The same, bit by bit, for whoever reads rows: the planes of the result may lie apart,
// and its colours may be luma and differences (OdlEngineClass.show), which saves a pass
// over the picture. Where nothing is filtered the result of whole samples is `input`
// itself, with its own stored_min and stored_max, which saves four bytes a sample.
OdlImage *
odl_engine_show (OdlEngine *engine, const OdlPlan *plan, OdlImage *input, GError **error)
    G_GNUC_WARN_UNUSED_RESULT;

// Parts of the result of the last run, one after the other and row by row, channels of a
// pixel side by side; of bytes a single part. A GPU computes them and sends nothing else
// back. The engine has `parts`.
bool odl_engine_parts (OdlEngine *engine,
                       const OdlPlan *plan,
                       OdlPartForm form,
                       const OdlPart *parts,
                       int n_parts,
                       void *out,
                       GError **error);

// What such an engine does otherwise than `plan` asks: 16-bit precision, which only GPUs
// have. Translated; NULL: nothing. Transfer full.
char *odl_engine_note (const OdlEngineClass *klass, const OdlPlan *plan);

// For engines: (re)sizes step_ns and forgets earlier frames. Used inside prepare, when
// the structure changes.
void odl_engine_set_steps (OdlEngine *engine, int n_steps);

// For engines: how many earlier pictures a step over time can look at in this run, and
// which place of its ring holds the picture `back` frames ago (0: this frame's).
int odl_engine_earlier (const OdlEngine *engine, const OdlStep *step);
int odl_engine_place (const OdlEngine *engine, const OdlStep *step, int back);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlEngine, odl_engine_close)
