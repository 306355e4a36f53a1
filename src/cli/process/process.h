// SPDX-License-Identifier: MIT
// The task of `process` in three parts: what is done to each input, what does it, and all
// inputs with their outputs. Options (process/options.h) become it in process/task.c.
#pragma once

#include "cli/inputs.h"
#include "work/picture.h"
#include "cli/process/log.h"
#include "cli/process/options.h"
#include "work/runner.h"
#include "image/annotation/on_plane.h"
#include "image/area.h"
#include "image/compare.h"
#include "image/quality/noise_model.h"
#include "image/render/preset.h"
#include "image/surface/look.h"
#include "output/movie/codec.h"
#include "image/display/colour_map.h"
#include "source/dicom/fusion.h"
#include "source/dicom/segments.h"
#include "source/source.h"
#include "work/derived.h"

// Values of OdlProcessWork.lead_in that are no numbers of frames.
enum { ODL_LEAD_IN_ALL = -1, ODL_LEAD_IN_AUTO = -2 }; // auto: odl_plan_lead_in

// What is done to each input: a plain description, which any thread reads.
typedef struct {
  OdlRecipe asked; // as it was typed
  gint64 frame; // the one to write, for a single picture; from 0, as all that follow
  bool frame_said; // somebody typed its number
  gint64 first, last; // frames to write; last −1: to the end
  gint64 lead_in; // frames before the first one that filters over time see, or one of:
  int64_t duration_ns; // of the output; 0: no limit
  OdlArea area; // where filters act
  OdlArrangement homogeneous; // part that noise is measured in; width 0: the picture
  OdlNoiseModel noise; // added to pictures before they are filtered
  const OdlRenderPreset *rendering; // volumes from outside; NULL: their slices
  OdlLook look; // at them, at first
  const char *plane; // of them, as it was typed; NULL: none
  OdlOnPlane on; // that one
  OdlWindow window; // how values are shown
  OdlShape shape;
  bool valid; // what depends on a border is not written
  char *state; // header of a presentation state; NULL: none was asked for
  OdlSegments *segments; // that are drawn; NULL: none were asked for
  OdlFusion *fusion; // that is laid over them; NULL: none was asked for
  const OdlColourMap *fusion_map; // its colours
  double fusion_share; // 0 … 1
  uint8_t *hidden_segments; // 1 for each of them that is not; NULL: all are
  bool window_said, orientation_said; // by somebody, whatever the state says
  const OdlFormat *format;
  bool numbered; // the output is a pattern, see output/sequence.h
  OdlDepth depth; // that the format has
  const OdlCodec *codec; // for a moving format
  OdlQuality quality;
  OdlJpeg2000Quality jpeg2000; // of that format
  bool badge; // a strip below the pictures of a processed video, letters on renderings
  OdlDerivedChoice derived; // for DICOM files; its rectangles are owned
} OdlProcessWork;

// What does it, and what was found for the input at hand; of the thread that filters.
typedef struct {
  OdlRunner *runner;
  const char *input; // at hand
  OdlRecipe recipe; // as asked, measured for that one
  OdlDetailReach reach; // of its details, for the window
  bool has_area; // it was found
  bool awaits_volume; // the recipe is measured in all slices of a volume, not in a frame
} OdlProcessRun;

// All inputs, and what goes with their outputs.
typedef struct {
  OdlProcessWork work;
  OdlProcessRun run;
  GPtrArray *jobs;
  OdlLog *log; // of these; NULL: nobody wants one
  GHashTable *input_files; // of odl_jobs_files
  const char *new_folder; // made for the outputs; NULL: it was there, or there is none
  bool replace; // existing files
  OdlOutputGuard *guard;
  bool progress; // in lines for programs
  bool at_once; // other inputs are worked on at the same time
  int n_jobs; // inputs that are worked on at the same time, at least 1
  double budget; // bytes of memory for pictures between decoding and writing
  OdlImage *reference; // that results are compared with; NULL: none
  OdlSource *frame_references; // of moving ones, one for each frame; NULL: none
  const char *reference_name; // its file
  const char *mask_output; // files for contours; NULL: nobody wants them
  const char *contour_output;
  const char *mesh_output; // file for the surface; NULL: nobody wants it
  bool tell_what_remains; // in the words of DICOM files that are written
} OdlProcess;

// Fills `task`, which is zero except for `guard`, from `options`, from which it borrows.
// ODL_ERROR_USAGE: the options are wrong or contradict each other; other errors of
// ODL_ERROR: a file is missing. To be cleared in any case.
bool odl_process_task_init (OdlProcess *task,
                            const OdlProcessOptions *options,
                            GError **error);
void odl_process_task_clear (OdlProcess *task);

// The recipe from the command line or from a file.
bool
odl_process_recipe (const OdlProcessOptions *options, OdlRecipe *recipe, GError **error);

