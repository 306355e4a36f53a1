// SPDX-License-Identifier: MIT
// Colour maps: what colour a grey level is shown in. They are for grey pictures alone,
// after the window and its inversion; details and overlays stay grey. Any thread.
#pragma once

#include <glib.h>
#include <stdint.h>

#define ODL_COLOUR_MAP_LEVELS 256

typedef struct {
  const char *name; // in the command line: "hot-iron"
  const char *label; // marked for translation
  // Red, green and blue of levels 0, 1/255, … 1.
  uint8_t table[ODL_COLOUR_MAP_LEVELS][3];
} OdlColourMap;

// In the order of the menu. The first one is grey: it has no colours, and a picture that
// is shown in grey has no map.
size_t odl_colour_map_count (void);
const OdlColourMap *odl_colour_map_at (size_t i);

// NULL: there is no such map.
const OdlColourMap *odl_colour_map_find (const char *name);

// The colour of a level from 0 to 1, between the entries that are next to it.
static inline void
odl_colour_map_show (const OdlColourMap *map, float level, float colour[3])
{
  const float at = level * (ODL_COLOUR_MAP_LEVELS - 1);
  const int first = (int) at;
  const int second = MIN (first + 1, ODL_COLOUR_MAP_LEVELS - 1);
  const float t = at - (float) first;

  for (int c = 0; c < 3; c++)
    colour[c]
        = ((float) map->table[first][c] * (1.0f - t) + (float) map->table[second][c] * t)
          / 255.0f;
}
