// SPDX-License-Identifier: MIT
#include "published_fourier.h"

#include <glib.h>
#include <string.h>

const PublishedRow published_ways[PUBLISHED_N_WAYS] = {
  { "texture", "a texture fetch for each coefficient, rolled", 2, 3, 17, true, false },
  { "texture-unrolled", "likewise, unrolled along x", 2, 3, 17, true, false },
  { "shared",
    "96 x 64 samples in shared memory, halo 4 up to a side of 9, else 8, six runs; in 3D "
    "and 4D by accumulated 2D passes; rolled",
    2, 4, 17, false, false },
  { "shared-unrolled", "likewise, unrolled along x", 2, 4, 17, false, false },
  { "tile-24x16x16", "so many samples in shared memory", 3, 3, 9, false, false },
  { "tile-32x16x12", "likewise", 3, 3, 9, false, false },
  { "fft-published", "two batches of 2D transforms with a reorder, padded", 4, 4, 17,
    false, true },
};

struct _Published {
  PublishedWay way;
  PublishedFourier *fourier; // of that way, which has nothing of the others
  GLuint program, texture, coefficients;
  GLint shift, adds, from; // uniforms
  int group[3]; // samples of a work group
  size_t slice_bytes; // of the coefficients of one slice, padded for a range
};

// `SLICES` of the kernel are in one block of uniforms. CONVOLVE (fetch): Σ over it,
// rolled (the sides are uniforms) or written out along x.
static const char common[]
    = "layout (std140, binding = 0) uniform Filter { vec4 f[PACKS]; };\n"
      "layout (std430, binding = 1) buffer Result { float result[]; };\n"
      "uniform int shift; // slices from the result's to the one that is read\n"
      "uniform bool adds;\n"
      "uniform int from; // sample of the volume that is read\n"
      "uniform int side_x, side_y, side_z;\n"
      "const ivec3 size = ivec3 (WIDTH, HEIGHT, DEPTH);\n"
      "float coefficient (int i) { return f[i >> 2][i & 3]; }\n"
      "void store (ivec3 p, float sum)\n"
      "{\n"
      "  if (any (greaterThanEqual (p, size)))\n"
      "    return;\n"
      "  int at = (p.z * HEIGHT + p.y) * WIDTH + p.x;\n"
      "  result[at] = adds ? result[at] + sum : sum;\n"
      "}\n";

static const char texture_main[]
    = "layout (local_size_x = 32, local_size_y = 16) in;\n"
      "uniform SAMPLER image;\n"
      "void main ()\n"
      "{\n"
      "  ivec3 p = ivec3 (gl_GlobalInvocationID);\n"
      "  float sum = 0.0;\n"
      "  for (int z = 0; z < SIDE_Z; z++)\n"
      "    for (int y = 0; y < SIDE_Y; y++) {\n"
      "      int at = (z * SIDE_Y + y) * SIDE_X;\n"
      "      ivec3 q = p + ivec3 (RADIUS, RADIUS - y, RADIUS_Z - z);\n"
      "      EACH_X\n"
      "    }\n"
      "  store (p, sum);\n"
      "}\n";

static const char shared_main[]
    = "layout (local_size_x = 32, local_size_y = 32) in;\n"
      "layout (std430, binding = 0) readonly buffer Samples { float samples[]; };\n"
      "shared float tile[64][96];\n"
      "float convolve (int tx, int ty)\n"
      "{\n"
      "  float sum = 0.0;\n"
      "  for (int y = 0; y < SIDE_Y; y++) {\n"
      "    int at = y * SIDE_X;\n"
      "    ivec2 q = ivec2 (tx + HALO + RADIUS, ty + HALO + RADIUS - y);\n"
      "    EACH_X\n"
      "  }\n"
      "  return sum;\n"
      "}\n"
      "void main ()\n"
      "{\n"
      "  ivec2 own = ivec2 (gl_LocalInvocationID.xy);\n"
      "  ivec2 first = ivec2 (gl_WorkGroupID.xy) * ivec2 (96 - 2 * HALO, 64 - 2 * "
      "HALO);\n"
      "  int z = int (gl_WorkGroupID.z), slice = z + shift;\n"
      "  bool there = slice >= 0 && slice < DEPTH;\n"
      "  for (int j = 0; j < 64; j += 32)\n"
      "    for (int i = 0; i < 96; i += 32) {\n"
      "      ivec2 p = first - HALO + own + ivec2 (i, j);\n"
      "      bool inside = there && all (greaterThanEqual (p, ivec2 (0)))\n"
      "                    && all (lessThan (p, size.xy));\n"
      "      tile[own.y + j][own.x + i]\n"
      "          = inside ? samples[from + (slice * HEIGHT + p.y) * WIDTH + p.x] : 0.0;\n"
      "    }\n"
      "  barrier ();\n"
      "  if (!there && adds)\n"
      "    return;\n"
      "  bool right = own.x < 32 - 2 * HALO, low = own.y < 32 - 2 * HALO;\n"
      "  store (ivec3 (first + own, z), convolve (own.x, own.y));\n"
      "  store (ivec3 (first + own + ivec2 (32, 0), z), convolve (own.x + 32, own.y));\n"
      "  if (right)\n"
      "    store (ivec3 (first + own + ivec2 (64, 0), z), convolve (own.x + 64, "
      "own.y));\n"
      "  if (low) {\n"
      "    store (ivec3 (first + own + ivec2 (0, 32), z), convolve (own.x, own.y + "
      "32));\n"
      "    store (ivec3 (first + own + ivec2 (32, 32), z), convolve (own.x + 32, own.y + "
      "32));\n"
      "  }\n"
      "  if (right && low)\n"
      "    store (ivec3 (first + own + ivec2 (64, 32), z), convolve (own.x + 64, own.y + "
      "32));\n"
      "}\n";

