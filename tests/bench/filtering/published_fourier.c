// SPDX-License-Identifier: MIT
// Transforms of two axes, (x, y) or (z, t), of all planes of these at once, and between
// them a reorder from (x, y, z, t) to (z, t, x, y). Lines go through shared memory in two
// steps (engine/gl/compute/fourier/radix.h), so that frequencies lie in an order of their
// own, the same for data and kernel, from which the way back starts.
#include "published_fourier.h"

#include <gio/gio.h>

#include "engine/gl/compute/fourier/radix.h"

#define AXES 4
#define LINES 8 // of a work group
#define TILE 32

typedef enum {
  FORWARD,
  BACK,
  N_WAYS,
} Way;

typedef enum {
  DATA, // of the job to points, zeros beyond
  KERNEL,
  MULTIPLY,
  TAKE, // a volume of the points
  REORDER,
  N_PROGRAMS,
} Program;

struct _PublishedFourier {
  OdlGlRadix radix[AXES]; // x, y, z, t
  int points[AXES];
  GLuint lines[N_WAYS][AXES];
  GLuint programs[N_PROGRAMS];
  GLuint turns[AXES];
  GLuint data, kernel, other; // points
  GLuint coefficients;
};

// The first axis of a plane stands beside itself, the second one a line of it apart.
static const char lines_main[]
    = "layout (local_size_x = WORKERS) in;\n"
      "layout (std430, binding = 0) buffer Points { vec2 points[]; };\n"
      "layout (std430, binding = 1) readonly buffer Turns { vec2 turns[]; };\n"
      "shared vec2 tile[LINES][FIRST * SECOND + 1];\n"
      "void main ()\n"
      "{\n"
      "  int worker = int (gl_LocalInvocationIndex);\n"
      "  int own = STRIDE == 1 ? worker / MOST : worker % LINES;\n"
      "  int part = STRIDE == 1 ? worker % MOST : worker / LINES;\n"
      "  int line = int (gl_WorkGroupID.x + gl_NumWorkGroups.x * gl_WorkGroupID.y) * "
      "LINES + own;\n"
      "  int base = line / STRIDE * STRIDE * FIRST * SECOND + line % STRIDE;\n"
      "  bool there = line < COUNT;\n"
      "  if (there && part < ENTERS) {\n"
      "    vec2 x[LEAVES];\n"
      "    for (int k = 0; k < LEAVES; k++)\n"
      "      x[k] = points[base + ENTER_AT (k) * STRIDE];\n"
      "    WAY (x);\n"
      "    for (int k = 0; k < LEAVES; k++)\n"
      "      tile[own][ENTER_AT (k)] = TURNED (k);\n"
      "  }\n"
      "  barrier ();\n"
      "  if (there && part < LEAVES) {\n"
      "    vec2 x[ENTERS];\n"
      "    for (int k = 0; k < ENTERS; k++)\n"
      "      x[k] = tile[own][LEAVE_AT (k)];\n"
      "    WAY (x);\n"
      "    for (int k = 0; k < ENTERS; k++)\n"
      "      points[base + LEAVE_AT (k) * STRIDE] = x[k];\n"
      "  }\n"
      "}\n";

// FIRST points that stand SECOND apart, then SECOND that follow one another; back the
// other way round. A turn belongs to place `part` of the latter and number k of the
// former.
static const char *const ways[N_WAYS] = {
  "#define ENTERS SECOND\n#define LEAVES FIRST\n#define WAY forward\n"
  "#define ENTER_AT(k) (part + (k) * SECOND)\n#define LEAVE_AT(k) (part * SECOND + "
  "(k))\n"
  "#define TURNED(k) (k == 0 ? x[k] : times (x[k], turns[part * (FIRST - 1) + k - "
  "1]))\n",
  "#define ENTERS FIRST\n#define LEAVES SECOND\n#define WAY back\n"
  "#define ENTER_AT(k) (part * SECOND + (k))\n#define LEAVE_AT(k) (part + (k) * "
  "SECOND)\n"
  "#define TURNED(k) (part == 0 ? x[k] : times (x[k], turns[k * (FIRST - 1) + part - "
  "1] * vec2 (1.0, -1.0)))\n"
};

