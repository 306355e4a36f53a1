// SPDX-License-Identifier: MIT
#include "engine/gl/compute/bm3d.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "engine/gl/compute/step_compiler.h"
#include "engine/gl/steps.h"
#include "filter/noise.h"
#include "image/bm3d/noise.h"

#define SIDE ODL_BM3D_SIDE

// Of shaders/blocks/bm3d_match.comp.
#define MATCH_GROUP 128
#define MATCH_KEPT 128
#define BESIDE 10 // reference blocks of a work group: more share columns, and take memory

#define FILTER_ROW 9 // of bm3d_filter.comp

// Reference blocks along either side of a tile.
#define MOST_TILE 4
#define LEAST_TILE 3

#define GATHER_X 16
#define GATHER_Y 8

// What lies between the passes takes no more where a row of tiles does not; the second
// where it is known how much memory there is. Fewer bands wait less for their last work
// groups (on an H200 2 % at 1920 × 1080).
#define MOST_BYTES ((size_t) 512 << 20)
#define MOST_KNOWN_BYTES ((size_t) 1 << 30)
#define PART_OF_MEMORY 8

typedef OdlGlBm3dWork Work;

static int
match_bytes (const Work *work)
{
  const int seen = 2 * work->reach + SIDE; // samples in which a block is looked for

  return (int) sizeof (float)
         * (seen * (seen + work->step * (work->beside - 1))
            + 2 * (MATCH_GROUP + MATCH_KEPT) + 3);
}

static int
edge_of (const Work *work, int tile)
{
  return work->step * (tile - 1) + SIDE + 2 * work->reach;
}

static int
pitch_of (const Work *work, int tile)
{
  return (edge_of (work, tile) + 3) / 4 * 4;
}

static int
filter_bytes (const Work *work)
{
  return (int) sizeof (float)
         * (work->most * SIDE * FILTER_ROW + SIDE * SIDE + SIDE
            + (work->coloured ? 4 : 2) * work->most);
}

static int
add_bytes (const Work *work, int tile)
{
  const int edge = edge_of (work, tile);

  return (int) sizeof (float)
         * (edge * MAX (pitch_of (work, tile), edge | 1)
            + tile * tile * (work->most + 3));
}

static int
shared_bytes (const Work *work, int tile)
{
  return MAX (MAX (match_bytes (work), filter_bytes (work)), add_bytes (work, tile));
}

// What a work group takes; tile 0: there is no room for the least. Larger tiles than 4
// write less about them, but leave room for fewer work groups beside each other.
static void
choose_shape (const OdlGlCaps *caps, Work *work)
{
  work->beside = BESIDE;
  for (int tile = MOST_TILE; tile >= LEAST_TILE && work->tile == 0; tile--)
    if (shared_bytes (work, tile) <= caps->max_shared)
      work->tile = tile;
  if (caps->max_group < MATCH_GROUP)
    work->tile = 0;
}

// As in image/bm3d/bm3d.c.
static int
count_blocks (const Work *work, int length)
{
  return (length - SIDE + work->step - 1) / work->step + 1;
}

static size_t
group_words (const Work *work)
{
  return (size_t) work->band * work->tile * work->columns * work->most;
}

size_t
odl_gl_bm3d_noise_words (const Work *work)
{
  return work->coloured ? ODL_BM3D_APART * ODL_BM3D_APART * SIDE * SIDE : 0;
}

static size_t
words_of (const Work *work)
{
  return group_words (work) * (1 + SIDE * SIDE) + group_words (work) / work->most
         + 2 * (size_t) work->ring * work->tiles_x * work->edge * work->pitch
         + odl_gl_bm3d_noise_words (work);
}

// Rows of tiles above a band that write where it does, whose sums are kept.
static int
count_before (const Work *work)
{
  return 1 + (work->edge + work->step) / (work->step * work->tile);
}

