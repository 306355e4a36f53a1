// SPDX-License-Identifier: MIT
// Passes as data: a pass is a pair of shaders or a compute shader, its samplers and its
// uniforms.
#pragma once

#include <epoxy/gl.h>
#include <stdbool.h>
#include <stddef.h>

#include "image/details.h"
#include "wavelet/wavelet.h"

#define ODL_GL_PASS_SAMPLERS 7
#define ODL_GL_PASS_UNIFORMS 18

// Pairs of taps that one program can hold: low- and high-pass taps (or even and odd ones)
// about a common origin, at most ODL_WAVELET_MAX_TAPS each.
#define ODL_GL_MAX_TAPS (ODL_WAVELET_MAX_TAPS + 2)
#define ODL_GL_MAX_RADIUS 32
#define ODL_GL_MOST_PARAMETERS 9
#define ODL_GL_KERNEL_QUADS 98 // 17 rows of 5, or of a volume's kernel 49 rows of 2

// Zeros before and after the taps of a filter bank in compute shaders.
#define ODL_GL_BANK_PAD 12
#define ODL_GL_BANK_TAPS (ODL_GL_MAX_TAPS + 2 * ODL_GL_BANK_PAD)

// Levels of a fusion, at most (engine/gl/compute/fusion/fusion.h).
#define ODL_GL_FUSION_LEVELS 2

// The values of all uniforms of all passes; each pass reads those that its table row
// names. What a name means stands in the shader.
typedef struct {
  int n;
  int size[2];
  int extent[2];
  int depth;
  int origin[2];
  int shift;
  int first;
  int border;
  float minimum, scale, bias;
  float weights[3];
  float parameters[ODL_GL_MOST_PARAMETERS];
  float thresholds[7], hard; // of HL, LH, HH; of octants 1 … 7
  float threshold;
  int radius;
  float kernel[ODL_GL_MAX_RADIUS + 1];
  float coefficients[ODL_GL_KERNEL_QUADS][4];
  float low_taps[ODL_GL_MAX_TAPS][2];
  float high_taps[ODL_GL_MAX_TAPS][2];
  float pair_taps[ODL_GL_MAX_TAPS][4];
  float pick[4];
  int display_taps;
  float column[3], row[3];
  int canvas_height;
  float canvas_level;
  float gain, offset, invert, detail_gains[ODL_DETAIL_LEVELS], detail_zero;
  int detail_levels;
  int approx_size[2];
  int curve_levels;
  float graphics_level, shutter_level;
  int shutter_column;
  int source_layout[2], target_layout[2], second_layout[2];
  int approx_plane;
  int window[2], lone[2];
  float bank_taps[ODL_GL_BANK_TAPS][2];
  int rows, across, upwards;
  float limits[ODL_GL_FUSION_LEVELS][4];
  int level_row;
  float kernels[ODL_GL_MAX_TAPS][3];
  float quantum;
  int places[3][2];
  int plane_rows[2];
  float ranges[4], mixing[4];
  int chroma_size[2];
  float weight;
  int earlier, place;
  int spacing[2];
  float centre[3], turn[3][3], reach[3], lift;
  float front[3], back[3], light[3], shine[4];
  int sharpness;
  float ray_frame[3][3], ray_forward[3], ray_box[2][3], ray_cut[2][3];
  float texel[3], slope[3], towards[2][3];
  float brick_scale[3];
} OdlGlUniforms;

typedef enum {
  ODL_GL_INT,
  ODL_GL_IVEC2,
  ODL_GL_FLOAT,
  ODL_GL_VEC2,
  ODL_GL_VEC3,
  ODL_GL_VEC4,
} OdlGlUniformType;

typedef struct {
  const char *name;
  OdlGlUniformType type;
  size_t offset; // in OdlGlUniforms
  int count; // elements of an array; 1 otherwise
} OdlGlUniform;