// Of what goes through all points; `from` and `to` are complex unless they are samples.
static const char each_main[]
    = "layout (local_size_x = 256) in;\n"
      "const ivec4 points = ivec4 (NX, NY, NZ, NT), own = ivec4 (X, Y, Z, T);\n"
      "uniform int time;\n"
      "BUFFERS\n"
      "void main ()\n"
      "{\n"
      "  int i = int (gl_GlobalInvocationID.x + gl_NumWorkGroups.x * 256u * "
      "gl_WorkGroupID.y);\n"
      "  if (i >= COUNT)\n"
      "    return;\n"
      "  ivec4 p = ivec4 (i % SIDES.x, i / SIDES.x % SIDES.y, i / (SIDES.x * SIDES.y) % "
      "SIDES.z, i / (SIDES.x * SIDES.y * SIDES.z));\n"
      "  DO\n"
      "}\n";

#define FLOATS "layout (std430, binding = 0) buffer From { float from[]; }; "
#define POINTS "layout (std430, binding = 0) buffer From { vec2 from[]; }; "
#define TO_POINTS "layout (std430, binding = 1) buffer To { vec2 to[]; };"

static const struct {
  const char *sides, *buffers, *act;
} each[] = {
  [DATA] = { "points", FLOATS TO_POINTS,
             "bool inside = all (lessThan (p, own)); to[i] = vec2 (inside ? from[((p.w * "
             "own.z + p.z) * own.y + p.y) * own.x + p.x] : 0.0, 0.0);" },
  // About the first point, so that it moves nothing.
  [KERNEL]
  = { "points", FLOATS TO_POINTS,
      "ivec4 q = ivec4 ((p.x + SIDE / 2) % NX, (p.y + SIDE / 2) % NY, (p.z + "
      "SIDE / 2) % NZ, (p.w + SIDE / 2) % NT); bool inside = all (lessThan (q, "
      "ivec4 (SIDE))); to[i] = vec2 (inside ? SCALE * from[((q.w * SIDE + q.z) * "
      "SIDE + q.y) * SIDE + q.x] : 0.0, 0.0);" },
  [MULTIPLY]
  = { "points", POINTS TO_POINTS,
      "vec2 a = from[i], b = to[i]; to[i] = vec2 (a.x * b.x - a.y * b.y, a.x * "
      "b.y + a.y * b.x);" },
  [TAKE] = { "own", POINTS "layout (std430, binding = 1) buffer To { float to[]; };",
             "to[i] = from[((time * NZ + p.z) * NY + p.y) * NX + p.x].x;" },
};

// A matrix of `rows` rows turned, square by square.
static const char reorder_main[]
    = "layout (local_size_x = TILE, local_size_y = 8) in;\n" POINTS TO_POINTS
      "\nuniform int time; // columns\n"
      "shared vec2 tile[TILE][TILE + 1];\n"
      "void main ()\n"
      "{\n"
      "  int columns = time, rows = NX * NY * NZ * NT / time;\n"
      "  int across = (columns + TILE - 1) / TILE;\n"
      "  int square = int (gl_WorkGroupID.x + gl_NumWorkGroups.x * gl_WorkGroupID.y);\n"
      "  ivec2 at = ivec2 (square % across, square / across) * TILE;\n"
      "  ivec2 own = ivec2 (gl_LocalInvocationID.xy);\n"
      "  for (int y = own.y; y < TILE; y += 8)\n"
      "    if (at.x + own.x < columns && at.y + y < rows)\n"
      "      tile[y][own.x] = from[(at.y + y) * columns + at.x + own.x];\n"
      "  barrier ();\n"
      "  for (int y = own.y; y < TILE; y += 8)\n"
      "    if (at.y + own.x < rows && at.x + y < columns)\n"
      "      to[(at.x + y) * rows + at.y + own.x] = tile[own.x][y];\n"
      "}\n";

static size_t
count_points (const PublishedFourier *p)
{
  size_t n = 1;

  for (int a = 0; a < AXES; a++)
    n *= (size_t) p->points[a];
  return n;
}

// ---- programs ----