static const char tile_main[]
    = "layout (local_size_x = TILE_X, local_size_y = TILE_Y, local_size_z = 2) in;\n"
      "layout (std430, binding = 0) readonly buffer Samples { float samples[]; };\n"
      "shared float tile[TILE_Z][TILE_Y][TILE_X];\n"
      "void main ()\n"
      "{\n"
      "  ivec3 own = ivec3 (gl_LocalInvocationID);\n"
      "  ivec3 first = ivec3 (gl_WorkGroupID) * (ivec3 (TILE_X, TILE_Y, TILE_Z) - 8);\n"
      "  for (int k = 0; k < TILE_Z; k += 2) {\n"
      "    ivec3 p = first - 4 + own + ivec3 (0, 0, k);\n"
      "    bool inside = all (greaterThanEqual (p, ivec3 (0))) && all (lessThan (p, "
      "size));\n"
      "    tile[own.z + k][own.y][own.x]\n"
      "        = inside ? samples[from + (p.z * HEIGHT + p.y) * WIDTH + p.x] : 0.0;\n"
      "  }\n"
      "  barrier ();\n"
      "  if (own.x >= TILE_X - 8 || own.y >= TILE_Y - 8)\n"
      "    return;\n"
      "  for (int k = own.z; k < TILE_Z - 8; k += 2) {\n"
      "    float sum = 0.0;\n"
      "    for (int z = 0; z < SIDE_Z; z++)\n"
      "      for (int y = 0; y < SIDE_Y; y++) {\n"
      "        int at = (z * SIDE_Y + y) * SIDE_X;\n"
      "        ivec3 q = ivec3 (own.xy, k) + 4 + ivec3 (RADIUS, RADIUS - y, RADIUS_Z - "
      "z);\n"
      "        EACH_X\n"
      "      }\n"
      "    store (first + ivec3 (own.xy, k), sum);\n"
      "  }\n"
      "}\n";

static bool
is_unrolled (PublishedWay way)
{
  return way != PUBLISHED_TEXTURE && way != PUBLISHED_SHARED;
}

static bool
is_of_texture (PublishedWay way)
{
  return way == PUBLISHED_TEXTURE || way == PUBLISHED_TEXTURE_UNROLLED;
}

static bool
is_shared (PublishedWay way)
{
  return way == PUBLISHED_SHARED || way == PUBLISHED_SHARED_UNROLLED;
}

// The sum along x, written out or not.
static void
append_x (GString *text, PublishedWay way, const PublishedJob *job)
{
  const char *fetch = is_of_texture (way)
                          ? job->depth > 1
                                ? "texelFetch (image, q - ivec3 (%s, 0, 0), 0).r"
                                : "texelFetch (image, q.xy - ivec2 (%s, 0), 0).r"
                      : is_shared (way) ? "tile[q.y][q.x - %s]"
                                        : "tile[q.z][q.y][q.x - %s]";
  g_auto (GStrv) parts = g_strsplit (fetch, "%s", 2);

  g_string_append (text, "#define EACH_X ");
  if (!is_unrolled (way))
    g_string_append_printf (
        text,
        "for (int x = 0; x < SIDE_X; x++) sum += coefficient (at + x) * "
        "%sx%s;\n",
        parts[0], parts[1]);
  for (int x = 0; x < job->side && is_unrolled (way); x++)
    g_string_append_printf (text, "sum += coefficient (at + %d) * %s%d%s; ", x, parts[0],
                            x, parts[1]);
  g_string_append_c (text, '\n');
}

