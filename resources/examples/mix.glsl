// SPDX-License-Identifier: MIT
// The filter “mix”. What reads a second picture by other () has it as the parameter “with”:
//   --filter glsl:file=mix.glsl,with=SECOND.png,weight=0.25
//
// parameter: weight 0..1 = 0.5  Weight of the second picture

SAMPLE filtered (ivec2 p)
{
  return mix (at (p), other (p), WEIGHT);
}
