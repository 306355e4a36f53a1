// SPDX-License-Identifier: MIT
#include "engine/gl/platform/pass.h"

#include <glib.h>

#include "image/render/render.h"

#define UNIFORM(NAME, TYPE, FIELD) \
  { \
    NAME, ODL_GL_##TYPE, offsetof (OdlGlUniforms, FIELD), 1 \
  }
#define ARRAY(NAME, TYPE, FIELD, COUNT) \
  { \
    NAME, ODL_GL_##TYPE, offsetof (OdlGlUniforms, FIELD), COUNT \
  }
#define KERNEL_UNIFORMS \
  { \
    UNIFORM ("n", INT, n), ARRAY ("low_taps", VEC2, low_taps, ODL_GL_MAX_TAPS), \
        ARRAY ("high_taps", VEC2, high_taps, ODL_GL_MAX_TAPS), \
        UNIFORM ("quantum", FLOAT, quantum), \
  }
#define PACKED_UNIFORMS \
  UNIFORM ("n", INT, n), UNIFORM ("quantum", FLOAT, quantum), \
      UNIFORM ("shift", INT, shift), ARRAY ("taps", VEC4, pair_taps, ODL_GL_MAX_TAPS)
#define STORED_UNIFORMS \
  UNIFORM ("source_layout", IVEC2, source_layout), UNIFORM ("minimum", FLOAT, minimum), \
      UNIFORM ("scale", FLOAT, scale), UNIFORM ("bias", FLOAT, bias), \
      UNIFORM ("extent", IVEC2, extent)
#define PLANE_UNIFORMS \
  UNIFORM ("first_place", IVEC2, places[0]), UNIFORM ("second_place", IVEC2, places[1]), \
      UNIFORM ("third_place", IVEC2, places[2]), UNIFORM ("ranges", VEC4, ranges), \
      UNIFORM ("mixing", VEC4, mixing), UNIFORM ("chroma_size", IVEC2, chroma_size)
#define LANE_UNIFORMS \
  UNIFORM ("rows", INT, rows), UNIFORM ("across", INT, across), \
      UNIFORM ("upwards", INT, upwards)
#define QUAD_UNIFORMS \
  UNIFORM ("size", IVEC2, size), UNIFORM ("target_layout", IVEC2, target_layout)

#define DEPTH_UNIFORMS \
  QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout), \
      UNIFORM ("rows", INT, rows), UNIFORM ("window", IVEC2, window), \
      UNIFORM ("lone", IVEC2, lone), \
      ARRAY ("taps", VEC4, bank_taps, ODL_GL_BANK_TAPS / 2)
#define SHRINK_UNIFORMS \
  UNIFORM ("thresholds", VEC3, thresholds), UNIFORM ("hard", FLOAT, hard)
#define BAND_UNIFORMS \
  UNIFORM ("size", IVEC2, size), UNIFORM ("source_layout", IVEC2, source_layout), \
      UNIFORM ("second_layout", IVEC2, second_layout)
#define STEP_UNIFORMS ARRAY ("parameters", FLOAT, parameters, ODL_GL_MOST_PARAMETERS)
#define SPACED_UNIFORMS \
  ARRAY ("taps", VEC2, low_taps, ODL_GL_MAX_TAPS), UNIFORM ("spacing", IVEC2, spacing), \
      UNIFORM ("first", INT, first)
#define COEFFICIENTS ARRAY ("coefficients", VEC4, coefficients, ODL_GL_KERNEL_QUADS)
#define GATE_UNIFORMS \
  UNIFORM ("size", IVEC2, size), UNIFORM ("weight", FLOAT, weight), \
      UNIFORM ("threshold", FLOAT, threshold), UNIFORM ("radius", INT, radius)
#define PAST_UNIFORMS UNIFORM ("earlier", INT, earlier), UNIFORM ("place", INT, place)
#define LOOK_UNIFORMS \
  UNIFORM ("centre", VEC3, centre), ARRAY ("turn", VEC3, turn, 3), \
      UNIFORM ("reach", VEC3, reach), UNIFORM ("front", VEC3, front)
