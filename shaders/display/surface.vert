// SPDX-License-Identifier: MIT
// Corners of the triangles of a mesh, or with NET the ends of the lines of a net, without vertex
// buffers: `positions` and `normals` have a texel for each vertex. The middle of the canvas shows
// `centre`; `turn` has the canvas's axes, `reach` how many units half the canvas has along x and y
// and how many lie before and behind the middle.
uniform sampler2D positions;
uniform vec3 centre;
uniform vec3 turn[3];
uniform vec3 reach;
#ifdef NET
uniform float lift;
#else
uniform sampler2D normals;
out vec3 normal;
#endif

vec3 turned (vec3 v)
{
  return vec3 (dot (turn[0], v), dot (turn[1], v), dot (turn[2], v));
}

ivec2 vertex (ivec2 size)
{
#ifdef NET
  int line = gl_VertexID / 2, rowwise = (size.x - 1) * size.y;
  int far = gl_VertexID % 2;
  if (line < rowwise)
    return ivec2 (line % (size.x - 1) + far, line / (size.x - 1));
  line -= rowwise;
  return ivec2 (line % size.x, line / size.x + far);
#else
  int quad = gl_VertexID / 6, corner = gl_VertexID % 6;
  ivec2 at = ivec2 (quad % (size.x - 1), quad / (size.x - 1));
  // a, a + 1, c + 1; a, c + 1, c
  return at + ivec2 (corner == 1 || corner == 2 || corner == 4,
                     corner == 2 || corner == 4 || corner == 5);
#endif
}

void main ()
{
  ivec2 at = vertex (textureSize (positions, 0));
  vec3 place = turned (texelFetch (positions, at, 0).xyz - centre) * reach;
#ifdef NET
  place.z += lift;
#else
  normal = turned (texelFetch (normals, at, 0).xyz);
#endif
  gl_Position = vec4 (place.xy, -place.z, 1.0);
}
