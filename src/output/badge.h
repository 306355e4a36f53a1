// SPDX-License-Identifier: MIT
// The badge that stands in every processed picture, and marks such as INCOMPLETE: text in
// boxes, rendered to premultiplied RGBA. A badge belongs to the thread of its context.
#pragma once

#include <pango/pangocairo.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  const char *title; // what was done; NULL: the picture is as it came
  const char *label; // a word by itself; may be NULL
  const char *const *marks; // upper-case words in a contrasting box; NULL-terminated
  double font_pixels; // device pixels
  int max_width; // device pixels; longer text is cut with an ellipsis
  double pixel_aspect; // width of a pixel / its height, for letters of usual shape; 0: 1
} OdlBadgeText;

typedef struct {
  uint8_t *rgba; // premultiplied; NULL: nothing to show
  int width;
  int height;
  int stride;
  char *key; // what it was rendered from
} OdlBadge;

void odl_badge_clear (OdlBadge *badge);

// Renders again when the text has changed; true when it did. `context` gives the font.
bool odl_badge_update (OdlBadge *badge, PangoContext *context, const OdlBadgeText *text);

// Blends the badge over RGBA bytes (row stride 4 · width; BGRA when `blue_first`) with
// its top left corner at (x, y); parts outside are cut.
void odl_badge_blend (const OdlBadge *badge,
                      uint8_t *rgba,
                      int width,
                      int height,
                      int x,
                      int y,
                      bool blue_first);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlBadge, odl_badge_clear)

G_END_DECLS
