// SPDX-License-Identifier: MIT
// The tool that pulls contours by hand: a drag takes a point of a contour along, which
// becomes a pull of the filter that found it (filter/pulls.h); one that was pulled before
// goes on from where it is. Escape lets it go back. By keys the arrows move a cross,
// Enter takes up the contour that lies there, and lets it go.
#include <glib/gi18n-lib.h>
#include <math.h>

#include "image/contour/contour.h"
#include "plan/flow.h"
#include "widgets/viewport/private.h"
#include "widgets/viewport/tools/tool.h"

// Distance in logical pixels within which a contour is hit.
#define REACH 12.0

// The contours of the frame shown, and the filter that found them; NULL: there are none.
static const float *
contours_of (OdlViewport *self, int *item)
{
  const OdlPlan *plan = NULL;
  const float *numbers
      = self->session ? odl_session_observed (self->session, &plan) : NULL;
  for (int i = 0; numbers && i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    const int at = odl_plan_observed_at (plan, step->writes);
    if (step->kind != ODL_STEP_SNAKES || at < 0
        || step->item >= odl_session_recipe (self->session)->n_items)
      continue;
    *item = step->item;
    return odl_contour_count (numbers + at) > 0 ? numbers + at : NULL;
  }
  return NULL;
}

static const char *
refusal (OdlViewport *self)
{
  int item;
  return contours_of (self, &item) ? NULL
                                   : _ ("There are no contours to pull. Add the filter "
                                        "“Active contours” after a threshold.");
}

static double
reach (OdlViewport *self)
{
  return REACH * gtk_widget_get_scale_factor (GTK_WIDGET (self)) / self->view.zoom;
}

// The place on a contour that is nearest to `at`. False: none is near enough.
static bool
nearest_place (const float *numbers, OdlPoint at, double least, OdlPoint *place)
{
  const int n = odl_contour_count (numbers);
  bool found = false;
  for (int i = 0; i < n; i++) {
    const int first = odl_contour_first (numbers, i), end = odl_contour_end (numbers, i);
    for (int k = first; k < end; k++) {
      const float *a = numbers + ODL_CONTOUR_POINTS + 2 * k;
      const float *b = numbers + ODL_CONTOUR_POINTS + 2 * (k + 1 < end ? k + 1 : first);
      const double dx = (double) (b[0] - a[0]), dy = (double) (b[1] - a[1]);
      const double square = dx * dx + dy * dy;
      const double t
          = square > 0
                ? ((at.x - (double) a[0]) * dx + (at.y - (double) a[1]) * dy) / square
                : 0;
      const OdlPoint near = { (double) a[0] + CLAMP (t, 0, 1) * dx,
                              (double) a[1] + CLAMP (t, 0, 1) * dy };
      const double distance = hypot (near.x - at.x, near.y - at.y);
      if (distance < least) {
        least = distance;
        *place = near;
        found = true;
      }
    }
  }
  return found;
}

// The pull that ends within reach of `at`, else the next one; its number, or −1.
static int
find_pull (OdlViewport *self, const double *values, OdlPoint at)
{
  const int n = odl_pulls_count (values);
  for (int k = 0; k < n; k++) {
    const double *pull = values + k * ODL_PULL_VALUES;
    if (hypot (pull[2] - at.x, pull[3] - at.y) < reach (self))
      return k;
  }
  return n < ODL_MOST_PULLS ? n : -1;
}

// A tenth of a pixel is enough, and keeps the recipe short.
static double
to_step (double value, int most)
{
  return CLAMP (round (10 * value) / 10, 0, most);
}

static void
put (OdlViewport *self, const double pull[ODL_PULL_VALUES])
{
  const OdlPulling *pulling = &self->pulling;
  OdlRecipe recipe = *odl_session_recipe (self->session);
  g_autofree char *tag = g_strdup_printf ("%d/pulls/%d/%u", pulling->item,
                                          pulling->number, pulling->n_drags);
  if (pulling->item >= recipe.n_items
      || recipe.items[pulling->item].filter->kind != ODL_FILTER_CONTOURS)
    return;
  for (int i = 0; i < ODL_PULL_VALUES; i++)
    odl_recipe_set (&recipe, pulling->item, "pulls",
                    pulling->number * ODL_PULL_VALUES + i, pull[i]);
  odl_session_set_recipe (self->session, &recipe, tag);
}

