// SPDX-License-Identifier: MIT
#include "engine/gl/compute/bm3d_streams.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/gl/compute/step_compiler.h"
#include "engine/gl/platform/device_buffer.h"

#define SIDE ODL_BM3D_SIDE

// Blocks of a group that its work group takes at a time, where these are not all.
#define CHUNK 32
#define WHOLE 48 // at most so many are taken together

#define IN_REGISTERS 48 // samples of an invocation, at most

// Of bm3d_time_filter.comp.
#define FILTER_ROW 9

// Pictures and guides, or sums and weights, of each frame; of noise that is not white
// also pictures in which blocks are compared.
#define PLANES 2

struct _OdlGlBm3dStreams {
  int refs;
  GPtrArray *all; // OdlGlBm3dStream
};

static void
stream_free (void *data)
{
  OdlGlBm3dStream *stream = data;

  for (int c = 0; c < stream->n_channels; c++) {
    glDeleteBuffers (1, &stream->channels[c].pictures);
    glDeleteBuffers (2, stream->channels[c].sums);
  }
  glDeleteBuffers (1, &stream->between);
  g_free (stream->channels);
  g_clear_pointer (&stream->plan, odl_plan_unref);
  g_clear_pointer (&stream->input, odl_image_unref);
  g_clear_pointer (&stream->acts, g_array_unref);
  g_free (stream);
}

OdlGlBm3dStreams *
odl_gl_bm3d_streams_new (void)
{
  OdlGlBm3dStreams *streams = g_new0 (OdlGlBm3dStreams, 1);

  streams->refs = 1;
  streams->all = g_ptr_array_new_with_free_func (stream_free);
  return streams;
}

OdlGlBm3dStreams *
odl_gl_bm3d_streams_ref (OdlGlBm3dStreams *streams)
{
  streams->refs++;
  return streams;
}

void
odl_gl_bm3d_streams_unref (OdlGlBm3dStreams *streams)
{
  if (streams == NULL || --streams->refs > 0)
    return;
  g_ptr_array_unref (streams->all);
  g_free (streams);
}

OdlGlBm3dStream *
odl_gl_bm3d_stream_at (const OdlGlBm3dStreams *streams, int index)
{
  for (guint i = 0; i < streams->all->len; i++) {
    OdlGlBm3dStream *stream = g_ptr_array_index (streams->all, i);
    if (stream->index == index)
      return stream;
  }
  return NULL;
}

// ---- shape ---------------------------------------------------------------------------

// Blocks of a group of so many frames, of each of them.
static int
few_of (int most_along, int times)
{
  int few = MIN (most_along, ODL_BM3D_MOST_PLACES / times);

  while ((few & (few - 1)) != 0)
    few &= few - 1;
  return few;
}

static size_t
words_of (const OdlGlBm3dStep *step, int frames)
{
  const OdlGlBm3dWork *work = &step->work;
  const size_t group
      = (size_t) work->most + frames + 1 + 1 + (size_t) step->room * SIDE * SIDE;

  return odl_gl_bm3d_groups (work) * group
         + 2 * (size_t) work->band * work->tiles_x * work->edge * work->pitch
         + odl_gl_bm3d_noise_words (work);
}

static int
filter_bytes (const OdlGlBm3dStep *step, int frames)
{
  return (int) sizeof (float)
         * (step->chunk * SIDE * FILTER_ROW + frames * (frames + 1) + step->work.most
            + SIDE * SIDE + SIDE
            + (step->work.coloured ? step->work.most * (SIDE * FILTER_ROW + 2) : 0));
}

static void
shape_step (OdlGlBm3dStep *step,
            const OdlGlCaps *caps,
            const OdlGlBm3dStream *stream,
            const OdlStep *own)
{
  const OdlBm3dSettings *settings = &odl_bm3d_efforts[own->rule];
  OdlGlBm3dWork *work = &step->work;
  const int most_along = settings->most_along[work->second];

  work->few = most_along;
  step->all = work->most;
  for (int times = 2; times <= stream->frames; times++)
    step->all = MAX (step->all, times * few_of (most_along, times));
  step->chunk = step->all <= WHOLE ? step->all : CHUNK;
  step->room = step->chunk < step->all && work->second ? 2 * step->all : step->all;
  work->lines = (step->chunk + SIDE - 1) / SIDE;
  while (work->tile > 0 && work->band > 1
         && words_of (step, stream->frames) * sizeof (guint32)
                > odl_gl_bm3d_most_bytes (caps))
    work->band -= (work->band + 7) / 8;
}

