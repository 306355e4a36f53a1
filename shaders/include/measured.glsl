// SPDX-License-Identifier: MIT
// Magnitudes of a detail band inside a mask, for work groups of 256 invocations that share the quads
// of all CHANNELS. The bands of a channel are stacked: LL, HL, LH, HH. With SHIFT the picture is one
// band, and a sample of the mask stands for 2^SHIFT of its along either side.
// With OCTANTS the picture is a volume of `depth` slices, whose bands 4 to 7 are high along z.
// Without `masked` the mask leaves nothing out, and is not read.
//   size  samples of all bands together; source_layout, second_layout: quads per row and per channel
//   of the bands and of the mask
layout (local_size_x = 256) in;
layout (std430, binding = 0) restrict readonly buffer Bands { SOURCE_QUAD bands[]; };
layout (std430, binding = 1) restrict readonly buffer Mask { SOURCE_QUAD mask[]; };
uniform ivec2 size;
uniform ivec2 source_layout;
uniform ivec2 second_layout;
#ifdef OCTANTS
uniform int depth;
#endif

// Of band 1 (HL), 2 (LH) or 3 (HH), and likewise of 5, 6 and 7.
ivec2 band_size (int band)
{
#ifdef SHIFT
  return size;
#endif
  ivec2 high = ivec2 (band & 1, band >> 1 & 1);
  return (size + 1 - high) / 2;
}

int across_of (int band)
{
  return (band_size (band).x + 3) / 4;
}

int slices_of (int band)
{
#ifdef OCTANTS
  return (depth + 1 - (band >> 2)) / 2;
#else
  return 1;
#endif
}

int rows_of (int band)
{
  return CHANNELS * slices_of (band) * band_size (band).y;
}

// The quads of an invocation, without a division: `reach` of a work group lie beside each other.
//   for (row = first_row; row < rows_of (band); row += row_step)
//     for (x = first_x; x < across_of (band); x += reach)
int first_row, row_step, first_x, reach;

void share_quads (int band)
{
  int i = int (gl_LocalInvocationIndex), across = across_of (band), log2_reach = 8;
  while (log2_reach > 3 && 1 << log2_reach >= 2 * across)
    log2_reach--;
  reach = 1 << log2_reach;
  first_x = i & (reach - 1);
  first_row = (int (gl_WorkGroupID.x) << (8 - log2_reach)) + (i >> log2_reach);
  row_step = int (gl_NumWorkGroups.x) << (8 - log2_reach);
}

// Magnitudes of quad x of a row; -1 outside the mask.
vec4 magnitudes (int band, int row, int x, bool masked)
{
  ivec2 extent = band_size (band);
#ifdef OCTANTS
  int plane = row / extent.y, y = row - plane * extent.y, slices = slices_of (band);
  int z = plane % slices, channel = plane / slices, low = (depth + 1) / 2;
  int mask_plane = channel * low + z;
  channel = channel * depth + z + (band > 3 ? low : 0);
  band &= 3;
#elif CHANNELS > 1
  int channel = row / extent.y, y = row - channel * extent.y;
#else
  const int channel = 0;
  int y = row;
#endif
#ifdef SHIFT
  int place = y * source_layout.x + x;
#else
  int place = (band * ((size.y + 1) / 2) + y) * source_layout.x + x;
#endif
  vec4 detail = abs (from_quad (bands[channel * source_layout.y + place]));
#ifdef SHIFT
  vec4 inside = vec4 (1.0);
  for (int c = 0; c < 4 && masked; c++) {
    // Beyond the row's end nothing counts.
    int at = min (4 * x + c, extent.x - 1) >> SHIFT;
    inside[c] = from_quad (mask[channel * second_layout.y + (y >> SHIFT) * second_layout.x
                                + (at >> 2)])[at & 3];
  }
#else
  vec4 inside = vec4 (1.0);
  if (masked)
#ifdef OCTANTS
    inside = from_quad (mask[mask_plane * second_layout.y + y * second_layout.x + x]);
#else
    inside = from_quad (mask[channel * second_layout.y + y * second_layout.x + x]);
#endif
#endif
  bvec4 counts = bvec4 (ivec4 (greaterThan (inside, vec4 (0.5)))
                        * ivec4 (lessThan (4 * x + ivec4 (0, 1, 2, 3), ivec4 (extent.x))));
  return mix (vec4 (-1.0), detail, counts);
}