#define RAY_UNIFORMS \
  ARRAY ("frame", VEC3, ray_frame, 3), UNIFORM ("forward", VEC3, ray_forward), \
      ARRAY ("box", VEC3, ray_box, 2), ARRAY ("cut", VEC3, ray_cut, 2), \
      UNIFORM ("n", INT, n), UNIFORM ("canvas_height", INT, canvas_height), \
      UNIFORM ("canvas_level", FLOAT, canvas_level), UNIFORM ("gain", FLOAT, gain), \
      UNIFORM ("offset", FLOAT, offset)
#define SHADE_UNIFORMS \
  UNIFORM ("texel", VEC3, texel), UNIFORM ("slope", VEC3, slope), \
      ARRAY ("towards", VEC3, towards, 2), UNIFORM ("shine", VEC4, shine), \
      UNIFORM ("sharpness", INT, sharpness)
#define BRICK_UNIFORMS \
  UNIFORM ("origin", IVEC2, origin), UNIFORM ("size", IVEC2, size), \
      UNIFORM ("brick_scale", VEC3, brick_scale)
#define RENDER_LIMITS \
  "#define ENOUGH " G_STRINGIFY ( \
      ODL_RENDER_ENOUGH_SHARE) "\n" \
                               "#define LEVELS " G_STRINGIFY (ODL_RENDER_LEVELS) ".0\n"
#define EARLIER_SAMPLERS "before1", "before2", "before3", "before4", "before5", "before6"

