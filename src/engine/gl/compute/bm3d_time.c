// SPDX-License-Identifier: MIT
#include "engine/gl/compute/bm3d_time.h"

#include <string.h>

#include "engine/gl/compute/bm3d_streams.h"
#include "engine/gl/compute/step_compiler.h"
#include "engine/gl/platform/pace.h"
#include "engine/gl/steps.h"

#define SIDE ODL_BM3D_SIDE
#define QUADS_X 16 // of passes over quads
#define QUADS_Y 8

// ---- what frames are -----------------------------------------------------------------

static guint64
mix (guint64 digest, guint64 word)
{
  digest = (digest ^ word) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return digest ^ digest >> 29;
}

static guint64
mix_bytes (guint64 digest, const void *bytes, size_t n)
{
  for (size_t i = 0; i < n; i += sizeof (guint64)) {
    guint64 word = 0;
    memcpy (&word, (const char *) bytes + i, MIN (sizeof word, n - i));
    digest = mix (digest, word);
  }
  return digest;
}

// Of what a step writes: what it does, and what it reads. Pictures are known by where
// their samples lie, as long as they are kept.
static guint64
digest_step (const OdlStep *step, const guint64 *slots, const OdlImage *input)
{
  const OdlStepParameters *own = &step->parameters;
  const int structure[] = { (int) step->kind, (int) step->axis, step->level,
                            step->side,       step->rule,       step->band };
  const size_t n
      = (size_t) (step->kernel_width * step->kernel_height * step->kernel_depth);
  const OdlImage *image = step->kind != ODL_STEP_LOAD ? NULL
                          : own->operand != NULL      ? own->operand
                                                      : input;
  guint64 digest = mix_bytes (0, structure, sizeof structure);

  digest = mix_bytes (digest, own, offsetof (OdlStepParameters, kernel));
  if (own->kernel != NULL)
    digest = mix_bytes (digest, own->kernel, n * sizeof *own->kernel);
  if (image != NULL)
    digest = mix (digest, (guint64) (uintptr_t) odl_image_info (image)->planes[0].data);
  for (int r = 0; r < ODL_STEP_MOST_READS; r++)
    if (step->reads[r] != ODL_PLAN_NO_SLOT)
      digest = mix (digest, slots[step->reads[r]]);
  return digest;
}

static void
digest_reads (const OdlPlan *plan, int index, const OdlImage *input, guint64 *seen)
{
  g_autofree guint64 *slots = g_new0 (guint64, plan->n_slots);
  const OdlStep *step = &plan->steps[index];
  const int past = (int) odl_step_value (step, "past");
  const int ahead = (int) odl_step_value (step, "ahead");
  const int first = ODL_BM3D_PAST (step->side) - past;

  for (int i = 0; i < index; i++)
    slots[plan->steps[i].writes] = digest_step (&plan->steps[i], slots, input);
  for (int i = 0; i <= past + ahead; i++)
    seen[i] = slots[step->reads[first + i]];
}

// ---- passes --------------------------------------------------------------------------

typedef struct {
  const OdlGlDispatchParams *params;
  OdlGlBm3dStream *stream;
  OdlGlPace pace;
  guint n_done, n_all; // passes
  GError **error;
} Run;

static const OdlStep *
step_of (const Run *run)
{
  return &run->params->plan->steps[run->stream->index];
}

// Over planes.
static OdlGlDispatch
pass_of (const Run *run, const OdlGlProgram *program)
{
  const OdlGlBm3dStream *stream = run->stream;
  const OdlGlBm3dWork *work = &stream->steps[0].work;
  const int layout[2] = { stream->pitch, stream->pitch * work->height };
  OdlGlDispatch pass
      = { .program = program,
          .groups = { (GLuint) ((stream->pitch + QUADS_X - 1) / QUADS_X),
                      (GLuint) ((work->height + QUADS_Y - 1) / QUADS_Y), 1 } };

  pass.uniforms.size[0] = work->width;
  pass.uniforms.size[1] = work->height;
  memcpy (pass.uniforms.source_layout, layout, sizeof layout);
  memcpy (pass.uniforms.target_layout, layout, sizeof layout);
  pass.uniforms.parameters[0] = (float) step_of (run)->parameters.sigma;
  return pass;
}

// Coefficients, each row of them in whole quads.
static void
set_rows (OdlGlDispatch *pass, const float *rows, int width, int height)
{
  const int quads = (width + 3) / 4;

  for (int y = 0; y < height; y++)
    memcpy (pass->uniforms.coefficients[y * quads], rows + (size_t) y * width,
            (size_t) width * sizeof *rows);
}

