// SPDX-License-Identifier: MIT
// The table of tools, and those that change how the picture is seen.
#include "widgets/viewport/tools/tool.h"

#include <math.h>

#include "widgets/viewport/private.h"

// A drag of this many pixels multiplies the width by e, or moves the centre by half the
// width.
#define WINDOW_DRAG 250.0

// ---- grey levels ---------------------------------------------------------------------

// A drag sets four digits of the width, at most to one unit, and the centre to the same
// precision: beside a width of 60 a centre of 0.0002 is rounded to 0.
static double
step_of (double width)
{
  return MIN (pow (10, floor (log10 (width)) - 3), 1);
}

// Divided by whole numbers, so that the text is short.
static double
to_step (double value, double step)
{
  const double parts = round (1 / step);
  return parts >= 1 && isfinite (parts) ? round (value * parts) / parts : value;
}

static void
press_window (OdlViewport *self, const OdlToolEvent *event)
{
  odl_viewport_get_window (self, &self->drag_centre, &self->drag_width);
}

static void
drag_window (OdlViewport *self, const OdlToolEvent *event)
{
  if (self->drag_width <= 0)
    return;
  const double width = self->drag_width * exp (event->dx / WINDOW_DRAG);
  const double step = step_of (width);
  odl_viewport_set_window (
      self,
      to_step (self->drag_centre + 0.5 * self->drag_width * event->dy / WINDOW_DRAG,
               step),
      to_step (width, step));
}

static void
click_window (OdlViewport *self, const OdlToolEvent *event)
{
  odl_viewport_point_at (self, event->at);
}

static const OdlTool window_tool = { .name = "window",
                                     .press = press_window,
                                     .drag = drag_window,
                                     .click = click_window,
                                     .double_click = odl_viewport_reset_window };

// ---- moving the picture --------------------------------------------------------------

static void
press_pan (OdlViewport *self, const OdlToolEvent *event)
{
  self->panned = (OdlPoint){ 0, 0 };
}

static void
drag_pan (OdlViewport *self, const OdlToolEvent *event)
{
  const OdlPoint to = odl_viewport_to_device (self, event->dx, event->dy);
  odl_viewport_pan (self, to.x - self->panned.x, to.y - self->panned.y);
  self->panned = to;
}

const OdlTool odl_tool_pan
    = { .name = "pan", .at_once = true, .press = press_pan, .drag = drag_pan };

// ---- the table -----------------------------------------------------------------------

static const OdlTool *const tools[] = { &window_tool, &odl_tool_pan, &odl_tool_pull };

const OdlTool *
odl_tool_at (size_t i)
{
  return i < G_N_ELEMENTS (tools) ? tools[i] : NULL;
}

const OdlTool *
odl_tool_find (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (tools); i++)
    if (g_strcmp0 (tools[i]->name, name) == 0)
      return tools[i];
  return NULL;
}

// ---- the one in use ------------------------------------------------------------------

static void
say (OdlViewport *self, const char *text)
{
  g_signal_emit_by_name (self, "message", text);
}

void
odl_viewport_set_tool (OdlViewport *self, const char *name)
{
  const OdlAnnotationKind *found = odl_annotation_kind_find (name);
  const OdlAnnotationKind *kind = found && found->n_points > 0 ? found : NULL;
  const OdlTool *tool = kind ? &odl_tool_measure : odl_tool_find (name);
  const char *refusal = tool && tool->refusal ? tool->refusal (self) : NULL;
  if (refusal)
    say (self, refusal);
  odl_viewport_use_tool (self, refusal ? NULL : tool, kind);
}

void
odl_viewport_check_tool (OdlViewport *self)
{
  const char *refusal = self->tool->refusal ? self->tool->refusal (self) : NULL;
  if (refusal)
    odl_viewport_set_tool (self, odl_viewport_tool (self));
}
