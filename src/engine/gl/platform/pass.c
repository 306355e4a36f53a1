// SPDX-License-Identifier: MIT
#include "engine/gl/platform/pass.h"

#include <glib.h>

#include "image/render/render.h"

#define FRAGMENT(text, file) .name = (text), .fragment = (file)
#define COMPUTE(text, file) .name = (text), .compute = (file)

// The uniforms that shaders have in common.
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

#define BLOCKS_UNIFORMS \
  QUAD_UNIFORMS, UNIFORM ("channel", INT, n), UNIFORM ("bias", FLOAT, bias)

#define PLANES_UNIFORMS UNIFORM ("plane_layout", IVEC2, source_layout)

#define DEPTH_UNIFORMS \
  QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout), \
      UNIFORM ("rows", INT, rows), UNIFORM ("window", IVEC2, window), \
      UNIFORM ("lone", IVEC2, lone), \
      ARRAY ("taps", VEC4, bank_taps, ODL_GL_BANK_TAPS / 2)
#define SHRINK_UNIFORMS \
  UNIFORM ("thresholds", VEC3, thresholds), UNIFORM ("hard", FLOAT, hard)
#define OCTANT_UNIFORMS \
  ARRAY ("thresholds", FLOAT, thresholds, 7), UNIFORM ("hard", FLOAT, hard)
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
  [ODL_GL_PASS_LOAD]
  = { FRAGMENT ("load", "load.frag"), .samplers = { "source", "second", "third" },
      .uniforms = { UNIFORM ("minimum", FLOAT, minimum), UNIFORM ("scale", FLOAT, scale),
                    UNIFORM ("bias", FLOAT, bias), PLANE_UNIFORMS } },
  [ODL_GL_PASS_LUMA] = { FRAGMENT ("luma", "luma.frag"), .samplers = { "source" },
                         .uniforms = { UNIFORM ("weights", VEC3, weights) } },
  [ODL_GL_PASS_CONVOLVE]
  = { FRAGMENT ("convolve", "convolve.frag"),
      .defines = "#define RADIUS_MAX " G_STRINGIFY (ODL_GL_MAX_RADIUS) "\n",
      .samplers = { "source" },
      .uniforms = { UNIFORM ("size", IVEC2, size), UNIFORM ("radius", INT, radius),
                    ARRAY ("taps", FLOAT, kernel, ODL_GL_MAX_RADIUS + 1) } },
  [ODL_GL_PASS_SPATIAL]
  = { FRAGMENT ("spatial", "spatial.frag"), .samplers = { "source", "second" },
      .uniforms = { UNIFORM ("size", IVEC2, size), UNIFORM ("bias", FLOAT, bias),
                    STEP_UNIFORMS, SPACED_UNIFORMS, COEFFICIENTS } },
  [ODL_GL_PASS_FORWARD] = { FRAGMENT ("forward", "wavelet/forward.frag"),
                            .samplers = { "source" }, .uniforms = KERNEL_UNIFORMS },
  [ODL_GL_PASS_THRESHOLD] = { FRAGMENT ("threshold", "wavelet/threshold.frag"),
                              .samplers = { "bands" }, .uniforms = { SHRINK_UNIFORMS } },
  [ODL_GL_PASS_THRESHOLD_COLOUR]
  = { FRAGMENT ("threshold-colour", "wavelet/threshold.frag"),
      .defines = "#define COLOUR\n", .samplers = { "lh", "hl", "hh" },
      .uniforms = { SHRINK_UNIFORMS } },
  [ODL_GL_PASS_THRESHOLD_PACKED_COLOUR]
  = { FRAGMENT ("threshold-packed-colour", "wavelet/threshold.frag"),
      .defines = "#define PACKED\n", .samplers = { "bands", "green", "blue" },
      .uniforms = { SHRINK_UNIFORMS } },
  [ODL_GL_PASS_COMBINE]
  = { FRAGMENT ("combine", "wavelet/combine.frag"), .samplers = { "first", "second" },
      .uniforms = { UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS } },
  [ODL_GL_PASS_COMBINE_COLOUR]
  = { FRAGMENT ("combine-colour", "wavelet/combine.frag"), .defines = "#define COLOUR\n",
      .samplers = { "first", "first_below", "second", "second_below" },
      .uniforms = { UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS } },
  [ODL_GL_PASS_COMBINE_PACKED_COLOUR]
  = { FRAGMENT ("combine-packed-colour", "wavelet/combine.frag"),
      .defines = "#define PACKED\n",
      .samplers
      = { "first", "first_green", "first_blue", "second", "second_green", "second_blue" },
      .uniforms = { UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS } },
  [ODL_GL_PASS_INVERSE_X]
  = { FRAGMENT ("inverse-x", "wavelet/inverse.frag"), .defines = "#define AXIS 0\n",
      .samplers = { "halves" }, .uniforms = KERNEL_UNIFORMS },
  [ODL_GL_PASS_INVERSE_Y]
  = { FRAGMENT ("inverse-y", "wavelet/inverse.frag"), .defines = "#define AXIS 1\n",
      .samplers = { "approx", "details" }, .uniforms = KERNEL_UNIFORMS },
  [ODL_GL_PASS_INVERSE_X_COLOUR]
  = { FRAGMENT ("inverse-x-colour", "wavelet/inverse.frag"),
      .defines = "#define AXIS 0\n#define COLOUR\n", .samplers = { "low", "high" },
      .uniforms = KERNEL_UNIFORMS },
  [ODL_GL_PASS_INVERSE_Y_COLOUR]
  = { FRAGMENT ("inverse-y-colour", "wavelet/inverse.frag"),
      .defines = "#define AXIS 1\n#define COLOUR\n",
      .samplers = { "approx", "lh", "hl", "hh" }, .uniforms = KERNEL_UNIFORMS },
  [ODL_GL_PASS_PACKED] = { FRAGMENT ("packed", "wavelet/packed.frag"),
                           .samplers = { "source" }, .uniforms = { PACKED_UNIFORMS } },
  [ODL_GL_PASS_PACKED_INVERSE_Y] = { FRAGMENT ("packed-inverse-y", "wavelet/packed.frag"),
                                     .defines = "#define AXIS 1\n#define SYNTHESIS\n",
                                     .samplers = { "source", "approx" },
                                     .uniforms = { PACKED_UNIFORMS, SHRINK_UNIFORMS } },
  [ODL_GL_PASS_PACKED_COLOUR]
  = { FRAGMENT ("packed-colour", "wavelet/packed.frag"), .defines = "#define COLOUR\n",
      .samplers = { "source", "green", "blue" }, .uniforms = { PACKED_UNIFORMS } },
  [ODL_GL_PASS_PACKED_INVERSE_Y_COLOUR]
  = { FRAGMENT ("packed-inverse-y-colour", "wavelet/packed.frag"),
      .defines = "#define AXIS 1\n#define SYNTHESIS\n#define COLOUR\n",
      .samplers = { "source", "green", "blue", "approx", "approx_green", "approx_blue" },
      .uniforms = { PACKED_UNIFORMS, SHRINK_UNIFORMS } },
  [ODL_GL_PASS_UNPACK]
  = { FRAGMENT ("unpack", "wavelet/unpack.frag"), .samplers = { "source" } },
  [ODL_GL_PASS_UNPACK_COLOUR]
  = { FRAGMENT ("unpack-colour", "wavelet/unpack.frag"), .defines = "#define COLOUR\n",
      .samplers = { "source", "green", "blue" } },
  [ODL_GL_PASS_LAYOUT]
  = { FRAGMENT ("layout", "wavelet/layout.frag"), .samplers = { "band" },
      .uniforms = { UNIFORM ("origin", IVEC2, origin), UNIFORM ("pick", VEC4, pick) } },
  [ODL_GL_PASS_LAYOUT_COLOUR]
  = { FRAGMENT ("layout-colour", "wavelet/layout.frag"), .defines = "#define COLOUR\n",
      .samplers = { "band" }, .uniforms = { UNIFORM ("origin", IVEC2, origin) } },
  [ODL_GL_PASS_LAYOUT_PACKED_COLOUR]
  = { FRAGMENT ("layout-packed-colour", "wavelet/layout.frag"),
      .defines = "#define PACKED\n", .samplers = { "band", "green", "blue" },
      .uniforms = { UNIFORM ("origin", IVEC2, origin), UNIFORM ("pick", VEC4, pick) } },
  [ODL_GL_PASS_RECOMBINE] = { FRAGMENT ("recombine", "recombine.frag"),
                              .samplers = { "source", "before", "after" } },
  [ODL_GL_PASS_RECURSIVE]
  = { FRAGMENT ("recursive", "follow.frag"), .samplers = { "source", "before" },
      .uniforms
      = { UNIFORM ("earlier", INT, earlier), UNIFORM ("weight", FLOAT, weight) } },
  [ODL_GL_PASS_PERSISTENCE]
  = { FRAGMENT ("persistence", "follow.frag"), .defines = "#define GATED\n",
      .samplers = { "source", "before" },
      .uniforms = { UNIFORM ("earlier", INT, earlier), GATE_UNIFORMS } },
  [ODL_GL_PASS_MEAN]
  = { FRAGMENT ("mean", "window.frag"), .samplers = { "source", EARLIER_SAMPLERS },
      .uniforms = { UNIFORM ("earlier", INT, earlier) } },
  [ODL_GL_PASS_TEMPORAL_MEDIAN]
  = { FRAGMENT ("temporal-median", "window.frag"), .defines = "#define MEDIAN\n",
      .samplers = { "source", EARLIER_SAMPLERS },
      .uniforms = { UNIFORM ("earlier", INT, earlier) } },
  [ODL_GL_PASS_LOOKUP]
  = { FRAGMENT ("lookup", "wavelet/lookup.frag"), .samplers = { "source", "addresses" },
      .uniforms = { UNIFORM ("level_row", INT, level_row),
                    ARRAY ("kernels", VEC3, kernels, ODL_GL_MAX_TAPS) } },
  [ODL_GL_PASS_THRESHOLD_DETAIL]
  = { FRAGMENT ("threshold-detail", "wavelet/threshold.frag"),
      .defines = "#define DETAIL\n", .samplers = { "detail" },
      .uniforms = { SHRINK_UNIFORMS, UNIFORM ("pick", VEC4, pick) } },
  [ODL_GL_PASS_DISPLAY]
  = { FRAGMENT ("display", "display/display.frag"),
      .samplers = { "picture", "green", "blue", "alpha", "curve", "graphics", "map" },
      .uniforms
      = { UNIFORM ("taps", INT, display_taps), UNIFORM ("column", VEC3, column),
          UNIFORM ("row", VEC3, row), UNIFORM ("size", IVEC2, size),
          UNIFORM ("canvas_height", INT, canvas_height),
          UNIFORM ("canvas_level", FLOAT, canvas_level), UNIFORM ("gain", FLOAT, gain),
          UNIFORM ("offset", FLOAT, offset), UNIFORM ("curve_levels", INT, curve_levels),
          UNIFORM ("shutter_column", INT, shutter_column),
          UNIFORM ("graphics_level", FLOAT, graphics_level),
          UNIFORM ("shutter_level", FLOAT, shutter_level),
          UNIFORM ("invert", FLOAT, invert), UNIFORM ("weights", VEC3, weights),
          ARRAY ("detail_gains", FLOAT, detail_gains, ODL_DETAIL_LEVELS),
          UNIFORM ("detail_levels", INT, detail_levels),
          UNIFORM ("detail_zero", FLOAT, detail_zero),
          UNIFORM ("approx_size", IVEC2, approx_size) } },
  [ODL_GL_PASS_OVERLAY]
  = { FRAGMENT ("overlay", "display/overlay.frag"), .samplers = { "overlay" },
      .uniforms = { UNIFORM ("origin", IVEC2, origin),
                    UNIFORM ("canvas_height", INT, canvas_height) } },
  [ODL_GL_PASS_SURFACE]
  = { FRAGMENT ("surface", "display/surface.frag"), .vertex = "display/surface.vert",
      .samplers = { "positions", "normals" },
      .uniforms
      = { LOOK_UNIFORMS, UNIFORM ("back", VEC3, back), UNIFORM ("light", VEC3, light),
          UNIFORM ("shine", VEC4, shine), UNIFORM ("sharpness", INT, sharpness) } },
  [ODL_GL_PASS_NET]
  = { FRAGMENT ("net", "display/surface.frag"), .vertex = "display/surface.vert",
      .defines = "#define NET\n", .samplers = { "positions" },
      .uniforms = { LOOK_UNIFORMS, UNIFORM ("lift", FLOAT, lift) } },
  [ODL_GL_PASS_RENDER]
  = { FRAGMENT ("render", "display/render.frag"), .defines = RENDER_LIMITS,
      .samplers = { "body", "levels" }, .uniforms = { RAY_UNIFORMS, SHADE_UNIFORMS } },
  [ODL_GL_PASS_RENDER_MAXIMUM]
  = { FRAGMENT ("render-maximum", "display/render.frag"), .defines = "#define MAXIMUM\n",
      .samplers = { "body" },
      .uniforms = { RAY_UNIFORMS, UNIFORM ("invert", FLOAT, invert) } },
  [ODL_GL_PASS_COMPUTE_RENDER]
  = { COMPUTE ("compute-render", "display/render.comp"),
      .defines = "#define BRICKS\n" RENDER_LIMITS,
      .samplers = { "body", "levels", "bricks" },
      .uniforms = { RAY_UNIFORMS, SHADE_UNIFORMS, BRICK_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_RENDER_MAXIMUM]
  = { COMPUTE ("compute-render-maximum", "display/render.comp"),
      .defines = "#define BRICKS\n#define MAXIMUM\n",
      .samplers = { "body", "levels", "bricks" },
      .uniforms = { RAY_UNIFORMS, BRICK_UNIFORMS, UNIFORM ("invert", FLOAT, invert) } },
  [ODL_GL_PASS_FOLD_PROBE]
  = { FRAGMENT ("fold-probe", "fold_probe.frag"),
      .uniforms = { UNIFORM ("first", INT, first), UNIFORM ("border", INT, border) } },
  [ODL_GL_PASS_COPY] = { FRAGMENT ("copy", "copy.frag"), .samplers = { "source" } },
  [ODL_GL_PASS_COMPUTE_LOAD]
  = { COMPUTE ("compute-load", "load.comp"),
      .uniforms = { QUAD_UNIFORMS, STORED_UNIFORMS, PLANE_UNIFORMS,
                    UNIFORM ("plane_rows", IVEC2, plane_rows) } },
  [ODL_GL_PASS_COMPUTE_LUMA]
  = { COMPUTE ("compute-luma", "luma.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("weights", VEC3, weights) } },
  [ODL_GL_PASS_COMPUTE_CONVOLVE]
  = { COMPUTE ("compute-convolve", "convolve.comp"),
      .defines = "#define RADIUS_MAX " G_STRINGIFY (ODL_GL_MAX_RADIUS) "\n",
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("radius", INT, radius),
                    ARRAY ("taps", FLOAT, kernel, ODL_GL_MAX_RADIUS + 1) } },
  [ODL_GL_PASS_COMPUTE_SPATIAL]
  = { COMPUTE ("compute-spatial", "spatial.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS,
                    SPACED_UNIFORMS, COEFFICIENTS } },
  [ODL_GL_PASS_COMPUTE_CONVOLVE_BLOCK]
  = { COMPUTE ("compute-convolve-block", "blocks/convolve_block.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("bias", FLOAT, bias), COEFFICIENTS,
                    UNIFORM ("depth", INT, depth) } },
  [ODL_GL_PASS_COMPUTE_CONVOLVE_STREAM]
  = { COMPUTE ("compute-convolve-stream", "blocks/convolve_stream.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("bias", FLOAT, bias), COEFFICIENTS,
                    UNIFORM ("depth", INT, depth) } },
  [ODL_GL_PASS_COMPUTE_CONVOLVE_BANK]
  = { COMPUTE ("compute-convolve-bank", "blocks/convolve_bank.comp"),
      .uniforms
      = { QUAD_UNIFORMS, UNIFORM ("bias", FLOAT, bias), UNIFORM ("depth", INT, depth) } },
  [ODL_GL_PASS_COMPUTE_MEDIAN] = { COMPUTE ("compute-median", "blocks/median_tile.comp"),
                                   .uniforms = { QUAD_UNIFORMS, STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_MEDIAN_NETWORK]
  = { COMPUTE ("compute-median-network", "blocks/median_network.comp"),
      .uniforms = { QUAD_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_FOURIER]
  = { COMPUTE ("compute-fourier", "fourier/lines.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("bias", FLOAT, bias),
                    UNIFORM ("depth", INT, depth), UNIFORM ("first", INT, first) } },
  [ODL_GL_PASS_COMPUTE_TENSOR]
  = { COMPUTE ("compute-tensor", "tensor/tensor.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_NON_LOCAL_MEANS]
  = { COMPUTE ("compute-non-local-means", "blocks/non_local_means_tile.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_BM3D_NOISE]
  = { COMPUTE ("compute-bm3d-noise", "blocks/bm3d_noise.comp"),
      .uniforms = { UNIFORM ("size", IVEC2, size), UNIFORM ("ring", INT, depth),
                    UNIFORM ("sums_at", INT, shift), COEFFICIENTS } },
  [ODL_GL_PASS_COMPUTE_BM3D_MATCH]
  = { COMPUTE ("compute-bm3d-match", "blocks/bm3d_match.comp"),
      .uniforms = { BLOCKS_UNIFORMS, UNIFORM ("first", INT, first), STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_BM3D_FILTER]
  = { COMPUTE ("compute-bm3d-filter", "blocks/bm3d_filter.comp"),
      .uniforms
      = { BLOCKS_UNIFORMS, UNIFORM ("first", INT, first), UNIFORM ("ring", INT, depth),
          UNIFORM ("sums_at", INT, shift), STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_BM3D_ADD]
  = { COMPUTE ("compute-bm3d-add", "blocks/bm3d_add.comp"),
      .uniforms = { UNIFORM ("size", IVEC2, size), UNIFORM ("first", INT, first),
                    UNIFORM ("ring", INT, depth), UNIFORM ("sums_at", INT, shift),
                    UNIFORM ("place", INT, place), STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_BM3D_GATHER]
  = { COMPUTE ("compute-bm3d-gather", "blocks/bm3d_gather.comp"),
      .uniforms
      = { BLOCKS_UNIFORMS, UNIFORM ("ring", INT, depth), UNIFORM ("sums_at", INT, shift),
          UNIFORM ("span", IVEC2, origin), STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_BM3D_TIME_ENTER]
  = { COMPUTE ("compute-bm3d-time-enter", "blocks/bm3d_time_enter.comp"),
      .uniforms = { BLOCKS_UNIFORMS, PLANES_UNIFORMS, UNIFORM ("place", INT, place) } },
  [ODL_GL_PASS_COMPUTE_BM3D_TIME_WHITEN]
  = { COMPUTE ("compute-bm3d-time-whiten", "blocks/bm3d_time_whiten.comp"),
      .uniforms = { BLOCKS_UNIFORMS, PLANES_UNIFORMS, UNIFORM ("place", INT, place),
                    COEFFICIENTS } },
  [ODL_GL_PASS_COMPUTE_BM3D_TIME_CLEAR]
  = { COMPUTE ("compute-bm3d-time-clear", "blocks/bm3d_time_clear.comp"),
      .uniforms = { UNIFORM ("size", IVEC2, size), PLANES_UNIFORMS,
                    UNIFORM ("first", INT, first) } },
  [ODL_GL_PASS_COMPUTE_BM3D_TIME_FOLLOW]
  = { COMPUTE ("compute-bm3d-time-follow", "blocks/bm3d_time_follow.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("channel", INT, n),
                    UNIFORM ("first", INT, first), UNIFORM ("sums_at", INT, shift),
                    UNIFORM ("place", INT, place), UNIFORM ("before", INT, rows),
                    UNIFORM ("after", INT, across), STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_BM3D_TIME_FILTER]
  = { COMPUTE ("compute-bm3d-time-filter", "blocks/bm3d_time_filter.comp"),
      .uniforms
      = { QUAD_UNIFORMS, UNIFORM ("first", INT, first), UNIFORM ("ring", INT, depth),
          UNIFORM ("sums_at", INT, shift), STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_BM3D_TIME_SUM]
  = { COMPUTE ("compute-bm3d-time-sum", "blocks/bm3d_time_sum.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("first", INT, first),
                    UNIFORM ("sums_at", INT, shift), UNIFORM ("span", IVEC2, origin),
                    UNIFORM ("place", INT, place), UNIFORM ("rows", INT, rows) } },
  [ODL_GL_PASS_COMPUTE_BM3D_TIME_GUIDES]
  = { COMPUTE ("compute-bm3d-time-guides", "blocks/bm3d_time_guides.comp"),
      .uniforms = { UNIFORM ("size", IVEC2, size), PLANES_UNIFORMS,
                    UNIFORM ("first", INT, first) } },
  [ODL_GL_PASS_COMPUTE_BM3D_TIME_RESULT]
  = { COMPUTE ("compute-bm3d-time-result", "blocks/bm3d_time_result.comp"),
      .uniforms = { BLOCKS_UNIFORMS, PLANES_UNIFORMS, UNIFORM ("place", INT, place),
                    UNIFORM ("weight", INT, first) } },
  [ODL_GL_PASS_COMPUTE_FORWARD]
  = { COMPUTE ("compute-forward", "wavelet/forward.comp"),
      .uniforms = { QUAD_UNIFORMS, STORED_UNIFORMS, LANE_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_THRESHOLD]
  = { COMPUTE ("compute-threshold", "wavelet/threshold.comp"),
      .uniforms = { QUAD_UNIFORMS, SHRINK_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_COMBINE]
  = { COMPUTE ("compute-combine", "wavelet/combine.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_BIVARIATE]
  = { COMPUTE ("compute-bivariate", "wavelet/bivariate.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("second_layout", IVEC2, second_layout),
                    STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_INVERSE]
  = { COMPUTE ("compute-inverse", "wavelet/inverse.comp"),
      .uniforms
      = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout),
          UNIFORM ("approx_plane", INT, approx_plane), LANE_UNIFORMS, SHRINK_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_FORWARD_TWO]
  = { COMPUTE ("compute-forward-two", "wavelet/forward_two.comp"),
      .uniforms = { QUAD_UNIFORMS, STORED_UNIFORMS, LANE_UNIFORMS,
                    UNIFORM ("second_layout", IVEC2, second_layout) } },
  [ODL_GL_PASS_COMPUTE_INVERSE_TWO]
  = { COMPUTE ("compute-inverse-two", "wavelet/inverse_two.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout),
                    UNIFORM ("second_layout", IVEC2, second_layout),
                    UNIFORM ("approx_plane", INT, approx_plane), LANE_UNIFORMS,
                    ARRAY ("limits", VEC4, limits, ODL_GL_FUSION_LEVELS) } },
  [ODL_GL_PASS_COMPUTE_COARSE]
  = { COMPUTE ("compute-coarse", "wavelet/coarse.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout),
                    ARRAY ("limits", VEC4, limits, ODL_GL_FUSION_LEVELS) } },
  [ODL_GL_PASS_COMPUTE_BANK_FORWARD]
  = { COMPUTE ("compute-bank-forward", "wavelet/bank_forward.comp"),
      .uniforms = { QUAD_UNIFORMS, STORED_UNIFORMS, UNIFORM ("window", IVEC2, window),
                    UNIFORM ("lone", IVEC2, lone),
                    ARRAY ("taps", VEC4, bank_taps, ODL_GL_BANK_TAPS / 2) } },
  [ODL_GL_PASS_COMPUTE_BANK_INVERSE]
  = { COMPUTE ("compute-bank-inverse", "wavelet/bank_inverse.comp"),
      .uniforms
      = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout),
          UNIFORM ("approx_plane", INT, approx_plane), UNIFORM ("window", IVEC2, window),
          UNIFORM ("lone", IVEC2, lone),
          ARRAY ("taps", VEC4, bank_taps, ODL_GL_BANK_TAPS / 2), SHRINK_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_DEPTH_FORWARD]
  = { COMPUTE ("compute-depth-forward", "wavelet/depth_forward.comp"),
      .uniforms = { DEPTH_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_DEPTH_INVERSE]
  = { COMPUTE ("compute-depth-inverse", "wavelet/depth_inverse.comp"),
      .uniforms = { DEPTH_UNIFORMS, UNIFORM ("second_layout", IVEC2, second_layout),
                    UNIFORM ("approx_plane", INT, approx_plane), OCTANT_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_DEPTH_THRESHOLD]
  = { COMPUTE ("compute-depth-threshold", "wavelet/depth_threshold.comp"),
      .uniforms
      = { UNIFORM ("size", IVEC2, size), UNIFORM ("depth", INT, depth),
          UNIFORM ("approx_plane", INT, approx_plane), UNIFORM ("extent", IVEC2, extent),
          UNIFORM ("source_layout", IVEC2, source_layout), OCTANT_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_DUAL_FORWARD]
  = { COMPUTE ("compute-dual-forward", "wavelet/dual_forward.comp"),
      .uniforms = { QUAD_UNIFORMS, STORED_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_DUAL_SHRINK]
  = { COMPUTE ("compute-dual-shrink", "wavelet/dual_shrink.comp"),
      .uniforms = { QUAD_UNIFORMS, STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_DUAL_BIVARIATE]
  = { COMPUTE ("compute-dual-bivariate", "wavelet/dual_bivariate.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("second_layout", IVEC2, second_layout),
                    STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_DUAL_INVERSE]
  = { COMPUTE ("compute-dual-inverse", "wavelet/dual_inverse.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout) } },
  [ODL_GL_PASS_COMPUTE_DUAL_PLACE]
  = { COMPUTE ("compute-dual-place", "wavelet/dual_place.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout) } },
  [ODL_GL_PASS_COMPUTE_LAYOUT]
  = { COMPUTE ("compute-layout", "wavelet/layout.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout) } },
  [ODL_GL_PASS_COMPUTE_BAND]
  = { COMPUTE ("compute-band", "wavelet/band.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout) } },
  [ODL_GL_PASS_COMPUTE_JOIN]
  = { COMPUTE ("compute-join", "wavelet/join.comp"), .uniforms = { QUAD_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_SHIFT]
  = { COMPUTE ("compute-shift", "wavelet/shift.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout),
                    STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_SCAN_CONVERT]
  = { COMPUTE ("compute-scan-convert", "scan_convert.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout),
                    UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_RECOMBINE]
  = { COMPUTE ("compute-recombine", "recombine.comp"), .uniforms = { QUAD_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_OPPONENT]
  = { COMPUTE ("compute-opponent", "opponent.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("bias", FLOAT, bias) } },
  [ODL_GL_PASS_COMPUTE_RECURSIVE]
  = { COMPUTE ("compute-recursive", "follow.comp"),
      .uniforms = { QUAD_UNIFORMS, PAST_UNIFORMS, UNIFORM ("weight", FLOAT, weight) } },
  [ODL_GL_PASS_COMPUTE_PERSISTENCE]
  = { COMPUTE ("compute-persistence", "follow.comp"), .defines = "#define GATED\n",
      .uniforms = { UNIFORM ("target_layout", IVEC2, target_layout), PAST_UNIFORMS,
                    GATE_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_MEAN] = { COMPUTE ("compute-mean", "window.comp"),
                                 .uniforms = { QUAD_UNIFORMS, PAST_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_TEMPORAL_MEDIAN]
  = { COMPUTE ("compute-temporal-median", "window.comp"), .defines = "#define MEDIAN\n",
      .uniforms = { QUAD_UNIFORMS, PAST_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_SIDES]
  = { COMPUTE ("compute-sides", "measure/sides.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout),
                    UNIFORM ("bias", FLOAT, bias) } },
  [ODL_GL_PASS_COMPUTE_MASK]
  = { COMPUTE ("compute-mask", "measure/mask.comp"),
      .uniforms = { QUAD_UNIFORMS, UNIFORM ("source_layout", IVEC2, source_layout),
                    UNIFORM ("extent", IVEC2, extent), UNIFORM ("bias", FLOAT, bias),
                    UNIFORM ("depth", INT, depth), STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_NOISE]
  = { COMPUTE ("compute-noise", "measure/noise.comp"),
      .uniforms = { BAND_UNIFORMS, UNIFORM ("depth", INT, depth), STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_BAYES]
  = { COMPUTE ("compute-bayes", "measure/bayes.comp"),
      .uniforms = { BAND_UNIFORMS, UNIFORM ("depth", INT, depth), STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_TROUGH]
  = { COMPUTE ("compute-trough", "measure/trough.comp"),
      .uniforms
      = { UNIFORM ("size", IVEC2, size), UNIFORM ("source_layout", IVEC2, source_layout),
          UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_EQUALISE]
  = { COMPUTE ("compute-equalise", "measure/equalise.comp"),
      .uniforms
      = { UNIFORM ("size", IVEC2, size), UNIFORM ("source_layout", IVEC2, source_layout),
          UNIFORM ("bias", FLOAT, bias), STEP_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_PEAK]
  = { COMPUTE ("compute-peak", "measure/peak.comp"),
      .uniforms
      = { UNIFORM ("size", IVEC2, size), UNIFORM ("source_layout", IVEC2, source_layout),
          UNIFORM ("bias", FLOAT, bias) } },
  [ODL_GL_PASS_COMPUTE_PART]
  = { COMPUTE ("compute-part", "part.comp"),
      .uniforms
      = { UNIFORM ("size", IVEC2, size), UNIFORM ("origin", IVEC2, origin),
          UNIFORM ("source_layout", IVEC2, source_layout), UNIFORM ("first", INT, first),
          UNIFORM ("scale", FLOAT, scale), UNIFORM ("limit", FLOAT, threshold),
          UNIFORM ("bias", FLOAT, bias) } },
  [ODL_GL_PASS_COMPUTE_SHOW]
  = { COMPUTE ("compute-show", "display/show.comp"), .uniforms = { QUAD_UNIFORMS } },
  [ODL_GL_PASS_COMPUTE_COPY]
  = { COMPUTE ("compute-copy", "copy.comp"), .uniforms = { UNIFORM ("n", INT, n) } },
  [ODL_GL_PASS_COMPUTE_COPY_IMAGE]
  = { COMPUTE ("compute-copy-image", "copy.comp"), .defines = "#define IMAGE\n",
      .samplers = { "source" }, .uniforms = { UNIFORM ("n", INT, n) } },
};

const OdlGlUniform odl_gl_lines_uniforms[2] = { UNIFORM ("extent", IVEC2, extent) };