size_t
odl_gl_bm3d_most_bytes (const OdlGlCaps *caps)
{
  const size_t most_bytes
      = caps->memory > 0
            ? MIN (MOST_KNOWN_BYTES, (size_t) (caps->memory / PART_OF_MEMORY))
            : MOST_BYTES;

  return MIN (most_bytes, (size_t) caps->max_storage / 2);
}

int
odl_gl_bm3d_shared (const Work *work)
{
  return shared_bytes (work, LEAST_TILE);
}

Work
odl_gl_bm3d_work (const OdlGlCaps *caps,
                  int width,
                  int height,
                  OdlBm3dEffort effort,
                  bool second,
                  bool coloured)
{
  const OdlBm3dSettings *settings = &odl_bm3d_efforts[effort];
  Work work = {
    .width = MAX (width, SIDE),
    .height = MAX (height, SIDE),
    .second = second,
    .step = settings->step,
    .reach = settings->reach,
    .most = settings->most[second],
    .coloured = coloured,
    .lines = (settings->most[second] + SIDE - 1) / SIDE,
  };

  choose_shape (caps, &work);
  if (work.tile == 0)
    return work;
  work.edge = edge_of (&work, work.tile);
  work.pitch = pitch_of (&work, work.tile);
  work.columns = count_blocks (&work, work.width);
  work.rows = count_blocks (&work, work.height);
  work.tiles_x = (work.columns + work.tile - 1) / work.tile;
  work.tiles_y = (work.rows + work.tile - 1) / work.tile;
  work.band = work.ring = work.tiles_y;
  return work;
}

static Work
work_of (const OdlGlCaps *caps, const OdlPlan *plan, const OdlStep *step)
{
  const OdlSlot *slot = &plan->slots[step->writes];
  const size_t most_bytes = odl_gl_bm3d_most_bytes (caps);
  Work work
      = odl_gl_bm3d_work (caps, slot->width, slot->height, (OdlBm3dEffort) step->rule,
                          step->reads[1] != ODL_PLAN_NO_SLOT, step->kernel_width > 0);

  if (work.tile == 0)
    return work;
  while (work.band > 1 && words_of (&work) * sizeof (guint32) > most_bytes) {
    work.band -= (work.band + 7) / 8;
    work.ring = MIN (work.band + count_before (&work), work.tiles_y);
  }
  return work;
}

// The first of the steps that have their buffer together.
static int
first_of (const OdlPlan *plan, int index)
{
  const OdlSlot *own = &plan->slots[plan->steps[index].writes];

  while (index > 0 && plan->steps[index - 1].kind == ODL_STEP_BM3D
         && plan->slots[plan->steps[index - 1].writes].width == own->width
         && plan->slots[plan->steps[index - 1].writes].height == own->height)
    index--;
  return index;
}

size_t
odl_gl_bm3d_bytes (const OdlGlCaps *caps, const OdlPlan *plan, int index)
{
  size_t words = 0;

  if (plan->steps[index].kind != ODL_STEP_BM3D || first_of (plan, index) != index)
    return 0;
  for (int i = index; i < plan->n_steps && plan->steps[i].kind == ODL_STEP_BM3D
                      && first_of (plan, i) == index;
       i++) {
    const Work work = work_of (caps, plan, &plan->steps[i]);
    words = MAX (words, work.tile > 0 ? words_of (&work) : 0);
  }
  return words * sizeof (guint32);
}

// ---- dispatches ----------------------------------------------------------------------

static char *
defines_of (const OdlGlStepCompiler *c, const Work *work)
{
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];
  const OdlGlStore *source = store_at (c->params, c->step->reads[0]);
  const OdlGlStore *target = store_at (c->params, c->step->writes);
  g_autofree char *precisions
      = odl_gl_precision_defines (c->params->caps, source, target->precision);
  g_autofree char *step = odl_gl_step_defines (c->params->plan, c->step);
  GString *text = g_string_new (precisions);

  g_string_append (text, step);
  if (c->step->reads[3] != ODL_PLAN_NO_SLOT) {
    g_string_append (text, "#define NO_NOISE_SIGMA ");
    odl_gl_bm3d_append_number (text, ODL_NO_NOISE);
    g_string_append_c (text, '\n');
  }
  if (MIN (slot->width, slot->height) < SIDE)
    g_string_append (text, "#define SMALL\n");
  odl_gl_bm3d_append_defines (text, work, c->params->caps->is_software);
  return g_string_free (text, FALSE);
}