typedef enum {
  ODL_GL_PASS_LOAD,
  ODL_GL_PASS_LUMA,
  ODL_GL_PASS_CONVOLVE,
  ODL_GL_PASS_SPATIAL,
  ODL_GL_PASS_FORWARD,
  ODL_GL_PASS_THRESHOLD,
  ODL_GL_PASS_THRESHOLD_COLOUR,
  ODL_GL_PASS_THRESHOLD_PACKED_COLOUR,
  ODL_GL_PASS_COMBINE,
  ODL_GL_PASS_COMBINE_COLOUR,
  ODL_GL_PASS_COMBINE_PACKED_COLOUR,
  ODL_GL_PASS_INVERSE_X,
  ODL_GL_PASS_INVERSE_Y,
  ODL_GL_PASS_INVERSE_X_COLOUR,
  ODL_GL_PASS_INVERSE_Y_COLOUR,
  ODL_GL_PASS_PACKED,
  ODL_GL_PASS_PACKED_INVERSE_Y,
  ODL_GL_PASS_PACKED_COLOUR,
  ODL_GL_PASS_PACKED_INVERSE_Y_COLOUR,
  ODL_GL_PASS_UNPACK,
  ODL_GL_PASS_UNPACK_COLOUR,
  ODL_GL_PASS_LAYOUT,
  ODL_GL_PASS_LAYOUT_COLOUR,
  ODL_GL_PASS_LAYOUT_PACKED_COLOUR,
  ODL_GL_PASS_RECOMBINE,
  ODL_GL_PASS_RECURSIVE,
  ODL_GL_PASS_PERSISTENCE,
  ODL_GL_PASS_MEAN,
  ODL_GL_PASS_TEMPORAL_MEDIAN,
  ODL_GL_PASS_LOOKUP,
  ODL_GL_PASS_THRESHOLD_DETAIL,
  ODL_GL_PASS_DISPLAY,
  ODL_GL_PASS_OVERLAY,
  ODL_GL_PASS_SURFACE,
  ODL_GL_PASS_NET,
  ODL_GL_PASS_RENDER,
  ODL_GL_PASS_RENDER_MAXIMUM,
  ODL_GL_PASS_FOLD_PROBE,
  ODL_GL_PASS_COPY,
  ODL_GL_PASS_COMPUTE_RENDER,
  ODL_GL_PASS_COMPUTE_RENDER_MAXIMUM,
  // Compute shaders, in the order of the steps.
  ODL_GL_PASS_COMPUTE_LOAD,
  ODL_GL_PASS_COMPUTE_LUMA,
  ODL_GL_PASS_COMPUTE_CONVOLVE,
  ODL_GL_PASS_COMPUTE_SPATIAL,
  ODL_GL_PASS_COMPUTE_CONVOLVE_BLOCK,
  ODL_GL_PASS_COMPUTE_CONVOLVE_STREAM,
  ODL_GL_PASS_COMPUTE_FOURIER,
  ODL_GL_PASS_COMPUTE_CONVOLVE_BANK,
  ODL_GL_PASS_COMPUTE_MEDIAN,
  ODL_GL_PASS_COMPUTE_MEDIAN_NETWORK,
  ODL_GL_PASS_COMPUTE_TENSOR,
  ODL_GL_PASS_COMPUTE_NON_LOCAL_MEANS,
  ODL_GL_PASS_COMPUTE_BM3D_NOISE,
  ODL_GL_PASS_COMPUTE_BM3D_MATCH,
  ODL_GL_PASS_COMPUTE_BM3D_FILTER,
  ODL_GL_PASS_COMPUTE_BM3D_ADD,
  ODL_GL_PASS_COMPUTE_BM3D_GATHER,
  ODL_GL_PASS_COMPUTE_BM3D_TIME_ENTER,
  ODL_GL_PASS_COMPUTE_BM3D_TIME_WHITEN,
  ODL_GL_PASS_COMPUTE_BM3D_TIME_CLEAR,
  ODL_GL_PASS_COMPUTE_BM3D_TIME_FOLLOW,
  ODL_GL_PASS_COMPUTE_BM3D_TIME_FILTER,
  ODL_GL_PASS_COMPUTE_BM3D_TIME_SUM,
  ODL_GL_PASS_COMPUTE_BM3D_TIME_GUIDES,
  ODL_GL_PASS_COMPUTE_BM3D_TIME_RESULT,
  ODL_GL_PASS_COMPUTE_FORWARD,
  ODL_GL_PASS_COMPUTE_THRESHOLD,
  ODL_GL_PASS_COMPUTE_COMBINE,
  ODL_GL_PASS_COMPUTE_BIVARIATE,
  ODL_GL_PASS_COMPUTE_INVERSE,
  ODL_GL_PASS_COMPUTE_FORWARD_TWO,
  ODL_GL_PASS_COMPUTE_INVERSE_TWO,
  ODL_GL_PASS_COMPUTE_COARSE,
  ODL_GL_PASS_COMPUTE_BANK_FORWARD,
  ODL_GL_PASS_COMPUTE_BANK_INVERSE,
  ODL_GL_PASS_COMPUTE_DEPTH_FORWARD,
  ODL_GL_PASS_COMPUTE_DEPTH_INVERSE,
  ODL_GL_PASS_COMPUTE_DEPTH_THRESHOLD,
  ODL_GL_PASS_COMPUTE_DUAL_FORWARD,
  ODL_GL_PASS_COMPUTE_DUAL_SHRINK,
  ODL_GL_PASS_COMPUTE_DUAL_BIVARIATE,
  ODL_GL_PASS_COMPUTE_DUAL_INVERSE,
  ODL_GL_PASS_COMPUTE_DUAL_PLACE,
  ODL_GL_PASS_COMPUTE_LAYOUT,
  ODL_GL_PASS_COMPUTE_BAND,
  ODL_GL_PASS_COMPUTE_JOIN,
  ODL_GL_PASS_COMPUTE_SHIFT,
  ODL_GL_PASS_COMPUTE_SCAN_CONVERT,
  ODL_GL_PASS_COMPUTE_RECOMBINE,
  ODL_GL_PASS_COMPUTE_OPPONENT,
  ODL_GL_PASS_COMPUTE_RECURSIVE,
  ODL_GL_PASS_COMPUTE_PERSISTENCE,
  ODL_GL_PASS_COMPUTE_MEAN,
  ODL_GL_PASS_COMPUTE_TEMPORAL_MEDIAN,
  ODL_GL_PASS_COMPUTE_SIDES,
  ODL_GL_PASS_COMPUTE_MASK,
  ODL_GL_PASS_COMPUTE_NOISE,
  ODL_GL_PASS_COMPUTE_BAYES,
  ODL_GL_PASS_COMPUTE_TROUGH,
  ODL_GL_PASS_COMPUTE_EQUALISE,
  ODL_GL_PASS_COMPUTE_PEAK,
  ODL_GL_PASS_COMPUTE_PART,
  ODL_GL_PASS_COMPUTE_SHOW,
  ODL_GL_PASS_COMPUTE_COPY,
  ODL_GL_PASS_COMPUTE_COPY_IMAGE,
  ODL_GL_N_PASSES,
} OdlGlPassId;