static int
place_of (const Run *run, int64_t number)
{
  return odl_bm3d_schedule_place (&run->stream->schedule, number);
}

// The size, and where a slot's channel lies.
static void
set_slot (const Run *run, int slot, int channel, OdlGlDispatch *pass)
{
  const OdlSlot *own = &run->params->plan->slots[slot];

  pass->uniforms.size[0] = own->width;
  pass->uniforms.size[1] = own->height;
  odl_gl_set_layout (pass->uniforms.target_layout, store_at (run->params, slot));
  pass->uniforms.n = channel;
  pass->uniforms.bias = odl_gl_bias (run->params->plan->precision);
}

// Of a frame that enters, into the planes behind those of the guides.
static void
whiten (const Run *run, OdlGlDispatch pass)
{
  const OdlGlBm3dStream *stream = run->stream;

  pass.program = stream->whiten;
  pass.buffers[2] = pass.buffers[3] = 0;
  pass.uniforms.place += 2 * stream->frames;
  set_rows (&pass, stream->whitening, ODL_BM3D_WHITENING, ODL_BM3D_WHITENING);
  odl_gl_dispatch (&pass);
}

// `read`: number of what the step reads.
static void
enter (const Run *run, int read, int place)
{
  const int slot = step_of (run)->reads[read];

  for (int c = 0; c < run->stream->n_channels; c++) {
    const OdlGlBm3dChannel *channel = &run->stream->channels[c];
    OdlGlDispatch pass = pass_of (run, run->stream->enter);
    set_slot (run, slot, c, &pass);
    pass.buffers[0] = store_at (run->params, slot)->buffer;
    pass.buffers[1] = channel->pictures;
    pass.buffers[2] = channel->sums[0];
    pass.buffers[3] = channel->sums[1];
    pass.uniforms.place = place;
    odl_gl_dispatch (&pass);
    if (run->stream->whiten != NULL)
      whiten (run, pass);
  }
}

// CLEAR and GUIDES, of frames one after the other.
static void
run_planes (const Run *run, const OdlBm3dAct *act)
{
  const bool clears = act->kind == ODL_BM3D_CLEAR;

  for (int c = 0; c < run->stream->n_channels; c++) {
    const OdlGlBm3dChannel *channel = &run->stream->channels[c];
    OdlGlDispatch pass = pass_of (run, clears ? run->stream->clear : run->stream->guides);
    pass.buffers[0] = channel->sums[act->step];
    pass.buffers[1] = clears ? 0 : channel->pictures;
    pass.uniforms.first = place_of (run, act->first);
    pass.groups[2] = (GLuint) (act->last - act->first + 1);
    odl_gl_dispatch (&pass);
  }
}

// Of a band, which begins with row `first` of tiles.
static OdlGlDispatch
band_pass (const Run *run,
           const OdlGlBm3dStep *step,
           const OdlGlProgram *program,
           int first)
{
  OdlGlDispatch pass = pass_of (run, program);

  pass.uniforms.first = first;
  pass.uniforms.depth = step->work.band;
  pass.uniforms.shift
      = (int) (odl_gl_bm3d_groups (&step->work) * (size_t) step->work.most);
  return pass;
}

static void
find_groups (const Run *run,
             const OdlGlBm3dStep *step,
             const OdlGlBm3dChannel *channel,
             const OdlBm3dAct *act,
             int first,
             GLuint rows)
{
  const OdlGlBm3dWork *work = &step->work;
  const int regular = (work->width - SIDE) / work->step + 1;
  const int before = work->coloured ? 2 : act->step; // in what blocks are compared
  const int planes = before * run->stream->frames;
  OdlGlDispatch match = band_pass (run, step, step->match, first);
  OdlGlDispatch follow = band_pass (run, step, step->follow, first);

  match.buffers[0] = follow.buffers[0] = channel->pictures;
  match.buffers[1] = follow.buffers[1] = run->stream->between;
  match.uniforms.n = planes + place_of (run, act->frame);
  match.groups[0] = (GLuint) ((regular + work->beside - 1) / work->beside
                              + (regular < work->columns ? 1 : 0));
  match.groups[1] = follow.groups[1] = rows;
  follow.groups[0] = (GLuint) work->columns;
  follow.uniforms.n = planes;
  follow.uniforms.place = place_of (run, act->frame);
  follow.uniforms.rows = (int) (act->frame - act->first);
  follow.uniforms.across = (int) (act->last - act->frame);
  odl_gl_dispatch (&match);
  odl_gl_dispatch (&follow);
}