// A window as it is typed: "file", "file:2", "full", "CENTRE,WIDTH"; NULL: that of the
// file. ODL_ERROR_USAGE.
bool odl_process_parse_window (const char *text, OdlWindow *window, GError **error);

// False, with ODL_ERROR_IO, when `output` is a file that a job reads, or one that is
// there already and shall not be replaced.
bool
odl_process_check_output (const OdlProcess *task, const char *output, GError **error);

// Writes frame `index` to the file that the pattern of the job's output names.
bool odl_process_write_numbered (const OdlProcess *task,
                                 const OdlJob *job,
                                 const OdlPicture *picture,
                                 gint64 index,
                                 GError **error);

// Replaces a picture that was read by one with the noise of the task. `frame` from 0.
bool odl_process_add_noise (const OdlProcess *task,
                            OdlImage **image,
                            gint64 frame,
                            GError **error);

// Whether frames are written, as a video or as numbered files.
bool odl_process_is_moving (const OdlProcess *task);

// Begins an input, whose noise is not known yet. `input` is borrowed until the next one.
void odl_process_begin (OdlProcess *task, const char *input);

// Called with each picture before it is filtered. The first one of an input determines
// the values that are ODL_VALUE_AUTO, which are reported on standard error, where filters
// act, and how strong details are shown. ODL_ERROR_UNSUPPORTED: that is not known.
// ODL_ERROR_USAGE: the part that noise is to be measured in is not inside of the picture.
bool odl_process_measure (OdlProcess *task, OdlImage *image, GError **error);

// That a result is written in, see plan/result_window.h: `window`, where it is beside the
// original or goes into DICOM files. `image` describes the source.
OdlWindow odl_process_window (const OdlProcess *task,
                              const OdlOperands *operands,
                              const OdlImage *image,
                              const OdlWindow *window);

// Whether a still can be written in the format: a single slice becomes a volume if it has
// a place.
bool odl_process_takes_still (const OdlProcess *task, const OdlSource *source);

// Of a volume, before its first slice: noise and details are those of its middle slice,
// which the window opens, since the first one is often empty. One that cannot be read is
// told when it is its turn. Nothing is done for other sources.
bool odl_process_measure_volume (OdlProcess *task, OdlSource *source, GError **error);

// Recipe and engine, for the file's comment; not translated, since programs read it.
char *odl_process_description (const OdlProcess *task);

// Reports notes and warnings about a picture and its plan on standard error.
void
odl_process_report_notes (const char *input, const OdlImage *image, const OdlPlan *plan);
// That a colour map was asked for, for a picture that takes none.
void odl_process_report_colours (const OdlProcess *task,
                                 const char *input,
                                 const OdlImage *image);

// Reports the comparison of a result, and of the unprocessed picture, with the reference,
// if there is one, else with `clean`, the picture without noise, unless it is NULL.
// ODL_ERROR_UNSUPPORTED: the sizes differ.
bool odl_process_compare (const OdlProcess *task,
                          const char *input,
                          const OdlImage *clean,
                          const OdlImage *image,
                          const OdlImage *result,
                          GError **error);

// Says how far a result is from the reference, and unless `before` is NULL the picture as
// it came.
void odl_process_report_comparison (const OdlProcess *task,
                                    const char *input,
                                    const OdlComparison *after,
                                    const OdlComparison *before);

// Reports that temporal filters, if there are any, have no effect on it.
void odl_process_report_still (const OdlProcess *task, const char *input);

// The first frame to be read for frame `wanted`; may read the source's first one.
gint64
odl_process_lead_in_first (const OdlProcess *task, OdlSource *source, gint64 wanted);

// Whether standard error is a terminal, whose line can be overwritten.
bool odl_process_on_terminal (void);

// "[3/199] in -> out" on standard error, when there are several jobs.
void odl_process_show_progress (const OdlProcess *task, guint index);

// Says, at the end, how many of the frames that were written are crosses, or slices that
// are missing, and how many are damaged in part; nothing for 0.
void odl_process_report_damage (const OdlProcess *task,
                                const char *input,
                                gint64 crosses,
                                gint64 flawed,
                                gint64 written);

// Whether frames up to the end are wanted, and it holds fewer than it declares.
bool odl_process_ends_early (const OdlProcess *task, const OdlSourceInfo *info);

// Reports why a job failed.
void odl_process_report_failure (const OdlProcess *task,
                                 const OdlJob *job,
                                 const GError *error);

// Writes the frames of one input, in order. *marked is set to the number of frames that
// could not be read, or only in part, and were written as marked pictures; a premature
// end of the input, or fewer frames than it declares, count as one more. The result is
// complete nevertheless, and all of this is reported. Errors: any of ODL_ERROR; then
// there is no video.
bool
odl_process_moving (OdlProcess *task, const OdlJob *job, gint64 *marked, GError **error);
