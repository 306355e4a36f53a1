// SPDX-License-Identifier: MIT
// Draws annotations for the canvas: lines with a dark edge, which makes them visible on
// any picture, and their measurements beside them. Both canvases, captures and saved
// pictures overlay it.
#pragma once

#include "image/annotation/annotations.h"
#include "image/display/display.h"
#include "image/display/graphics.h"
#include "image/display/outlines.h"
#include "image/unit.h"
#include "image/volume/planes.h"
#include "output/badge.h"
#include "widgets/viewport/directions.h"
#include "widgets/viewport/placing.h"

// An annotation with its words.
typedef struct {
  OdlAnnotation annotation;
  char *text; // its measurement; NULL: none yet
  OdlUnit unit; // of values in that
  double pixel; // its height in the unit of lengths in that
  const char *note; // below it; NULL: nothing
} OdlDrawingItem;

// What stands beside a picture to say what its colours mean, and about its bands.
typedef struct {
  OdlDisplay display; // whose colours the bar has
  char *low, *high; // values at its ends; NULL: there is no bar
  OdlDetails details; // bands are divided by lines and have their names
  bool of_volume; // bands of one of its slices
  int width, height; // of the picture
} OdlLegend;

void odl_legend_clear (OdlLegend *legend);

// The patient's directions at the edges of a part of the canvas, device pixels.
typedef struct {
  double x, y, width, height;
  OdlLetters letters;
  int bottom; // something else takes so much of its lower edge, where the letter is
} OdlPlaneLetters;

// All positions are in image coordinates.
typedef struct {
  const OdlDrawingItem *items;
  int n_items;
  unsigned selected; // id of the one that is marked; 0: none
  const OdlGraphics *graphics; // which belong to the picture; NULL: none
  const OdlOutlines *outlines; // of parts of it, which have names; NULL: none
  bool hides_words; // of these, which may say who it is
  const OdlPoint *cursor; // of the keyboard; NULL: none
  const OdlPoint *probed; // a pixel to point at; NULL: none
  const char *words; // what it holds, in the upper right corner (of the second pane);
                     // NULL: not there
  const OdlLetters *letters; // at the edges; NULL: none
  const OdlLegend *legend; // NULL: none
  const OdlPlaneLetters *planes; // likewise of planes of a volume
  int n_planes;
  OdlPlacingBox avoid[2]; // words over the canvas, which letters of planes keep clear of;
                          // empty: there are none
  const OdlPlanes *layout; // of the planes whose lines are drawn; NULL: none
  OdlPlanesLook look; // at these
  int bottom; // at the lower edge, in its middle, something else takes so much
  const OdlView *view; // laid out
  int width, height; // of the canvas, or of one of its two panes; device pixels
  int second; // where the second pane begins, in which the same is drawn; 0: none
  int result; // where the result begins, of which bands are: right of the original
  double font; // device pixels; lines have the strength that suits it
} OdlDrawingRequest;

typedef struct {
  OdlBadge picture; // of the part of the canvas that has something; no rgba: none has
  int x, y; // its place on the canvas
} OdlDrawing;

void odl_drawing_clear (OdlDrawing *drawing);

// Draws again where anything has changed. `context` gives the font.
void odl_drawing_update (OdlDrawing *drawing,
                         PangoContext *context,
                         const OdlDrawingRequest *request);

// Draws the graphics and outlines of a request alone.
void odl_drawing_draw_graphics (const OdlDrawingRequest *request,
                                PangoContext *context,
                                cairo_t *cr);

// In plane_lines.c: the lines over planes of a volume; and adds to a key what these and
// the letters of planes depend on.
void odl_drawing_draw_planes (const OdlDrawingRequest *request, cairo_t *cr);
void odl_drawing_add_planes (const OdlDrawingRequest *request, GString *key);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlLegend, odl_legend_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OdlDrawing, odl_drawing_clear)
