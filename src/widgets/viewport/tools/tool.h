// SPDX-License-Identifier: MIT
// What pointer and keys do to the picture: a tool is a row. Wheel, pinch and the middle
// button are the same with all of them.
#pragma once

#include "widgets/viewport/viewport.h"

// A drag or a click. Positions are image coordinates.
typedef struct {
  OdlPoint pressed; // where the button went down
  OdlPoint at;
  OdlPoint from; // where it went down, logical pixels
  double dx, dy; // logical pixels from there to here
} OdlToolEvent;

// A row; functions that are NULL do nothing.
struct _OdlTool {
  const char *name; // of the action win.tool, which has kinds of annotations, too
  const char *pointer; // its shape, as CSS names it; NULL: the usual one
  bool measures; // draws annotations of the kind that the viewport measures
  bool at_once; // a drag begins with the first pixel, not where a shaky click ends
  void (*press) (OdlViewport *viewport, const OdlToolEvent *event);
  void (*drag) (OdlViewport *viewport, const OdlToolEvent *event);
  void (*release) (OdlViewport *viewport, const OdlToolEvent *event); // after a drag
  void (*click) (OdlViewport *viewport, const OdlToolEvent *event); // without one
  void (*double_click) (OdlViewport *viewport);
  void (*hover) (OdlViewport *viewport, const OdlToolEvent *event); // no button is down
  bool (*key) (OdlViewport *viewport, guint key, GdkModifierType state);
  void (*leave) (OdlViewport *viewport); // another one comes
  // Why it cannot be used on the shown picture; NULL: it can. Translated.
  const char *(*refusal) (OdlViewport *viewport);
};

// NULL: no such tool. The first one is there at the start, and after Escape.
const OdlTool *odl_tool_find (const char *name);
const OdlTool *odl_tool_at (size_t i); // NULL beyond the last one

// With the middle button, or while Space is held, whatever the tool is.
extern const OdlTool odl_tool_pan;

// In measure_tool.c: draws annotations of the kind that the viewport measures.
extern const OdlTool odl_tool_measure;

// In pull_tool.c: pulls contours.
extern const OdlTool odl_tool_pull;