// What groups of the band say of one frame.
static void
add_frame (const Run *run,
           const OdlGlBm3dStep *step,
           const OdlGlBm3dChannel *channel,
           const OdlBm3dAct *act,
           int place,
           int first,
           int rows)
{
  const OdlGlBm3dWork *work = &step->work;
  const int tall = work->tile * work->step, last = work->height - SIDE;
  const int top = MIN (first * tall, last) - work->reach;
  const int bottom = MIN ((first + rows - 1) * tall, last) - work->reach + work->edge;
  OdlGlDispatch add = band_pass (run, step, step->add, first);
  OdlGlDispatch sum = band_pass (run, step, step->sum, first);

  add.buffers[0] = sum.buffers[0] = run->stream->between;
  add.groups[0] = (GLuint) work->tiles_x;
  add.groups[1] = (GLuint) rows;
  add.uniforms.place = sum.uniforms.place = place;
  sum.buffers[1] = channel->sums[act->step];
  sum.uniforms.origin[0] = MAX (top, 0);
  sum.uniforms.origin[1] = MIN (bottom, work->height);
  sum.uniforms.rows = rows;
  sum.groups[1]
      = (GLuint) ((sum.uniforms.origin[1] - sum.uniforms.origin[0] + QUADS_Y - 1)
                  / QUADS_Y);
  odl_gl_dispatch (&add);
  odl_gl_dispatch (&sum);
}

// What noise does to coefficients, where the filter looks for it.
static void
find_noise (const Run *run, const OdlGlBm3dStep *step)
{
  OdlGlDispatch pass = band_pass (run, step, step->noise, 0);

  pass.buffers[0] = run->stream->between;
  set_rows (&pass, run->stream->correlations, SIDE, SIDE);
  pass.groups[0] = pass.groups[1] = ODL_BM3D_APART;
  odl_gl_dispatch (&pass);
}

static bool
run_channel (Run *run, const OdlBm3dAct *act, const OdlGlBm3dChannel *channel)
{
  const OdlGlBm3dStep *step = &run->stream->steps[act->step];
  const OdlGlBm3dWork *work = &step->work;

  if (step->noise != NULL)
    find_noise (run, step);
  for (int first = 0; first < work->tiles_y; first += work->band) {
    const int rows = MIN (work->band, work->tiles_y - first);
    const GLuint blocks
        = (GLuint) MIN (rows * work->tile, work->rows - first * work->tile);
    OdlGlDispatch filter = band_pass (run, step, step->filter, first);

    find_groups (run, step, channel, act, first, blocks);
    filter.buffers[0] = channel->pictures;
    filter.buffers[1] = run->stream->between;
    filter.groups[0] = (GLuint) work->columns;
    filter.groups[1] = blocks;
    odl_gl_dispatch (&filter);
    for (int64_t number = act->first; number <= act->last; number++)
      add_frame (run, step, channel, act, place_of (run, number), first, rows);
    if (!odl_gl_pace_keep (&run->pace, run->n_done, MAX (run->n_all, run->n_done + 1),
                           run->error))
      return false;
  }
  run->n_done++;
  return true;
}

static bool
run_act (Run *run, const OdlBm3dAct *act)
{
  const OdlGlBm3dStream *stream = run->stream;
  const OdlBm3dSchedule *schedule = &stream->schedule;
  bool ok = true;

  switch (act->kind) {
  case ODL_BM3D_ENTER:
    enter (run, ODL_BM3D_PAST (stream->frames) + (int) (act->frame - schedule->now),
           place_of (run, act->frame));
    break;
  case ODL_BM3D_CLEAR:
  case ODL_BM3D_GUIDES:
    run_planes (run, act);
    break;
  case ODL_BM3D_PASS:
    for (int c = 0; c < stream->n_channels && ok; c++)
      ok = run_channel (run, act, &stream->channels[c]);
    break;
  default:
    g_assert_not_reached ();
  }
  return ok;
}