// ---- programs ------------------------------------------------------------------------

// Σ along[…] · xj; `back`: of a column in the place of a row.
static void
append_times (GString *text, const char *name, int frames, bool back, bool loops)
{
  g_string_append_printf (text, "#define %s(sum, k) sum = ", name);
  if (loops)
    g_string_append_printf (
        text,
        "0.0; for (int j = 0; j < OPAQUE (%d); j++) sum += along[%s] * x[OPAQUE (j)]",
        frames, back ? "j * FRAMES + (k)" : "(k) * FRAMES + j");
  for (int j = 0; j < frames && !loops; j++)
    g_string_append_printf (
        text, back ? "%salong[%d + (k)] * x%d" : "%salong[%d + (k) * %d] * x%d",
        j > 0 ? " + " : "", back ? j * frames : j, back ? j : frames, j);
  g_string_append (text, ";\n");
}

// What an invocation does with its samples of all blocks of a group of several frames, in
// registers: EACH_OF_ALL (macro), macro (k, z, fk_z) for block z of frame k; ALONG_ALL;
// TIMES_ALL (sums), by OF_TIMES or OF_TIMES_BACK. Only where there are few of them, and
// lists are no loops.
static void
append_all (GString *text, int frames, int few)
{
  g_string_append (text, "#define IN_REGISTERS\n#define EACH_OF_ALL(macro)");
  for (int k = 0; k < frames; k++)
    for (int z = 0; z < few; z++)
      g_string_append_printf (text, " macro (%d, %d, f%d_%d)", k, z, k, z);
  g_string_append (text, "\n#define ALONG_ALL");
  for (int width = 1; width < few; width *= 2) {
    g_string_append_printf (text, " if (n > %d) {", width);
    for (int k = 0; k < frames; k++)
      for (int z = 0; z < few; z++)
        if ((z & width) == 0)
          g_string_append_printf (text, " BUTTERFLY (f%d_%d, f%d_%d)", k, z, k,
                                  z + width);
    g_string_append (text, " }");
  }
  g_string_append (text, "\n#define TIMES_ALL(sums)");
  for (int z = 0; z < few; z++) {
    g_string_append (text, " {");
    for (int k = 0; k < frames; k++)
      g_string_append_printf (text, " float x%d = f%d_%d;", k, k, z);
    for (int k = 0; k < frames; k++)
      g_string_append_printf (text, " sums (f%d_%d, %d)", k, z, k);
    g_string_append (text, " }");
  }
  g_string_append_c (text, '\n');
}

static void
append_cosines (GString *text, int frames)
{
  float matrix[ODL_BM3D_MOST_TIMES][ODL_BM3D_MOST_TIMES];
  int n = 0;

  g_string_append (text, "#define COSINES ");
  for (int times = 1; times <= frames; times++) {
    odl_bm3d_cosines_of_times (times, matrix);
    for (int i = 0; i < times * times; i++, n++) {
      g_string_append (text, n > 0 ? ", " : "");
      odl_gl_bm3d_append_number (text, (double) matrix[i / times][i % times]);
    }
  }
  g_string_append_printf (text, "\n#define N_COSINES %d\n", n);
}