static OdlGlDispatch
new_pass (const OdlGlStepCompiler *c, const Work *work, int channel, int first)
{
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];
  OdlGlDispatch dispatch = new_dispatch (c);

  dispatch.uniforms.size[0] = slot->width;
  dispatch.uniforms.size[1] = slot->height;
  odl_gl_set_layout (dispatch.uniforms.target_layout,
                     store_at (c->params, c->step->writes));
  dispatch.uniforms.bias = odl_gl_bias (c->params->plan->precision);
  dispatch.uniforms.n = channel;
  dispatch.uniforms.first = first;
  dispatch.uniforms.depth = work->ring;
  dispatch.uniforms.shift = (int) group_words (work);
  dispatch.groups[2] = 1;
  return dispatch;
}

static GLuint
buffer_read (const OdlGlStepCompiler *c, int read)
{
  return store_at (c->params, c->step->reads[read])->buffer;
}

// Appends a pass that binds what it reads and writes up to binding `n` − 1, and behind
// that what was measured.
static bool
add_pass (const OdlGlStepCompiler *c,
          OdlGlPassId id,
          const char *defines,
          OdlGlDispatch *pass,
          int n)
{
  if (c->step->reads[3] == ODL_PLAN_NO_SLOT)
    return odl_gl_add_dispatch (c, id, defines, pass);
  g_autofree char *measured = g_strdup_printf ("%s#define MEASURED %d\n", defines, n);
  pass->buffers[n] = buffer_read (c, 3);
  if (pass->written == 0)
    pass->written = 1u << (n - 1);
  return odl_gl_add_dispatch (c, id, measured, pass);
}

static GLuint
rows_of_blocks (const Work *work, const OdlGlDispatch *pass, int rows)
{
  return (GLuint) MIN (rows * work->tile, work->rows - pass->uniforms.first * work->tile);
}

static bool
add_noise (const OdlGlStepCompiler *c, const char *defines, OdlGlDispatch pass)
{
  pass.buffers[0]
      = g_array_index (c->params->past, GLuint, first_of (c->params->plan, c->index));
  pass.groups[0] = pass.groups[1] = ODL_BM3D_APART;
  return odl_gl_add_dispatch (c, ODL_GL_PASS_COMPUTE_BM3D_NOISE, defines, &pass);
}

static bool
add_match (const OdlGlStepCompiler *c,
           const Work *work,
           const char *defines,
           OdlGlDispatch pass,
           int rows)
{
  const bool second = c->step->reads[1] != ODL_PLAN_NO_SLOT;
  const int regular = (work->width - SIDE) / work->step + 1;

  pass.buffers[0] = buffer_read (c, work->coloured ? 2 : second ? 1 : 0);
  pass.buffers[1]
      = g_array_index (c->params->past, GLuint, first_of (c->params->plan, c->index));
  pass.groups[0] = (GLuint) ((regular + work->beside - 1) / work->beside
                             + (regular < work->columns ? 1 : 0));
  pass.groups[1] = rows_of_blocks (work, &pass, rows);
  return add_pass (c, ODL_GL_PASS_COMPUTE_BM3D_MATCH, defines, &pass, 2);
}

