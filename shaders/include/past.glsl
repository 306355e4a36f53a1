// SPDX-License-Identifier: MIT
// Steps over time: what they read, the pictures that they keep, FRAMES of them one after the
// other, and what they write. `place` is where this frame's picture goes; of `earlier` frames
// before it there are some.
layout (std430, binding = 0) restrict readonly buffer Source { SOURCE_QUAD source[]; };
layout (std430, binding = 1) restrict buffer Kept { vec4 kept[]; };
layout (std430, binding = 2) restrict writeonly buffer Target { TARGET_QUAD target[]; };
uniform int earlier;
uniform int place;

// Of the quad `index` in the picture `back` frames ago.
int kept_index (int index, int back)
{
  int picture = int (gl_NumWorkGroups.z) * target_layout.y;
  return (place - back + FRAMES) % FRAMES * picture + index;
}
