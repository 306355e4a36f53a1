// SPDX-License-Identifier: MIT
// Reads a texel. With MIRROR the sampler's wrap mode handles the border.
#ifdef MIRROR
#define TEXEL(source, p) \
  textureLod (source, (vec2 (p) + 0.5) / vec2 (textureSize (source, 0)), 0.0)
#undef FOLD
#define FOLD(index, n) (index)
#else
#define TEXEL(source, p) texelFetch (source, p, 0)
#endif