static bool
add_filter (const OdlGlStepCompiler *c,
            const Work *work,
            const char *defines,
            OdlGlDispatch pass,
            int rows)
{
  int n = 0;

  for (int r = 0; r < 2 && c->step->reads[r] != ODL_PLAN_NO_SLOT; r++)
    pass.buffers[n++] = buffer_read (c, r);
  pass.buffers[n]
      = g_array_index (c->params->past, GLuint, first_of (c->params->plan, c->index));
  pass.written = pass.rewritten = 1u << n;
  pass.groups[0] = (GLuint) work->columns;
  pass.groups[1] = rows_of_blocks (work, &pass, rows);
  return add_pass (c, ODL_GL_PASS_COMPUTE_BM3D_FILTER, defines, &pass, n + 1);
}

static bool
add_sums (const OdlGlStepCompiler *c,
          const Work *work,
          const char *defines,
          OdlGlDispatch pass,
          int rows)
{
  pass.buffers[0]
      = g_array_index (c->params->past, GLuint, first_of (c->params->plan, c->index));
  pass.written = pass.rewritten = 1u;
  pass.groups[0] = (GLuint) work->tiles_x;
  pass.groups[1] = (GLuint) rows;
  return add_pass (c, ODL_GL_PASS_COMPUTE_BM3D_ADD, defines, &pass, 1);
}

// The first row that tiles from row `tile` of them on may write.
static int
first_row (const Work *work, int tile)
{
  if (tile >= work->tiles_y)
    return work->height;
  return CLAMP (tile * work->tile * work->step - work->reach - work->step + 1, 0,
                work->height);
}

// The rows that are complete with those of the band.
static bool
add_gather (const OdlGlStepCompiler *c,
            const Work *work,
            const char *defines,
            OdlGlDispatch pass,
            int rows)
{
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];
  const OdlGlStore *target = store_at (c->params, c->step->writes);
  const int from = MIN (first_row (work, pass.uniforms.first), slot->height);
  const int to = MIN (first_row (work, pass.uniforms.first + rows), slot->height);

  if (to <= from)
    return true;
  pass.buffers[0] = buffer_read (c, 0);
  pass.buffers[1]
      = g_array_index (c->params->past, GLuint, first_of (c->params->plan, c->index));
  pass.buffers[2] = target->buffer;
  pass.uniforms.origin[0] = from;
  pass.uniforms.origin[1] = to;
  pass.groups[0] = (GLuint) ((target->pitch + GATHER_X - 1) / GATHER_X);
  pass.groups[1] = (GLuint) ((to - from + GATHER_Y - 1) / GATHER_Y);
  return add_pass (c, ODL_GL_PASS_COMPUTE_BM3D_GATHER, defines, &pass, 3);
}

bool
odl_gl_compile_bm3d (OdlGlStepCompiler *c)
{
  const OdlGlCaps *caps = c->params->caps;
  const OdlSlot *slot = &c->params->plan->slots[c->step->writes];
  const Work work = work_of (caps, c->params->plan, c->step);

  if (work.tile == 0)
    return odl_error_set (
        c->error, ODL_ERROR_UNSUPPORTED,
        _ ("work groups of this graphics driver (%s) share %d bytes of memory, and BM3D "
           "needs %d; choose the CPU engine"),
        caps->renderer, caps->max_shared, odl_gl_bm3d_shared (&work));
  g_autofree char *defines = defines_of (c, &work);
  for (int channel = 0; channel < slot->channels; channel++)
    for (int first = 0; first < work.tiles_y; first += work.band) {
      const OdlGlDispatch pass = new_pass (c, &work, channel, first);
      const int rows = MIN (work.band, work.tiles_y - first);
      if (work.coloured && channel == 0 && first == 0 && !add_noise (c, defines, pass))
        return false;
      // Of one band groups last: other channels have those of the first one.
      const bool found = c->step->band == 1 && channel > 0 && work.band >= work.tiles_y;
      const OdlGlDispatch of_first = new_pass (c, &work, 0, first);
      if ((!found
           && !add_match (c, &work, defines, c->step->band == 1 ? of_first : pass, rows))
          || !add_filter (c, &work, defines, pass, rows)
          || !add_sums (c, &work, defines, pass, rows)
          || !add_gather (c, &work, defines, pass, rows))
        return false;
    }
  return true;
}
