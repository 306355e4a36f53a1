// SPDX-License-Identifier: MIT
// The badge drawn into every processed picture, and marks such as INCOMPLETE: text in
// boxes, rendered to premultiplied RGBA. Use a badge only on the thread of its Pango
// context.
#pragma once

#include <pango/pangocairo.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  const char *title; // names of the filters; NULL: the picture is unprocessed
  const char *label; // separate word; may be NULL
  const char *const *marks; // upper-case words in a contrasting box; NULL-terminated
  double font_pixels; // device pixels
  int max_width; // device pixels; longer text takes further lines
  int max_lines; // still longer text is ellipsised; 0: three
  double pixel_aspect; // pixel width / height, to keep letter proportions; 0: 1
} OdlBadgeText;

typedef struct {
  uint8_t *rgba; // premultiplied; NULL: nothing to draw
  int width;
  int height;
  int stride;
  char *key; // the text and parameters it was rendered from
} OdlBadge;

void odl_badge_clear (OdlBadge *badge);

// Renders again if the text has changed; returns whether it did. `context` provides
// the font.
bool odl_badge_update (OdlBadge *badge, PangoContext *context, const OdlBadgeText *text);

// Replaces the badge's pixels by those of an ARGB32 surface; the key stays. A surface
// in an error state leaves a badge without pixels.
void odl_badge_take_pixels (OdlBadge *badge, cairo_surface_t *surface);

// Blends the badge over RGBA bytes (row stride 4 · width; BGRA with `blue_first`) with
// its top left corner at (x, y); clipped to the picture.
void odl_badge_blend (const OdlBadge *badge,
                      uint8_t *rgba,
                      int width,
                      int height,
                      int x,
                      int y,
                      bool blue_first);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlBadge, odl_badge_clear)
