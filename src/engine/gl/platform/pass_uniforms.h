// SPDX-License-Identifier: MIT
// The uniforms that shaders have in common, for the rows of pass.c.
#pragma once

#include <glib.h>

#include "engine/gl/platform/pass.h"
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