GLuint
published_compile (const char *text)
{
  const GLuint shader = glCreateShader (GL_COMPUTE_SHADER), program = glCreateProgram ();
  GLint ok = GL_FALSE;

  glShaderSource (shader, 1, &text, NULL);
  glCompileShader (shader);
  glAttachShader (program, shader);
  glLinkProgram (program);
  glGetProgramiv (program, GL_LINK_STATUS, &ok);
  if (!ok) {
    char log[1024] = "", said[1024] = "";
    glGetShaderInfoLog (shader, sizeof said, NULL, said);
    glGetProgramInfoLog (program, sizeof log, NULL, log);
    g_printerr ("%s%s\n", said, log);
    glDeleteProgram (program);
  }
  glDeleteShader (shader);
  return ok ? program : 0;
}

static int
slices_of (PublishedWay way, const PublishedJob *job)
{
  return job->dimensions > 2 && !is_shared (way) ? job->side : 1;
}

static char *
program_text (PublishedWay way, const PublishedJob *job)
{
  const int slices = slices_of (way, job), side = job->side;
  const int n = side * side * slices;
  GString *text = g_string_new ("#version 430 core\n");

  g_string_append_printf (text,
                          "#define WIDTH %d\n#define HEIGHT %d\n#define DEPTH %d\n"
                          "#define PACKS %d\n#define HALO %d\n#define SAMPLER %s\n"
                          "#define TILE_X %d\n#define TILE_Y 16\n#define TILE_Z %d\n"
                          "#define RADIUS %d\n#define RADIUS_Z %d\n",
                          job->width, job->height, job->depth, (n + 3) / 4,
                          side <= 9 ? 4 : 8, job->depth > 1 ? "sampler3D" : "sampler2D",
                          way == PUBLISHED_TILE_24 ? 24 : 32,
                          way == PUBLISHED_TILE_24 ? 16 : 12, side / 2, slices / 2);
  if (is_unrolled (way))
    g_string_append_printf (text,
                            "#define SIDE_X %d\n#define SIDE_Y %d\n#define SIDE_Z %d\n",
                            side, side, slices);
  else
    g_string_append (
        text, "#define SIDE_X side_x\n#define SIDE_Y side_y\n#define SIDE_Z side_z\n");
  append_x (text, way, job);
  g_string_append (text, common);
  g_string_append (text, is_of_texture (way) ? texture_main
                         : is_shared (way)   ? shared_main
                                             : tile_main);
  return g_string_free (text, FALSE);
}