static void
take_up (OdlViewport *self, OdlPoint at)
{
  OdlPulling *pulling = &self->pulling;
  OdlPoint place;
  *pulling = (OdlPulling){ .number = -1, .n_drags = pulling->n_drags + 1 };
  const float *numbers = contours_of (self, &pulling->item);
  if (!numbers || !nearest_place (numbers, at, reach (self), &place))
    return;
  const OdlRecipeItem *item = &odl_session_recipe (self->session)->items[pulling->item];
  if (item->filter->kind != ODL_FILTER_CONTOURS)
    return;
  const double *values
      = item->values + odl_filter_parameter (item->filter, "pulls")->offset;
  pulling->number = find_pull (self, values, at);
  if (pulling->number < 0) {
    g_autofree char *text
        = g_strdup_printf (_ ("At most %d points can be pulled."), ODL_MOST_PULLS);
    g_signal_emit_by_name (self, "message", text);
    return;
  }
  memcpy (pulling->before, values + pulling->number * ODL_PULL_VALUES,
          sizeof pulling->before);
  pulling->from = pulling->before[0] == ODL_NO_PULL
                      ? place
                      : (OdlPoint){ pulling->before[0], pulling->before[1] };
}

static void
pull_to (OdlViewport *self, OdlPoint at)
{
  const int width = (int) self->view.image_width, height = (int) self->view.image_height;
  if (self->pulling.number < 0)
    return;
  put (self, (double[]){ to_step (self->pulling.from.x, width),
                         to_step (self->pulling.from.y, height), to_step (at.x, width),
                         to_step (at.y, height) });
  self->pulling.n_puts++;
}

static void
let_go (OdlViewport *self)
{
  self->pulling.number = -1;
  self->pulling.n_puts = 0;
  self->pulling.held = false;
}

// Undone rather than set again, which would be one more step to undo.
static void
take_back (OdlViewport *self)
{
  const OdlPulling *pulling = &self->pulling;
  for (int n = pulling->n_puts; n > 0; n--) {
    const OdlRecipe *recipe = odl_session_recipe (self->session);
    bool is_back = true;
    for (int i = 0; i < ODL_PULL_VALUES; i++)
      is_back &= pulling->item < recipe->n_items
                 && odl_recipe_get (recipe, pulling->item, "pulls",
                                    pulling->number * ODL_PULL_VALUES + i)
                        == pulling->before[i];
    if (is_back)
      break;
    odl_session_undo (self->session);
  }
  let_go (self);
}

// ---- pointer -------------------------------------------------------------------------

static void
press (OdlViewport *self, const OdlToolEvent *event)
{
  self->annotating.has_cursor = false;
  take_up (self, event->pressed);
}

static void
drag (OdlViewport *self, const OdlToolEvent *event)
{
  pull_to (self, event->at);
}

static void
release (OdlViewport *self, const OdlToolEvent *event)
{
  pull_to (self, event->at);
  let_go (self);
}

// ---- keys ----------------------------------------------------------------------------

static void
enter (OdlViewport *self)
{
  if (self->pulling.held) {
    let_go (self);
  } else if (!self->annotating.has_cursor) {
    odl_viewport_move_cursor (self, 0, 0);
  } else {
    take_up (self, self->annotating.cursor);
    self->pulling.held = self->pulling.number >= 0;
    if (!self->pulling.held)
      g_signal_emit_by_name (self, "message",
                             _ ("No contour is near enough to the cross."));
  }
}

static bool
key (OdlViewport *self, guint keyval, GdkModifierType state)
{
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK))
    return false;
  if (keyval == GDK_KEY_Escape) {
    if (self->pulling.n_puts > 0 || self->pulling.held)
      take_back (self);
    else
      odl_viewport_use_tool (self, NULL, NULL);
  } else if (keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter) {
    enter (self);
  } else if (odl_viewport_move_cursor (self, keyval, state)) {
    if (self->pulling.held)
      pull_to (self, self->annotating.cursor);
  } else {
    return false;
  }
  return true;
}

static void
leave (OdlViewport *self)
{
  let_go (self);
  self->annotating = (OdlAnnotating){ 0 };
  odl_viewport_annotation_changed (self);
}

const OdlTool odl_tool_pull = { .name = "pull",
                                .pointer = "grab",
                                .press = press,
                                .drag = drag,
                                .release = release,
                                .key = key,
                                .leave = leave,
                                .refusal = refusal };