typedef struct {
  const char *name;
  const char *fragment; // file of shaders/; NULL for a compute pass
  const char *vertex; // file of shaders/; NULL: quad.vert or lines.vert
  const char *compute; // file of shaders/; NULL for a pair of shaders that draws
  const char *defines; // what this row asks of the file
  const char *samplers[ODL_GL_PASS_SAMPLERS]; // sampler i reads texture unit i
  OdlGlUniform uniforms[ODL_GL_PASS_UNIFORMS]; // ends with a NULL name
} OdlGlPass;

extern const OdlGlPass odl_gl_passes[ODL_GL_N_PASSES];

// Uniforms of shaders/wavelet/lines.vert, which can stand before any fragment shader.
extern const OdlGlUniform odl_gl_lines_uniforms[2];

// GL's name of a type, as glGetActiveUniform reports it.
GLenum odl_gl_uniform_gl_type (OdlGlUniformType type);

typedef struct _OdlGlProgram OdlGlProgram;

// One draw call, ready to be issued.
typedef struct {
  const OdlGlProgram *program;
  GLuint framebuffer;
  int viewport[4];
  int vertices; // 3 for quad.vert, 6 per line for lines.vert
  bool draws_lines; // two vertices each, not triangles
  int precision; // LOAD: of what it draws into
  GLuint textures[ODL_GL_PASS_SAMPLERS]; // 0: none, and none behind it
  OdlGlUniforms uniforms;
} OdlGlDraw;

// Uploads the uniforms that the pass of `program` names, as far as they changed. The
// program must be in use.
void odl_gl_set_uniforms (const OdlGlProgram *program, const OdlGlUniforms *uniforms);

// Issues a draw call. An empty vertex array must be bound. GL current.
void odl_gl_draw (const OdlGlDraw *draw);