const OdlGlPass odl_gl_passes[ODL_GL_N_PASSES] = {
  [ODL_GL_PASS_LOAD] = {
    .name = "load",
    .fragment = "load.frag",
    .samplers = { "source", "second", "third" },
    .uniforms = { UNIFORM ("minimum", FLOAT, minimum), UNIFORM ("scale", FLOAT, scale), UNIFORM ("bias", FLOAT, bias), PLANE_UNIFORMS },
  },
  [ODL_GL_PASS_LUMA] = {
    .name = "luma",
    .fragment = "luma.frag",
    .samplers = { "source" },
    .uniforms = { UNIFORM ("weights", VEC3, weights) },
  },
  [ODL_GL_PASS_CONVOLVE] = {
    .name = "convolve",
    .fragment = "convolve.frag",
    .defines = "#define RADIUS_MAX " G_STRINGIFY (ODL_GL_MAX_RADIUS) "\n",
    .samplers = { "source" },
    .uniforms = { UNIFORM ("size", IVEC2, size), UNIFORM ("radius", INT, radius),
                  ARRAY ("taps", FLOAT, kernel, ODL_GL_MAX_RADIUS + 1) },
  },
  [ODL_GL_PASS_SPATIAL] = {
    .name = "spatial",
    .fragment = "spatial.frag",
    .samplers = { "source", "second" },
    .uniforms = { UNIFORM ("size", IVEC2, size), UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS,
                  SPACED_UNIFORMS, COEFFICIENTS },
  },
  [ODL_GL_PASS_FORWARD] = {
    .name = "forward",
    .fragment = "wavelet/forward.frag",
    .samplers = { "source" },
    .uniforms = KERNEL_UNIFORMS,
  },
  [ODL_GL_PASS_THRESHOLD] = {
    .name = "threshold",
    .fragment = "wavelet/threshold.frag",
    .samplers = { "bands" },
    .uniforms = { SHRINK_UNIFORMS },
  },
  [ODL_GL_PASS_THRESHOLD_COLOUR] = {
    .name = "threshold-colour",
    .fragment = "wavelet/threshold.frag",
    .defines = "#define COLOUR\n",
    .samplers = { "lh", "hl", "hh" },
    .uniforms = { SHRINK_UNIFORMS },
  },
  [ODL_GL_PASS_THRESHOLD_PACKED_COLOUR] = {
    .name = "threshold-packed-colour",
    .fragment = "wavelet/threshold.frag",
    .defines = "#define PACKED\n",
    .samplers = { "bands", "green", "blue" },
    .uniforms = { SHRINK_UNIFORMS },
  },
  [ODL_GL_PASS_COMBINE] = {
    .name = "combine",
    .fragment = "wavelet/combine.frag",
    .samplers = { "first", "second" },
    .uniforms = { UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS },
  },
  [ODL_GL_PASS_COMBINE_COLOUR] = {
    .name = "combine-colour",
    .fragment = "wavelet/combine.frag",
    .defines = "#define COLOUR\n",
    .samplers = { "first", "first_below", "second", "second_below" },
    .uniforms = { UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS },
  },
  [ODL_GL_PASS_COMBINE_PACKED_COLOUR] = {
    .name = "combine-packed-colour",
    .fragment = "wavelet/combine.frag",
    .defines = "#define PACKED\n",
    .samplers = { "first", "first_green", "first_blue", "second", "second_green", "second_blue" },
    .uniforms = { UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS },
  },
  [ODL_GL_PASS_INVERSE_X] = {
    .name = "inverse-x",
    .fragment = "wavelet/inverse.frag",
    .defines = "#define AXIS 0\n",
    .samplers = { "halves" },
    .uniforms = KERNEL_UNIFORMS,
  },
  [ODL_GL_PASS_INVERSE_Y] = {
    .name = "inverse-y",
    .fragment = "wavelet/inverse.frag",
    .defines = "#define AXIS 1\n",
    .samplers = { "approx", "details" },
    .uniforms = KERNEL_UNIFORMS,
  },
  [ODL_GL_PASS_INVERSE_X_COLOUR] = {
    .name = "inverse-x-colour",
    .fragment = "wavelet/inverse.frag",
    .defines = "#define AXIS 0\n#define COLOUR\n",
    .samplers = { "low", "high" },
    .uniforms = KERNEL_UNIFORMS,
  },
  [ODL_GL_PASS_INVERSE_Y_COLOUR] = {
    .name = "inverse-y-colour",
    .fragment = "wavelet/inverse.frag",
    .defines = "#define AXIS 1\n#define COLOUR\n",
    .samplers = { "approx", "lh", "hl", "hh" },
    .uniforms = KERNEL_UNIFORMS,
  },
  [ODL_GL_PASS_PACKED] = {
    .name = "packed",
    .fragment = "wavelet/packed.frag",
    .samplers = { "source" },
    .uniforms = { PACKED_UNIFORMS },
  },
  [ODL_GL_PASS_PACKED_INVERSE_Y] = {
    .name = "packed-inverse-y",
    .fragment = "wavelet/packed.frag",
    .defines = "#define AXIS 1\n#define SYNTHESIS\n",
    .samplers = { "source", "approx" },
    .uniforms = { PACKED_UNIFORMS, SHRINK_UNIFORMS },
  },
  [ODL_GL_PASS_PACKED_COLOUR] = {
    .name = "packed-colour",
    .fragment = "wavelet/packed.frag",
    .defines = "#define COLOUR\n",
    .samplers = { "source", "green", "blue" },
    .uniforms = { PACKED_UNIFORMS },
  },
  [ODL_GL_PASS_PACKED_INVERSE_Y_COLOUR] = {
    .name = "packed-inverse-y-colour",
    .fragment = "wavelet/packed.frag",
    .defines = "#define AXIS 1\n#define SYNTHESIS\n#define COLOUR\n",
    .samplers = { "source", "green", "blue", "approx", "approx_green", "approx_blue" },
    .uniforms = { PACKED_UNIFORMS, SHRINK_UNIFORMS },
  },
  [ODL_GL_PASS_UNPACK] = {
    .name = "unpack",
    .fragment = "wavelet/unpack.frag",
    .samplers = { "source" },
  },
  [ODL_GL_PASS_UNPACK_COLOUR] = {
    .name = "unpack-colour",
    .fragment = "wavelet/unpack.frag",
    .defines = "#define COLOUR\n",
    .samplers = { "source", "green", "blue" },
  },
  [ODL_GL_PASS_LAYOUT] = {
    .name = "layout",
    .fragment = "wavelet/layout.frag",
    .samplers = { "band" },
    .uniforms = { UNIFORM ("origin", IVEC2, origin), UNIFORM ("pick", VEC4, pick) },
  },
  [ODL_GL_PASS_LAYOUT_COLOUR] = {
    .name = "layout-colour",
    .fragment = "wavelet/layout.frag",
    .defines = "#define COLOUR\n",
    .samplers = { "band" },
    .uniforms = { UNIFORM ("origin", IVEC2, origin) },
  },
  [ODL_GL_PASS_LAYOUT_PACKED_COLOUR] = {
    .name = "layout-packed-colour",
    .fragment = "wavelet/layout.frag",
    .defines = "#define PACKED\n",
    .samplers = { "band", "green", "blue" },
    .uniforms = { UNIFORM ("origin", IVEC2, origin), UNIFORM ("pick", VEC4, pick) },
  },
  [ODL_GL_PASS_RECOMBINE] = {
    .name = "recombine",
    .fragment = "recombine.frag",
    .samplers = { "source", "before", "after" },
  },
  [ODL_GL_PASS_RECURSIVE] = {
    .name = "recursive",
    .fragment = "follow.frag",
    .samplers = { "source", "before" },
    .uniforms = { UNIFORM ("earlier", INT, earlier), UNIFORM ("weight", FLOAT, weight) },
  },
  [ODL_GL_PASS_PERSISTENCE] = {
    .name = "persistence",
    .fragment = "follow.frag",
    .defines = "#define GATED\n",
    .samplers = { "source", "before" },
    .uniforms = { UNIFORM ("earlier", INT, earlier), GATE_UNIFORMS },
  },
  [ODL_GL_PASS_MEAN] = {
    .name = "mean",
    .fragment = "window.frag",
    .samplers = { "source", EARLIER_SAMPLERS },
    .uniforms = { UNIFORM ("earlier", INT, earlier) },
  },
  [ODL_GL_PASS_TEMPORAL_MEDIAN] = {
    .name = "temporal-median",
    .fragment = "window.frag",
    .defines = "#define MEDIAN\n",
    .samplers = { "source", EARLIER_SAMPLERS },
    .uniforms = { UNIFORM ("earlier", INT, earlier) },
  },
  [ODL_GL_PASS_LOOKUP] = {
    .name = "lookup",
    .fragment = "wavelet/lookup.frag",
    .samplers = { "source", "addresses" },
    .uniforms = { UNIFORM ("level_row", INT, level_row),
                  ARRAY ("kernels", VEC3, kernels, ODL_GL_MAX_TAPS) },
  },
  [ODL_GL_PASS_THRESHOLD_DETAIL] = {
    .name = "threshold-detail",
    .fragment = "wavelet/threshold.frag",
    .defines = "#define DETAIL\n",
    .samplers = { "detail" },
    .uniforms = { SHRINK_UNIFORMS, UNIFORM ("pick", VEC4, pick) },
  },
  [ODL_GL_PASS_DISPLAY] = {
    .name = "display",
    .fragment = "display/display.frag",
    .samplers = { "picture", "green", "blue", "alpha", "curve", "graphics", "map" },
    .uniforms = { UNIFORM ("taps", INT, display_taps), UNIFORM ("column", VEC3, column), UNIFORM ("row", VEC3, row),
                  UNIFORM ("size", IVEC2, size),
                  UNIFORM ("canvas_height", INT, canvas_height),
                  UNIFORM ("canvas_level", FLOAT, canvas_level),
                  UNIFORM ("gain", FLOAT, gain), UNIFORM ("offset", FLOAT, offset),
                  UNIFORM ("curve_levels", INT, curve_levels), UNIFORM ("shutter_column", INT, shutter_column),
                  UNIFORM ("graphics_level", FLOAT, graphics_level), UNIFORM ("shutter_level", FLOAT, shutter_level),
                  UNIFORM ("invert", FLOAT, invert), UNIFORM ("weights", VEC3, weights),
                  UNIFORM ("detail_gains", VEC3, detail_gains),
                  UNIFORM ("approx_size", IVEC2, approx_size) },
  },
  [ODL_GL_PASS_OVERLAY] = {
    .name = "overlay",
    .fragment = "display/overlay.frag",
    .samplers = { "overlay" },
    .uniforms = { UNIFORM ("origin", IVEC2, origin),
                  UNIFORM ("canvas_height", INT, canvas_height) },
  },
  [ODL_GL_PASS_SURFACE] = {
    .name = "surface",
    .vertex = "display/surface.vert",
    .fragment = "display/surface.frag",
    .samplers = { "positions", "normals" },
    .uniforms = { LOOK_UNIFORMS, UNIFORM ("back", VEC3, back),
                  UNIFORM ("light", VEC3, light), UNIFORM ("shine", VEC4, shine), UNIFORM ("sharpness", INT, sharpness) },
  },
  [ODL_GL_PASS_NET] = {
    .name = "net",
    .vertex = "display/surface.vert",
    .fragment = "display/surface.frag",
    .defines = "#define NET\n",
    .samplers = { "positions" },
    .uniforms = { LOOK_UNIFORMS, UNIFORM ("lift", FLOAT, lift) },
  },
  [ODL_GL_PASS_RENDER] = {
    .name = "render",
    .fragment = "display/render.frag",
    .defines = RENDER_LIMITS,
    .samplers = { "body", "levels" },
    .uniforms = { RAY_UNIFORMS, SHADE_UNIFORMS },
  },
  [ODL_GL_PASS_RENDER_MAXIMUM] = {
    .name = "render-maximum",
    .fragment = "display/render.frag",
    .defines = "#define MAXIMUM\n",
    .samplers = { "body" },
    .uniforms = { RAY_UNIFORMS, UNIFORM ("invert", FLOAT, invert) },
  },
  [ODL_GL_PASS_COMPUTE_RENDER] = {
    .name = "compute-render",
    .compute = "display/render.comp",
    .defines = "#define BRICKS\n" RENDER_LIMITS,
    .samplers = { "body", "levels", "bricks" },
    .uniforms = { RAY_UNIFORMS, SHADE_UNIFORMS, BRICK_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_RENDER_MAXIMUM] = {
    .name = "compute-render-maximum",
    .compute = "display/render.comp",
    .defines = "#define BRICKS\n#define MAXIMUM\n",
    .samplers = { "body", "levels", "bricks" },
    .uniforms = { RAY_UNIFORMS, BRICK_UNIFORMS, UNIFORM ("invert", FLOAT, invert) },
  },
  [ODL_GL_PASS_FOLD_PROBE] = {
    .name = "fold-probe",
    .fragment = "fold_probe.frag",
    .uniforms = { UNIFORM ("first", INT, first), UNIFORM ("border", INT, border) },
  },
  [ODL_GL_PASS_COPY] = {
    .name = "copy",
    .fragment = "copy.frag",
    .samplers = { "source" },
  },
  [ODL_GL_PASS_COMPUTE_LOAD] = {
    .name = "compute-load",
    .compute = "load.comp",
    .uniforms = { QUAD_UNIFORMS, STORED_UNIFORMS, PLANE_UNIFORMS, UNIFORM ("plane_rows", IVEC2, plane_rows) },
  },
  [ODL_GL_PASS_COMPUTE_LUMA] = {
    .name = "compute-luma",
    .compute = "luma.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("weights", VEC3, weights) },
  },
  [ODL_GL_PASS_COMPUTE_CONVOLVE] = {
    .name = "compute-convolve",
    .compute = "convolve.comp",
    .defines = "#define RADIUS_MAX " G_STRINGIFY (ODL_GL_MAX_RADIUS) "\n",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("radius", INT, radius),
                  ARRAY ("taps", FLOAT, kernel, ODL_GL_MAX_RADIUS + 1) },
  },
  [ODL_GL_PASS_COMPUTE_SPATIAL] = {
    .name = "compute-spatial",
    .compute = "spatial.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS,
                  SPACED_UNIFORMS, COEFFICIENTS },
  },
  [ODL_GL_PASS_COMPUTE_CONVOLVE_BLOCK] = {
    .name = "compute-convolve-block",
    .compute = "spatial/convolve_block.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("bias", FLOAT, bias), COEFFICIENTS, UNIFORM ("depth", INT, depth) },
  },
  [ODL_GL_PASS_COMPUTE_CONVOLVE_BANK] = {
    .name = "compute-convolve-bank",
    .compute = "spatial/convolve_bank.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("bias", FLOAT, bias), UNIFORM ("depth", INT, depth) },
  },
  [ODL_GL_PASS_COMPUTE_MEDIAN] = {
    .name = "compute-median",
    .compute = "spatial/median_tile.comp",
    .uniforms = { QUAD_UNIFORMS, STEP_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_FOURIER] = {
    .name = "compute-fourier",
    .compute = "fourier/lines.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("bias", FLOAT, bias), UNIFORM ("depth", INT, depth),
                  UNIFORM ("first", INT, first) },
  },
  [ODL_GL_PASS_COMPUTE_TENSOR] = {
    .name = "compute-tensor",
    .compute = "tensor/tensor.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_NON_LOCAL_MEANS] = {
    .name = "compute-non-local-means",
    .compute = "spatial/non_local_means_tile.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_FORWARD] = {
    .name = "compute-forward",
    .compute = "wavelet/forward.comp",
    .uniforms = { QUAD_UNIFORMS, STORED_UNIFORMS, LANE_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_THRESHOLD] = {
    .name = "compute-threshold",
    .compute = "wavelet/threshold.comp",
    .uniforms = { QUAD_UNIFORMS, SHRINK_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_COMBINE] = {
    .name = "compute-combine",
    .compute = "wavelet/combine.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_BIVARIATE] = {
    .name = "compute-bivariate",
    .compute = "wavelet/bivariate.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("second_layout", IVEC2, second_layout),
                  STEP_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_INVERSE] = {
    .name = "compute-inverse",
    .compute = "wavelet/inverse.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout),
                  UNIFORM ("approx_plane", INT, approx_plane), LANE_UNIFORMS,
                  SHRINK_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_FORWARD_TWO] = {
    .name = "compute-forward-two",
    .compute = "wavelet/forward_two.comp",
    .uniforms = { QUAD_UNIFORMS, STORED_UNIFORMS, LANE_UNIFORMS,
                  UNIFORM ("second_layout", IVEC2, second_layout) },
  },
  [ODL_GL_PASS_COMPUTE_INVERSE_TWO] = {
    .name = "compute-inverse-two",
    .compute = "wavelet/inverse_two.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout),
                  UNIFORM ("second_layout", IVEC2, second_layout),
                  UNIFORM ("approx_plane", INT, approx_plane), LANE_UNIFORMS,
                  ARRAY ("limits", VEC4, limits, ODL_GL_FUSION_LEVELS) },
  },
  [ODL_GL_PASS_COMPUTE_COARSE] = {
    .name = "compute-coarse",
    .compute = "wavelet/coarse.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout),
                  ARRAY ("limits", VEC4, limits, ODL_GL_FUSION_LEVELS) },
  },
  [ODL_GL_PASS_COMPUTE_BANK_FORWARD] = {
    .name = "compute-bank-forward",
    .compute = "wavelet/bank_forward.comp",
    .uniforms = { QUAD_UNIFORMS, STORED_UNIFORMS,
                  UNIFORM ("window", IVEC2, window), UNIFORM ("lone", IVEC2, lone),
                  ARRAY ("taps", VEC4, bank_taps, ODL_GL_BANK_TAPS / 2) },
  },
  [ODL_GL_PASS_COMPUTE_BANK_INVERSE] = {
    .name = "compute-bank-inverse",
    .compute = "wavelet/bank_inverse.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout),
                  UNIFORM ("approx_plane", INT, approx_plane),
                  UNIFORM ("window", IVEC2, window), UNIFORM ("lone", IVEC2, lone),
                  ARRAY ("taps", VEC4, bank_taps, ODL_GL_BANK_TAPS / 2),
                  SHRINK_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_DEPTH_FORWARD] = {
    .name = "compute-depth-forward",
    .compute = "wavelet/depth_forward.comp",
    .uniforms = { DEPTH_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_DEPTH_INVERSE] = {
    .name = "compute-depth-inverse",
    .compute = "wavelet/depth_inverse.comp",
    .uniforms = { DEPTH_UNIFORMS, UNIFORM ("second_layout", IVEC2, second_layout),
                  UNIFORM ("approx_plane", INT, approx_plane), SHRINK_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_DEPTH_THRESHOLD] = {
    .name = "compute-depth-threshold",
    .compute = "wavelet/depth_threshold.comp",
    .uniforms = { UNIFORM ("size", IVEC2, size), UNIFORM ("depth", INT, depth),
                  UNIFORM ("approx_plane", INT, approx_plane), SHRINK_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_DUAL_FORWARD] = {
    .name = "compute-dual-forward",
    .compute = "wavelet/dual_forward.comp",
    .uniforms = { QUAD_UNIFORMS, STORED_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_DUAL_SHRINK] = {
    .name = "compute-dual-shrink",
    .compute = "wavelet/dual_shrink.comp",
    .uniforms = { QUAD_UNIFORMS, STEP_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_DUAL_BIVARIATE] = {
    .name = "compute-dual-bivariate",
    .compute = "wavelet/dual_bivariate.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("second_layout", IVEC2, second_layout), STEP_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_DUAL_INVERSE] = {
    .name = "compute-dual-inverse",
    .compute = "wavelet/dual_inverse.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout) },
  },
  [ODL_GL_PASS_COMPUTE_DUAL_PLACE] = {
    .name = "compute-dual-place",
    .compute = "wavelet/dual_place.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout) },
  },
  [ODL_GL_PASS_COMPUTE_LAYOUT] = {
    .name = "compute-layout",
    .compute = "wavelet/layout.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout) },
  },
  [ODL_GL_PASS_COMPUTE_BAND] = {
    .name = "compute-band",
    .compute = "wavelet/band.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout) },
  },
  [ODL_GL_PASS_COMPUTE_JOIN] = {
    .name = "compute-join",
    .compute = "wavelet/join.comp",
    .uniforms = { QUAD_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_SHIFT] = {
    .name = "compute-shift",
    .compute = "wavelet/shift.comp",
    .uniforms
    = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout), STEP_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_RECOMBINE] = {
    .name = "compute-recombine",
    .compute = "recombine.comp",
    .uniforms = { QUAD_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_RECURSIVE] = {
    .name = "compute-recursive",
    .compute = "follow.comp",
    .uniforms = { QUAD_UNIFORMS, PAST_UNIFORMS, UNIFORM ("weight", FLOAT, weight) },
  },
  [ODL_GL_PASS_COMPUTE_PERSISTENCE] = {
    .name = "compute-persistence",
    .compute = "follow.comp",
    .defines = "#define GATED\n",
    .uniforms = { UNIFORM ("target_layout", IVEC2, target_layout), PAST_UNIFORMS, GATE_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_MEAN] = {
    .name = "compute-mean",
    .compute = "window.comp",
    .uniforms = { QUAD_UNIFORMS, PAST_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_TEMPORAL_MEDIAN] = {
    .name = "compute-temporal-median",
    .compute = "window.comp",
    .defines = "#define MEDIAN\n",
    .uniforms = { QUAD_UNIFORMS, PAST_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_SIDES] = {
    .name = "compute-sides",
    .compute = "measure/sides.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout),
                  UNIFORM ("bias", FLOAT, bias) },
  },
  [ODL_GL_PASS_COMPUTE_MASK] = {
    .name = "compute-mask",
    .compute = "measure/mask.comp",
    .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout),
                  UNIFORM ("extent", IVEC2, extent), UNIFORM ("bias", FLOAT, bias),
                  STEP_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_NOISE] = {
    .name = "compute-noise",
    .compute = "measure/noise.comp",
    .uniforms = { BAND_UNIFORMS, STEP_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_BAYES] = {
    .name = "compute-bayes",
    .compute = "measure/bayes.comp",
    .uniforms = { BAND_UNIFORMS, STEP_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_TROUGH] = {
    .name = "compute-trough",
    .compute = "measure/trough.comp",
    .uniforms = { UNIFORM ("size", IVEC2, size), UNIFORM ("source_layout", IVEC2, source_layout),
                  UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_EQUALISE] = {
    .name = "compute-equalise",
    .compute = "measure/equalise.comp",
    .uniforms = { UNIFORM ("size", IVEC2, size), UNIFORM ("source_layout", IVEC2, source_layout),
                  UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_PART] = {
    .name = "compute-part",
    .compute = "part.comp",
    .uniforms = { UNIFORM ("size", IVEC2, size), UNIFORM ("origin", IVEC2, origin),
                  UNIFORM ("source_layout", IVEC2, source_layout), UNIFORM ("first", INT, first),
                  UNIFORM ("scale", FLOAT, scale), UNIFORM ("limit", FLOAT, threshold),
                  UNIFORM ("bias", FLOAT, bias) },
  },
  [ODL_GL_PASS_COMPUTE_SHOW] = {
    .name = "compute-show",
    .compute = "display/show.comp",
    .uniforms = { QUAD_UNIFORMS },
  },
  [ODL_GL_PASS_COMPUTE_COPY] = {
    .name = "compute-copy",
    .compute = "copy.comp",
    .uniforms = { UNIFORM ("n", INT, n) },
  },
  [ODL_GL_PASS_COMPUTE_COPY_IMAGE] = {
    .name = "compute-copy-image",
    .compute = "copy.comp",
    .defines = "#define IMAGE\n",
    .samplers = { "source" },
    .uniforms = { UNIFORM ("n", INT, n) },
  },
};

const OdlGlUniform odl_gl_lines_uniforms[2] = { UNIFORM ("extent", IVEC2, extent) };