// Of all passes of a step.
static char *
defines_of (const OdlGlBm3dStep *step, int frames, bool loops)
{
  GString *text = g_string_new ("#define SIGMA parameters[0]\n");

  odl_gl_bm3d_append_defines (text, &step->work, loops);
  g_string_append_printf (text,
                          "#define FRAMES %d\n#define MOST_ALONG %d\n"
                          "#define MOST_PLACES %d\n#define MOST_ALL %d\n"
                          "#define GROUP_ROOM %d\n#define CHUNK %d\n%s%s#define HOLD ",
                          frames, step->work.few, ODL_BM3D_MOST_PLACES, step->all,
                          step->room, step->chunk,
                          step->chunk == step->all ? "#define WHOLE\n" : "",
                          step->work.second ? "#define WIENER\n" : "");
  odl_gl_bm3d_append_number (text, ODL_BM3D_HOLD);
  g_string_append (text, "\n#define EACH_TIME(macro)");
  if (loops)
    g_string_append (
        text, " for (int k = 0; k < OPAQUE (FRAMES); k++) { macro (k, x[OPAQUE (k)]) }\n"
              "#define DECLARE_TIMES float x[FRAMES];");
  for (int k = 0; k < frames && !loops; k++)
    g_string_append_printf (text, " macro (%d, x%d)", k, k);
  g_string_append (text, loops ? "\n" : "\n#define DECLARE_TIMES EACH_TIME (DECLARE)\n");
  append_times (text, "OF_TIMES", frames, false, loops);
  append_times (text, "OF_TIMES_BACK", frames, true, loops);
  append_cosines (text, frames);
  if (!loops && frames * step->work.few <= IN_REGISTERS)
    append_all (text, frames, step->work.few);
  return g_string_free (text, FALSE);
}

static bool
get (const OdlGlStepCompiler *c,
     OdlGlPassId pass,
     const char *defines,
     const OdlGlProgram **program)
{
  *program = odl_gl_programs_get (c->params->programs, pass, false, defines, c->error);
  return *program != NULL;
}

static bool
get_step (const OdlGlStepCompiler *c, OdlGlBm3dStep *step, int frames)
{
  g_autofree char *defines = defines_of (step, frames, c->params->caps->is_software);

  if (step->work.coloured
      && !get (c, ODL_GL_PASS_COMPUTE_BM3D_NOISE, defines, &step->noise))
    return false;
  return get (c, ODL_GL_PASS_COMPUTE_BM3D_MATCH, defines, &step->match)
         && get (c, ODL_GL_PASS_COMPUTE_BM3D_TIME_FOLLOW, defines, &step->follow)
         && get (c, ODL_GL_PASS_COMPUTE_BM3D_TIME_FILTER, defines, &step->filter)
         && get (c, ODL_GL_PASS_COMPUTE_BM3D_ADD, defines, &step->add)
         && get (c, ODL_GL_PASS_COMPUTE_BM3D_TIME_SUM, defines, &step->sum);
}

// Of whole planes.
static bool
get_planes (const OdlGlStepCompiler *c, OdlGlBm3dStream *stream)
{
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];
  const int own = c->step->reads[ODL_BM3D_PAST (stream->frames)];
  const OdlGlStore *source = store_at (c->params, own);
  const OdlGlStore *target = store_at (c->params, c->step->writes);
  g_autofree char *first
      = defines_of (&stream->steps[0], stream->frames, c->params->caps->is_software);
  g_autofree char *of_source
      = odl_gl_precision_defines (c->params->caps, source, target->precision);
  g_autofree char *of_target
      = odl_gl_precision_defines (c->params->caps, NULL, target->precision);
  g_autofree char *frames = g_strdup_printf ("#define FRAMES %d\n", stream->frames);
  g_autofree char *enter = g_strconcat (
      of_source, first, MIN (slot->width, slot->height) < SIDE ? "#define SMALL\n" : "",
      NULL);

  if (stream->steps[0].work.coloured
      && !get (c, ODL_GL_PASS_COMPUTE_BM3D_TIME_WHITEN, enter, &stream->whiten))
    return false;
  return get (c, ODL_GL_PASS_COMPUTE_BM3D_TIME_ENTER, enter, &stream->enter)
         && get (c, ODL_GL_PASS_COMPUTE_BM3D_TIME_CLEAR, frames, &stream->clear)
         && get (c, ODL_GL_PASS_COMPUTE_BM3D_TIME_GUIDES, frames, &stream->guides)
         && get (c, ODL_GL_PASS_COMPUTE_BM3D_TIME_RESULT, of_target, &stream->result);
}

// ---- streams -------------------------------------------------------------------------

