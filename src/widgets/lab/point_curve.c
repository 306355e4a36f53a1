// SPDX-License-Identifier: MIT
#include "widgets/lab/point_curve.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "engine/engine.h"
#include "filter/strength.h"
#include "widgets/panels/measures/measure.h"

#define POINTS 257

typedef struct {
  OdlLabSide side;
  OdlRecipeItem item; // that is drawn
  double strength; // likewise
  OdlCurvePlot *plot;
} Curve;

bool
odl_point_curve_suits (const OdlFilter *filter)
{
  return filter->kind == ODL_FILTER_TONE_CURVE || filter->kind == ODL_FILTER_GAMMA
         || filter->kind == ODL_FILTER_LOG_COMPRESS
         || filter->kind == ODL_FILTER_LOG_EXPAND;
}

// The filter alone, on a picture of all levels from 0 to 1.
static bool
run (const OdlRecipe *recipe, int item, double *values)
{
  const OdlImageInfo info = {
    .extent = { POINTS, 1, 1, 1 }, .channels = 1, .type = ODL_SAMPLE_F32, .stored_max = 1
  };
  float *samples, row[POINTS];
  OdlRecipe alone = odl_recipe_at_strength (recipe);
  alone.items[0] = alone.items[item];
  alone.items[0].bypassed = false;
  alone.items[0].at = 0;
  alone.n_items = 1;
  alone.view = ODL_VIEW_SYNTHESIS;
  g_autoptr (OdlImage) ramp = odl_image_alloc (&info, (void **) &samples, NULL);
  if (!ramp)
    return false;
  for (int i = 0; i < POINTS; i++)
    samples[i] = (float) i / (POINTS - 1);
  const OdlGeometry geometry = odl_geometry_of (ramp);
  g_autoptr (OdlPlan) plan = odl_plan_new (&alone, &geometry, NULL);
  g_autoptr (OdlEngine) engine
      = plan ? odl_engine_open (odl_engine_find ("reference"), NULL) : NULL;
  g_autoptr (OdlImage) made
      = engine ? odl_engine_process (engine, plan, ramp, NULL) : NULL;
  if (!made)
    return false;
  odl_image_scaled_row (made, 0, 0, 0, 0, row);
  for (int i = 0; i < POINTS; i++)
    values[i] = (double) row[i];
  return true;
}

static void
follow_cb (GtkWidget *widget)
{
  Curve *self = g_object_get_data (G_OBJECT (widget), ODL_POINT_CURVE);
  const OdlRecipe *recipe = odl_lab_side_recipe (&self->side);
  const int item = self->side.item;
  double same[2] = { 0, 1 }, values[POINTS];
  if (item >= recipe->n_items || !odl_point_curve_suits (recipe->items[item].filter)
      || (self->strength == recipe->strength
          && memcmp (&self->item, &recipe->items[item], sizeof self->item) == 0)
      || !run (recipe, item, values))
    return;
  self->item = recipe->items[item];
  self->strength = recipe->strength;
  const OdlPlotted curves[2]
      = { { 2, 0, 1, same }, { POINTS, 0, 1.0 / (POINTS - 1), values } };
  odl_curve_plot_set (self->plot, curves, "");
}

static void
curve_free (void *data)
{
  Curve *self = data;
  odl_lab_side_release (&self->side);
  g_free (self);
}

GtkWidget *
odl_point_curve_new (const OdlLabSide *side)
{
  Curve *self = g_new0 (Curve, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  const char *words = _ ("What becomes of each grey level, in shares of full scale");
  self->side = *side;
  odl_lab_side_hold (&self->side);
  self->plot = ODL_CURVE_PLOT (odl_curve_plot_new (words));
  gtk_box_append (GTK_BOX (box), odl_measure_caption (words));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->plot));
  g_object_set_data_full (G_OBJECT (box), ODL_POINT_CURVE, self, curve_free);
  odl_lab_side_follow (side, box, follow_cb);
  follow_cb (box);
  return box;
}

OdlCurvePlot *
odl_point_curve_plot (GtkWidget *widget)
{
  return ((Curve *) g_object_get_data (G_OBJECT (widget), ODL_POINT_CURVE))->plot;
}

void
odl_point_curve_add_rows (GtkWidget *widget, OdlLabTable *table)
{
  const OdlPlotted curve = odl_curve_plot_get (odl_point_curve_plot (widget), 1);
  for (int i = 0; i < curve.n; i++) {
    odl_lab_table_begin (table);
    odl_lab_table_add_word (table, "full scale");
    odl_lab_table_add (table, curve.first + i * curve.step);
    odl_lab_table_add (table, curve.values[i]);
  }
}
