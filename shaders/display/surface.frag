// SPDX-License-Identifier: MIT
// Lights a surface from its normal, both sides in colours of their own; with NET draws the lines
// of the net. Colours and light are those of OdlLookColours; `shine` is ambient, fill, diffuse
// and gloss, which is squared `sharpness` times.
uniform vec3 front;
#ifndef NET
uniform vec3 back;
uniform vec3 light;
uniform vec4 shine;
uniform int sharpness;
in vec3 normal;
#endif

layout (location = 0) out vec4 colour;

void main ()
{
#ifdef NET
  colour = vec4 (front, 1.0);
#else
  bool turned = normal.z < 0.0;
  vec3 n = normalize (turned ? -normal : normal);
  float towards = dot (n, light);
  float mirror = max (2.0 * towards * n.z - light.z, 0.0);
  for (int i = 0; i < sharpness; i++)
    mirror *= mirror;
  float level = shine.x + shine.y * n.z + shine.z * max (towards, 0.0);
  colour = vec4 ((turned ? back : front) * level + shine.w * mirror, 1.0);
#endif
}
