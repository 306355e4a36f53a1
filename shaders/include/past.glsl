// SPDX-License-Identifier: MIT
// Buffers of temporal steps: input, history (FRAMES pictures), output. `place` is the entry of
// this frame in the history; `earlier` frames before it are available.
layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict buffer Kept { vec4 kept[]; };
layout (std430, binding = 2) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform int earlier;
uniform int place;

// Index of quad `index` in the picture `back` frames ago.
int kept_index (int index, int back)
{
  int picture = int (gl_NumWorkGroups.z) * target_layout.y;
  return (place - back + FRAMES) % FRAMES * picture + index;
}