static void
append_sizes (GString *text, const PublishedFourier *p, const PublishedJob *job)
{
  char scale[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (
      text,
      "#define NX %d\n#define NY %d\n#define NZ %d\n#define NT %d\n#define X %d\n#define "
      "Y "
      "%d\n#define Z %d\n#define T %d\n#define SIDE %d\n#define TILE %d\n#define SCALE "
      "%s\n",
      p->points[0], p->points[1], p->points[2], p->points[3], job->width, job->height,
      job->depth, job->times, job->side, TILE,
      g_ascii_formatd (scale, sizeof scale, "%.9e", 1 / (double) count_points (p)));
}

static GLuint
compile_lines (const PublishedFourier *p, Way way, int axis)
{
  const OdlGlRadix radix = p->radix[axis];
  const int stride = axis % 2 == 0 ? 1 : p->points[axis - 1];
  g_autoptr (GBytes) transforms
      = g_resources_lookup_data ("/org/ondelette/shaders/include/fourier.glsl", 0, NULL);
  g_autoptr (GString) text = g_string_new ("#version 430 core\n");

  g_string_append_printf (
      text,
      "#define FIRST %d\n#define SECOND %d\n#define MOST %d\n"
      "#define LINES %d\n#define WORKERS %d\n#define STRIDE %d\n#define COUNT %d\n%s",
      radix.first, radix.second, MAX (radix.first, radix.second), LINES,
      LINES * MAX (radix.first, radix.second), stride,
      (int) (count_points (p) / (size_t) p->points[axis]), ways[way]);
  odl_gl_radix_append (radix, text);
  g_string_append_len (text, g_bytes_get_data (transforms, NULL),
                       (gssize) g_bytes_get_size (transforms));
  g_string_append_printf (text, "\nTRANSFORMS\n%s", lines_main);
  return published_compile (text->str);
}

static GLuint
compile_each (const PublishedFourier *p, const PublishedJob *job, Program program)
{
  g_autoptr (GString) text = g_string_new ("#version 430 core\n");

  append_sizes (text, p, job);
  if (program != REORDER)
    g_string_append_printf (
        text, "#define SIDES %s\n#define BUFFERS %s\n#define DO %s\n#define COUNT %d\n",
        each[program].sides, each[program].buffers, each[program].act,
        program == TAKE ? job->width * job->height * job->depth : (int) count_points (p));
  g_string_append (text, program == REORDER ? reorder_main : each_main);
  return published_compile (text->str);
}

static GLuint
new_buffer (size_t bytes, const void *data)
{
  GLuint buffer;

  glGenBuffers (1, &buffer);
  glBindBuffer (GL_SHADER_STORAGE_BUFFER, buffer);
  glBufferData (GL_SHADER_STORAGE_BUFFER, (GLsizeiptr) bytes, data, GL_DYNAMIC_COPY);
  return buffer;
}

static GLuint
make_turns (OdlGlRadix radix)
{
  const size_t n = (size_t) MAX (odl_gl_radix_turns (radix), 1);
  g_autofree float *turns = g_new0 (float, 2 * n);

  odl_gl_radix_write_turns (radix, turns);
  return new_buffer (2 * n * sizeof *turns, turns);
}

PublishedFourier *
published_fourier_new (const PublishedJob *job)
{
  const int samples[AXES] = { job->width, job->height, job->depth, job->times };
  PublishedFourier *p = g_new0 (PublishedFourier, 1);
  size_t coefficients = 1;
  GLint most = 0;
  bool ok = job->dimensions == AXES;

  for (int a = 0; a < AXES && ok; a++) {
    ok = samples[a] + job->side / 2 <= ODL_GL_MOST_POINTS;
    p->radix[a] = odl_gl_radix_for (MIN (samples[a] + job->side / 2, ODL_GL_MOST_POINTS));
    p->points[a] = odl_gl_radix_points (p->radix[a]);
    coefficients *= (size_t) job->side;
  }
  glGetIntegerv (GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
  const size_t bytes = count_points (p) * 2 * sizeof (float);
  ok = ok && bytes <= (size_t) most;
  for (int a = 0; a < AXES && ok; a++) {
    p->turns[a] = make_turns (p->radix[a]);
    for (int way = 0; way < N_WAYS && ok; way++)
      ok = (p->lines[way][a] = compile_lines (p, (Way) way, a)) != 0;
  }
  for (int i = 0; i < N_PROGRAMS && ok; i++)
    ok = (p->programs[i] = compile_each (p, job, (Program) i)) != 0;
  if (!ok) {
    published_fourier_free (p);
    return NULL;
  }
  p->data = new_buffer (bytes, NULL);
  p->kernel = new_buffer (bytes, NULL);
  p->other = new_buffer (bytes, NULL);
  p->coefficients = new_buffer (coefficients * sizeof (float), job->kernel);
  return p;
}

void
published_fourier_free (PublishedFourier *p)
{
  if (p == NULL)
    return;
  glUseProgram (0);
  for (int a = 0; a < AXES; a++)
    for (int way = 0; way < N_WAYS; way++)
      glDeleteProgram (p->lines[way][a]);
  for (int i = 0; i < N_PROGRAMS; i++)
    glDeleteProgram (p->programs[i]);
  glDeleteBuffers (AXES, p->turns);
  glDeleteBuffers (1, &p->data);
  glDeleteBuffers (1, &p->kernel);
  glDeleteBuffers (1, &p->other);
  glDeleteBuffers (1, &p->coefficients);
  g_free (p);
}

// ---- running ----

// Many groups take two axes of them.
static void
dispatch (size_t groups)
{
  const size_t most = 32768, rows = (groups + most - 1) / most;

  glDispatchCompute ((GLuint) ((groups + rows - 1) / rows), (GLuint) rows, 1);
  glMemoryBarrier (GL_SHADER_STORAGE_BARRIER_BIT);
}

static void
run (const PublishedFourier *p,
     Program program,
     GLuint from,
     GLuint to,
     int time,
     size_t n)
{
  glUseProgram (p->programs[program]);
  glUniform1i (glGetUniformLocation (p->programs[program], "time"), time);
  glBindBufferBase (GL_SHADER_STORAGE_BUFFER, 0, from);
  glBindBufferBase (GL_SHADER_STORAGE_BUFFER, 1, to);
  dispatch (n);
}

static void
run_each (const PublishedFourier *p, Program program, GLuint from, GLuint to)
{
  run (p, program, from, to, 0, (count_points (p) + 255) / 256);
}

// Two axes of all planes, `first` and the one behind it.
static void
run_planes (const PublishedFourier *p, Way way, int first, GLuint points)
{
  for (int i = 0; i < 2; i++) {
    const int axis = first + (way == FORWARD ? i : 1 - i);
    const size_t lines = count_points (p) / (size_t) p->points[axis];
    glUseProgram (p->lines[way][axis]);
    glBindBufferBase (GL_SHADER_STORAGE_BUFFER, 0, points);
    glBindBufferBase (GL_SHADER_STORAGE_BUFFER, 1, p->turns[axis]);
    dispatch ((lines + LINES - 1) / LINES);
  }
}

static void
reorder (const PublishedFourier *p, GLuint from, GLuint to, int columns)
{
  const size_t across = (size_t) ((columns + TILE - 1) / TILE);
  const size_t rows = count_points (p) / (size_t) columns;

  run (p, REORDER, from, to, columns, across * ((rows + TILE - 1) / TILE));
}

void
published_fourier_run (const PublishedFourier *p, const PublishedJob *job, int time)
{
  const int plane = p->points[0] * p->points[1], other = p->points[2] * p->points[3];
  const size_t samples = (size_t) job->width * (size_t) job->height * (size_t) job->depth;

  run_each (p, KERNEL, p->coefficients, p->other);
  run_planes (p, FORWARD, 0, p->other);
  reorder (p, p->other, p->kernel, plane);
  run_planes (p, FORWARD, 2, p->kernel);
  run_each (p, DATA, job->samples, p->other);
  run_planes (p, FORWARD, 0, p->other);
  reorder (p, p->other, p->data, plane);
  run_planes (p, FORWARD, 2, p->data);
  run_each (p, MULTIPLY, p->kernel, p->data);
  run_planes (p, BACK, 2, p->data);
  reorder (p, p->data, p->other, other);
  run_planes (p, BACK, 0, p->other);
  for (int t = 1; t <= job->times; t++) // the wanted one is the last
    run (p, TAKE, p->other, job->result, (time + t) % job->times, (samples + 255) / 256);
}