static bool
make_buffers (const OdlGlCaps *caps,
              OdlGlBm3dStream *stream,
              const OdlPlan *plan,
              GError **error)
{
  const OdlGlBm3dWork *work = &stream->steps[0].work;
  const size_t plane
      = (size_t) stream->frames * 4 * stream->pitch * work->height * sizeof (float);
  const size_t planes = PLANES * plane, pictures = planes + (work->coloured ? plane : 0);
  const size_t between = MAX (words_of (&stream->steps[0], stream->frames),
                              words_of (&stream->steps[1], stream->frames))
                         * sizeof (guint32);

  if ((double) MAX (pictures, between) >= caps->max_storage)
    return odl_error_set (
        error, ODL_ERROR_TOO_LARGE,
        _ ("what a filter over time keeps of images of %d × %d pixels exceeds what a "
           "compute shader of this graphics driver (%s) can reach; choose fewer frames "
           "or the engine “cpu”"),
        plan->geometry.width, plan->geometry.height, caps->renderer);
  odl_gl_forget_errors ();
  for (int c = 0; c < stream->n_channels; c++) {
    stream->channels[c].pictures = odl_gl_device_buffer_new (caps, pictures);
    for (int step = 0; step < 2; step++)
      stream->channels[c].sums[step] = odl_gl_device_buffer_new (caps, planes);
  }
  stream->between = odl_gl_device_buffer_new (caps, between);
  return odl_gl_check (_ ("preparing the filter"), error);
}

static bool
has_room (const OdlGlStepCompiler *c, const OdlGlBm3dStream *stream)
{
  const OdlGlCaps *caps = c->params->caps;
  const OdlGlBm3dStep *steps = stream->steps;
  const int filter = MAX (filter_bytes (&steps[0], stream->frames),
                          filter_bytes (&steps[1], stream->frames));
  const int shared = MAX (
      MAX (odl_gl_bm3d_shared (&steps[0].work), odl_gl_bm3d_shared (&steps[1].work)),
      filter);

  if (steps[0].work.tile > 0 && steps[1].work.tile > 0 && filter <= caps->max_shared)
    return true;
  return odl_error_set (
      c->error, ODL_ERROR_UNSUPPORTED,
      _ ("work groups of this graphics driver (%s) share %d bytes of memory, and BM3D "
         "needs %d; choose the CPU engine"),
      caps->renderer, caps->max_shared, shared);
}

static bool
add_stream (const OdlGlStepCompiler *c)
{
  const OdlGlCaps *caps = c->params->caps;
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];
  OdlGlBm3dStream *stream = g_new0 (OdlGlBm3dStream, 1);

  g_ptr_array_add (c->params->streams->all, stream);
  stream->index = c->index;
  stream->frames = stream->schedule.frames = c->step->side;
  for (int i = 0; i < 2; i++) {
    stream->steps[i].work = odl_gl_bm3d_work (caps, slot->width, slot->height,
                                              (OdlBm3dEffort) c->step->rule, i == 1,
                                              c->step->kernel_width > 0);
    shape_step (&stream->steps[i], caps, stream, c->step);
  }
  if (!has_room (c, stream))
    return false;
  stream->pitch = (stream->steps[0].work.width + 3) / 4;
  stream->n_channels = slot->channels;
  stream->channels = g_new0 (OdlGlBm3dChannel, slot->channels);
  return make_buffers (caps, stream, c->params->plan, c->error)
         && get_step (c, &stream->steps[0], stream->frames)
         && get_step (c, &stream->steps[1], stream->frames) && get_planes (c, stream);
}

// Places for what odl_gl_bm3d_time_run does, which tell what is read and written.
bool
odl_gl_compile_bm3d_time (OdlGlStepCompiler *c)
{
  enum { TARGET = ODL_GL_DISPATCH_BUFFERS - 1 };
  int r = 0;

  if (odl_gl_bm3d_stream_at (c->params->streams, c->index) == NULL && !add_stream (c))
    return false;
  while (r < ODL_STEP_MOST_READS && c->step->reads[r] != ODL_PLAN_NO_SLOT) {
    OdlGlDispatch dispatch = new_dispatch (c);
    for (int b = 0; b < TARGET && r < ODL_STEP_MOST_READS; b++, r++)
      if (c->step->reads[r] != ODL_PLAN_NO_SLOT)
        dispatch.buffers[b] = store_at (c->params, c->step->reads[r])->buffer;
    dispatch.buffers[TARGET] = store_at (c->params, c->step->writes)->buffer;
    dispatch.written = 1u << TARGET;
    g_array_append_val (c->dispatches, dispatch);
  }
  return true;
}