// Without noise the frame as it came.
static void
write_result (const Run *run)
{
  const OdlGlBm3dStream *stream = run->stream;
  const bool filters = step_of (run)->parameters.sigma > 0;
  const int slot = step_of (run)->writes;
  const int place = filters ? place_of (run, stream->schedule.now) : 0;

  if (!filters)
    enter (run, ODL_BM3D_PAST (stream->frames), place);
  for (int c = 0; c < stream->n_channels; c++) {
    const OdlGlBm3dChannel *channel = &stream->channels[c];
    OdlGlDispatch pass = pass_of (run, stream->result);
    set_slot (run, slot, c, &pass);
    pass.buffers[0] = filters ? channel->sums[1] : channel->pictures;
    pass.buffers[1] = store_at (run->params, slot)->buffer;
    pass.uniforms.place = place;
    pass.uniforms.first = filters ? stream->frames + place : -1;
    pass.groups[0]
        = (GLuint) ((store_at (run->params, slot)->pitch + QUADS_X - 1) / QUADS_X);
    odl_gl_dispatch (&pass);
  }
}

// ---- results -------------------------------------------------------------------------

static void
forget (OdlGlBm3dStream *stream)
{
  stream->schedule.any = false;
  g_clear_pointer (&stream->plan, odl_plan_unref);
  g_clear_pointer (&stream->input, odl_image_unref);
}

// Whether it is another one than before; white noise is always alike.
static bool
take_noise (OdlGlBm3dStream *stream, const OdlStep *step)
{
  const float *correlations = step->parameters.kernel;

  if (stream->whiten == NULL
      || memcmp (stream->correlations, correlations, sizeof stream->correlations) == 0)
    return false;
  memcpy (stream->correlations, correlations, sizeof stream->correlations);
  odl_bm3d_whitening (correlations, stream->whitening);
  return true;
}

// The pictures are kept as long as their digests.
static void
move (OdlGlBm3dStream *stream, OdlPlan *plan, OdlImage *input)
{
  const OdlStep *step = &plan->steps[stream->index];
  OdlPlan *plan_before = stream->plan;
  OdlImage *input_before = stream->input;
  guint64 seen[ODL_BM3D_MOST_SEEN] = { 0 };

  digest_reads (plan, stream->index, input, seen);
  if (take_noise (stream, step) || stream->sigma != step->parameters.sigma)
    stream->schedule.any = false;
  stream->sigma = step->parameters.sigma;
  odl_bm3d_schedule_move (&stream->schedule, (int) odl_step_value (step, "past"),
                          (int) odl_step_value (step, "ahead"), seen);
  stream->plan = odl_plan_ref (plan);
  stream->input = odl_image_ref (input);
  odl_plan_unref (plan_before);
  odl_image_unref (input_before);
}

static guint
count_passes (const OdlGlBm3dStream *stream, const GArray *acts)
{
  guint n = 0;

  for (guint i = 0; i < acts->len; i++)
    n += g_array_index (acts, OdlBm3dAct, i).kind == ODL_BM3D_PASS;
  return n * (guint) stream->n_channels;
}

bool
odl_gl_bm3d_time_run (const OdlGlDispatchParams *params,
                      int index,
                      OdlImage *input,
                      OdlProgress *progress,
                      GError **error)
{
  OdlGlBm3dStream *stream = odl_gl_bm3d_stream_at (params->streams, index);
  Run run = {
    .params = params, .stream = stream, .pace = { .progress = progress }, .error = error
  };
  bool ok = true;

  g_clear_pointer (&stream->acts, g_array_unref);
  if (step_of (&run)->parameters.sigma > 0) {
    move (stream, (OdlPlan *) params->plan, input);
    stream->acts = odl_bm3d_schedule_acts (&stream->schedule);
    run.n_all = count_passes (stream, stream->acts);
    for (guint i = 0; i < stream->acts->len && ok; i++)
      ok = run_act (&run, &g_array_index (stream->acts, OdlBm3dAct, i));
    odl_gl_pace_end (&run.pace);
  } else {
    forget (stream);
  }
  if (ok)
    write_result (&run);
  else
    forget (stream);
  return ok;
}

// The last act of each kind and step.
void
odl_gl_bm3d_time_repeat (const OdlGlDispatchParams *params, int index)
{
  OdlGlBm3dStream *stream = odl_gl_bm3d_stream_at (params->streams, index);
  Run run = { .params = params, .stream = stream };

  for (guint i = 0; stream->acts != NULL && i < stream->acts->len; i++) {
    const OdlBm3dAct *act = &g_array_index (stream->acts, OdlBm3dAct, i);
    bool last = act->kind != ODL_BM3D_CLEAR;
    for (guint k = i + 1; k < stream->acts->len; k++) {
      const OdlBm3dAct *later = &g_array_index (stream->acts, OdlBm3dAct, k);
      last = last && (later->kind != act->kind || later->step != act->step);
    }
    if (last)
      run_act (&run, act);
  }
  write_result (&run);
  forget (stream);
}