static void
fill_texture (Published *p, const PublishedJob *job)
{
  const GLenum target = job->depth > 1 ? GL_TEXTURE_3D : GL_TEXTURE_2D;

  glGenTextures (1, &p->texture);
  glBindTexture (target, p->texture);
  glBindBuffer (GL_PIXEL_UNPACK_BUFFER, job->samples);
  if (job->depth > 1)
    glTexImage3D (target, 0, GL_R32F, job->width, job->height, job->depth, 0, GL_RED,
                  GL_FLOAT, NULL);
  else
    glTexImage2D (target, 0, GL_R32F, job->width, job->height, 0, GL_RED, GL_FLOAT, NULL);
  glBindBuffer (GL_PIXEL_UNPACK_BUFFER, 0);
  glTexParameteri (target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri (target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri (target, GL_TEXTURE_MAX_LEVEL, 0);
}

// Slice after slice, each where a range of a block of uniforms may begin.
static void
fill_coefficients (Published *p, const PublishedJob *job)
{
  const int area = job->side * job->side, slices = slices_of (p->way, job);
  const size_t own = (size_t) area * slices * sizeof (float);
  GLint align = 256;
  int count = 1;

  for (int d = 2; d < job->dimensions; d++)
    count *= job->side;
  count /= slices;
  glGetIntegerv (GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &align);
  p->slice_bytes = (own + 15) / 16 * 16;
  const size_t pitch
      = (p->slice_bytes + (size_t) align - 1) / (size_t) align * (size_t) align;
  g_autofree char *all = g_malloc0 (pitch * (size_t) count);
  for (int i = 0; i < count; i++)
    memcpy (all + (size_t) i * pitch, job->kernel + (size_t) i * area * slices, own);
  glGenBuffers (1, &p->coefficients);
  glBindBuffer (GL_UNIFORM_BUFFER, p->coefficients);
  glBufferData (GL_UNIFORM_BUFFER, (GLsizeiptr) (pitch * (size_t) count), all,
                GL_STATIC_DRAW);
  glBindBuffer (GL_UNIFORM_BUFFER, 0);
}

static Published *
of_fourier (const PublishedJob *job)
{
  PublishedFourier *fourier = published_fourier_new (job);

  if (fourier == NULL)
    return NULL;
  Published *p = g_new0 (Published, 1);
  *p = (Published){ .way = PUBLISHED_FOURIER, .fourier = fourier };
  return p;
}

Published *
published_new (PublishedWay way, const PublishedJob *job)
{
  const PublishedRow *row = &published_ways[way];
  const bool tiles = way == PUBLISHED_TILE_24 || way == PUBLISHED_TILE_32;
  GLint most = 0;

  glGetIntegerv (GL_MAX_UNIFORM_BLOCK_SIZE, &most);
  if (job->dimensions < row->least_dimensions || job->dimensions > row->most_dimensions
      || job->side > row->most_side
      || job->side * job->side * slices_of (way, job) * (int) sizeof (float) > most)
    return NULL;
  if (way == PUBLISHED_FOURIER)
    return of_fourier (job);
  g_autofree char *text = program_text (way, job);
  const GLuint program = published_compile (text);
  if (program == 0)
    return NULL;
  Published *p = g_new0 (Published, 1);
  const int halo = job->side <= 9 ? 4 : 8;
  *p = (Published){ .way = way, .program = program };
  p->group[0] = is_of_texture (way)        ? 32
                : is_shared (way)          ? 96 - 2 * halo
                : way == PUBLISHED_TILE_24 ? 16
                                           : 24;
  p->group[1] = is_of_texture (way) ? 16 : is_shared (way) ? 64 - 2 * halo : 8;
  p->group[2] = !tiles ? 1 : way == PUBLISHED_TILE_24 ? 8 : 4;
  p->shift = glGetUniformLocation (program, "shift");
  p->adds = glGetUniformLocation (program, "adds");
  p->from = glGetUniformLocation (program, "from");
  glUseProgram (program);
  glUniform1i (glGetUniformLocation (program, "side_x"), job->side);
  glUniform1i (glGetUniformLocation (program, "side_y"), job->side);
  glUniform1i (glGetUniformLocation (program, "side_z"), slices_of (way, job));
  if (is_of_texture (way))
    fill_texture (p, job);
  fill_coefficients (p, job);
  return p;
}

static void
dispatch (const Published *p, const PublishedJob *job)
{
  glDispatchCompute ((GLuint) ((job->width + p->group[0] - 1) / p->group[0]),
                     (GLuint) ((job->height + p->group[1] - 1) / p->group[1]),
                     (GLuint) ((job->depth + p->group[2] - 1) / p->group[2]));
  glMemoryBarrier (GL_SHADER_STORAGE_BARRIER_BIT);
}

// Slices of the kernel are added up, of all slices of the volume at once, and time steps
// of it (listing 1.5).
void
published_run (const Published *p, const PublishedJob *job, int time)
{
  const int steps = is_shared (p->way) && job->dimensions > 2 ? job->side : 1;
  const int durations = job->dimensions > 3 ? job->side : 1;
  const size_t volume = (size_t) job->width * (size_t) job->height * (size_t) job->depth;
  GLint align = 256;
  bool adds = false;

  if (p->fourier != NULL) {
    published_fourier_run (p->fourier, job, time);
    return;
  }
  glGetIntegerv (GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &align);
  const size_t pitch
      = (p->slice_bytes + (size_t) align - 1) / (size_t) align * (size_t) align;
  glUseProgram (p->program);
  glActiveTexture (GL_TEXTURE0);
  if (p->texture != 0)
    glBindTexture (job->depth > 1 ? GL_TEXTURE_3D : GL_TEXTURE_2D, p->texture);
  glBindBufferBase (GL_SHADER_STORAGE_BUFFER, 0, job->samples);
  glBindBufferBase (GL_SHADER_STORAGE_BUFFER, 1, job->result);
  for (int t = 0; t < durations; t++) {
    const int other = time + durations / 2 - t;
    if (other < 0 || other >= job->times)
      continue;
    glUniform1i (p->from, (GLint) ((size_t) other * volume));
    for (int z = 0; z < steps; z++) {
      glBindBufferRange (GL_UNIFORM_BUFFER, 0, p->coefficients,
                         (GLintptr) ((size_t) (t * steps + z) * pitch),
                         (GLsizeiptr) p->slice_bytes);
      glUniform1i (p->shift, steps / 2 - z);
      glUniform1i (p->adds, adds);
      dispatch (p, job);
      adds = true;
    }
  }
}

void
published_free (Published *p)
{
  if (p == NULL)
    return;
  published_fourier_free (p->fourier);
  glUseProgram (0);
  for (GLuint i = 0; i < 2; i++)
    glBindBufferBase (GL_SHADER_STORAGE_BUFFER, i, 0);
  glBindBufferBase (GL_UNIFORM_BUFFER, 0, 0);
  glDeleteProgram (p->program);
  glDeleteTextures (1, &p->texture);
  glDeleteBuffers (1, &p->coefficients);
  g_free (p);
}
