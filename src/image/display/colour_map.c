// SPDX-License-Identifier: MIT
// Maps as knots, between which red, green and blue run straight and are rounded.
//
// Hot iron, hot metal blue and PET are those of DICOM PS3.6 annex B, to every entry of
// their tables. Viridis and inferno (S. van der Walt and N. Smith, for matplotlib, CC0)
// are within 1/255 of theirs.
#include "image/display/colour_map.h"

#include <math.h>

#include "base/text.h"

typedef struct {
  int level; // of 255
  uint8_t colour[3];
} Knot;

static const Knot hot_iron[] = {
  { 0, { 0, 0, 0 } },       { 127, { 254, 0, 0 } },     { 128, { 255, 0, 0 } },
  { 191, { 255, 126, 0 } }, { 254, { 255, 252, 252 } }, { 255, { 255, 255, 255 } },
};

static const Knot hot_metal_blue[] = {
  { 0, { 0, 0, 0 } },         { 17, { 0, 0, 33 } },    { 42, { 0, 0, 83 } },
  { 43, { 0, 0, 84 } },       { 76, { 0, 0, 149 } },   { 85, { 0, 0, 167 } },
  { 102, { 50, 0, 200 } },    { 119, { 90, 0, 150 } }, { 136, { 140, 32, 50 } },
  { 153, { 190, 64, 0 } },    { 170, { 255, 96, 0 } }, { 238, { 255, 224, 200 } },
  { 255, { 255, 255, 255 } },
};

static const Knot pet[] = {
  { 0, { 0, 0, 0 } },         { 1, { 0, 2, 1 } },         { 62, { 0, 125, 123 } },
  { 63, { 0, 128, 125 } },    { 64, { 1, 126, 127 } },    { 95, { 63, 64, 189 } },
  { 97, { 67, 61, 193 } },    { 116, { 104, 23, 231 } },  { 127, { 126, 1, 253 } },
  { 128, { 128, 0, 255 } },   { 130, { 132, 4, 248 } },   { 169, { 209, 82, 92 } },
  { 192, { 255, 128, 0 } },   { 233, { 255, 210, 165 } }, { 235, { 255, 214, 174 } },
  { 254, { 255, 252, 250 } }, { 255, { 255, 255, 255 } },
};

// Blue, cyan, green, yellow, red.
static const Knot rainbow[] = {
  { 0, { 0, 0, 255 } },     { 64, { 0, 255, 255 } }, { 128, { 0, 255, 0 } },
  { 192, { 255, 255, 0 } }, { 255, { 255, 0, 0 } },
};

static const Knot viridis[] = {
  { 0, { 68, 1, 84 } },      { 20, { 72, 29, 111 } },   { 35, { 70, 48, 126 } },
  { 59, { 61, 77, 138 } },   { 93, { 45, 112, 142 } },  { 132, { 31, 148, 140 } },
  { 147, { 31, 162, 135 } }, { 162, { 42, 176, 127 } }, { 179, { 68, 191, 112 } },
  { 198, { 108, 205, 90 } }, { 223, { 170, 220, 50 } }, { 237, { 208, 225, 28 } },
  { 244, { 226, 228, 24 } }, { 253, { 248, 230, 33 } }, { 255, { 253, 231, 37 } },
};

static const Knot inferno[] = {
  { 0, { 0, 0, 4 } },         { 7, { 3, 2, 16 } },        { 22, { 18, 10, 50 } },
  { 35, { 38, 12, 81 } },     { 45, { 56, 9, 98 } },      { 58, { 77, 13, 108 } },
  { 82, { 116, 26, 110 } },   { 106, { 154, 40, 101 } },  { 128, { 188, 55, 84 } },
  { 151, { 218, 78, 60 } },   { 172, { 239, 108, 35 } },  { 194, { 250, 146, 7 } },
  { 201, { 252, 159, 7 } },   { 210, { 252, 176, 20 } },  { 225, { 248, 205, 55 } },
  { 237, { 243, 229, 93 } },  { 244, { 241, 241, 121 } }, { 251, { 246, 250, 150 } },
  { 255, { 252, 255, 164 } },
};

#define ROW(NAME, LABEL, KNOTS) \
  { \
    NAME, LABEL, KNOTS, G_N_ELEMENTS (KNOTS) \
  }

static const struct {
  const char *name, *label;
  const Knot *knots;
  size_t n_knots;
} rows[] = {
  { "grey", N_ ("Grey"), NULL, 0 },
  ROW ("hot-iron", N_ ("Hot Iron"), hot_iron),
  ROW ("hot-metal-blue", N_ ("Hot Metal Blue"), hot_metal_blue),
  ROW ("pet", N_ ("PET"), pet),
  ROW ("rainbow", N_ ("Rainbow"), rainbow),
  ROW ("viridis", N_ ("Viridis"), viridis),
  ROW ("inferno", N_ ("Inferno"), inferno),
};

static void
fill_table (OdlColourMap *map, const Knot *knots, size_t n_knots)
{
  for (size_t k = 1; k < n_knots; k++) {
    const Knot *a = &knots[k - 1], *b = &knots[k];
    for (int level = a->level; level <= b->level; level++)
      for (int c = 0; c < 3; c++) {
        const double t = (double) (level - a->level) / (b->level - a->level);
        map->table[level][c]
            = (uint8_t) floor (a->colour[c] + t * (b->colour[c] - a->colour[c]) + 0.5);
      }
  }
}

static const OdlColourMap *
all_maps (void)
{
  static gsize made;

  if (g_once_init_enter (&made)) {
    OdlColourMap *maps = g_new0 (OdlColourMap, G_N_ELEMENTS (rows));
    for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
      maps[i].name = rows[i].name;
      maps[i].label = rows[i].label;
      fill_table (&maps[i], rows[i].knots, rows[i].n_knots);
    }
    g_once_init_leave (&made, (gsize) maps);
  }
  return (const OdlColourMap *) made;
}

size_t
odl_colour_map_count (void)
{
  return G_N_ELEMENTS (rows);
}

const OdlColourMap *
odl_colour_map_at (size_t i)
{
  return i < G_N_ELEMENTS (rows) ? &all_maps ()[i] : NULL;
}

const OdlColourMap *
odl_colour_map_find (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    if (g_str_equal (rows[i].name, name))
      return odl_colour_map_at (i);
  return NULL;
}
