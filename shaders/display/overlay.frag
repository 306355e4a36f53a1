// SPDX-License-Identifier: MIT
// Draws the overlay (badge): premultiplied RGBA, unscaled, with the top row first. `origin` is its
// top left corner on the canvas, from the top left.
uniform sampler2D overlay;
uniform ivec2 origin;
uniform int canvas_height;

layout (location = 0) out vec4 colour;

void main ()
{
  ivec2 pixel = ivec2 (int (gl_FragCoord.x), canvas_height - 1 - int (gl_FragCoord.y));
  colour = texelFetch (overlay, pixel - origin, 0);
}
