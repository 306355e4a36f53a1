// SPDX-License-Identifier: MIT
#include "widgets/panels/measures/measure_row.h"

#include <glib/gi18n-lib.h>

#include "plan/flow.h"
#include "plan/numbers.h"
#include "widgets/panels/measures/measure.h"
#include "widgets/units.h"
#include "widgets/panels/parameters/control.h"

struct _OdlMeasureRow {
  GtkListBoxRow parent_instance;
  OdlSession *session;
  int item;
  const OdlMeasure *measure;
  GtkWidget *shown; // made by the measure
  GtkWidget *reason; // why there is nothing to see
  guint update_id; // 0: nothing new is waiting
};

G_DEFINE_FINAL_TYPE (OdlMeasureRow, odl_measure_row, GTK_TYPE_LIST_BOX_ROW)

static const OdlMeasure *const measures[] = { &odl_bayes_measure, &odl_trough_measure };

static const OdlMeasure *
measure_of (const OdlFilter *filter)
{
  for (size_t i = 0; i < G_N_ELEMENTS (measures); i++)
    if (measures[i]->filter == filter->kind)
      return measures[i];
  if (odl_filter_finds_thresholds (filter))
    return &odl_bayes_measure;
  return NULL;
}

bool
odl_measure_row_suits (const OdlFilter *filter)
{
  return measure_of (filter) != NULL;
}

static void
update (OdlMeasureRow *self)
{
  const OdlPlan *plan = NULL;
  const float *numbers = odl_session_observed (self->session, &plan);
  const OdlFrame *frame = odl_session_frame (self->session);
  for (int i = 0; numbers && frame && frame->input && i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    const int at = odl_plan_observed_at (plan, step->writes);
    if (step->item == self->item && at >= 0)
      self->measure->show (self->shown, step, numbers + at, frame->input,
                           odl_units_of (self->session));
  }
}

// Volumes observe nothing, and what a slice has shown before is not theirs.
static bool
sees_volume (OdlSession *session, int item)
{
  const OdlRecipe *recipe = odl_session_recipe (session);
  const OdlFrame *frame = odl_session_frame (session);
  return (frame && frame->volume)
         || (item < recipe->n_items && odl_session_is_volume (session)
             && odl_recipe_item_dimensions (&recipe->items[item]) > 2);
}

bool
odl_measured_noise (OdlSession *session, int item, double *sigma)
{
  const OdlPlan *plan = NULL;
  const float *numbers
      = sees_volume (session, item) ? NULL : odl_session_observed (session, &plan);
  for (int i = 0; numbers && i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    const int at = odl_plan_observed_at (plan, step->writes);
    if (step->kind == ODL_STEP_NOISE && step->item == item && at >= 0) {
      *sigma = (double) numbers[at + ODL_NOISE_SIGMA];
      return true;
    }
  }
  return false;
}

static void
recipe_cb (OdlMeasureRow *self)
{
  update (self);
  const bool whole = sees_volume (self->session, self->item);
  gtk_widget_set_visible (self->shown, !whole);
  gtk_widget_set_visible (self->reason, whole);
}

static void
set_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  OdlMeasureRow *self = ODL_MEASURE_ROW (widget);
  OdlRecipe recipe = *odl_session_recipe (self->session);
  const char *key;
  double value;
  (void) action;
  g_variant_get (parameter, "(&sd)", &key, &value);
  g_autofree char *tag = g_strdup_printf ("%d/%s/measure", self->item, key);
  if (self->item >= recipe.n_items
      || measure_of (recipe.items[self->item].filter) != self->measure)
    return;
  odl_recipe_set (&recipe, self->item, key, 0, value);
  odl_session_set_recipe (self->session, &recipe, tag);
}

static gboolean
update_cb (void *data)
{
  OdlMeasureRow *self = data;
  self->update_id = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

static void
measured_cb (OdlMeasureRow *self)
{
  if (!self->update_id)
    self->update_id = g_timeout_add (ODL_MEASURE_PERIOD_MS, update_cb, self);
}

static void
odl_measure_row_dispose (GObject *object)
{
  OdlMeasureRow *self = ODL_MEASURE_ROW (object);
  g_clear_handle_id (&self->update_id, g_source_remove);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (odl_measure_row_parent_class)->dispose (object);
}

static void
odl_measure_row_class_init (OdlMeasureRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = odl_measure_row_dispose;
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "measure.set", "(sd)",
                                   set_cb);
}

static void
odl_measure_row_init (OdlMeasureRow *self)
{
  odl_control_hold (GTK_WIDGET (self));
}

GtkWidget *
odl_measure_row_new (OdlSession *session, int item, const OdlFilter *filter, int levels)
{
  OdlMeasureRow *self = g_object_new (ODL_TYPE_MEASURE_ROW, NULL);
  self->session = g_object_ref (session);
  self->item = item;
  self->measure = measure_of (filter);
  g_return_val_if_fail (self->measure != NULL, GTK_WIDGET (self));
  self->shown = self->measure->make (levels);
  self->reason = odl_measure_text (
      _ ("Noise and histograms are those of a slice. They are shown with 2 dimensions, "
         "and one slice at a time."));
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (box, "parameter");
  gtk_box_append (GTK_BOX (box), self->shown);
  gtk_box_append (GTK_BOX (box), self->reason);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
  g_signal_connect_object (session, "notify::recipe", G_CALLBACK (recipe_cb), self,
                           G_CONNECT_SWAPPED);
  // A source that is opened keeps the recipe and its cards.
  g_signal_connect_object (session, "frame-ready", G_CALLBACK (recipe_cb), self,
                           G_CONNECT_SWAPPED);
  recipe_cb (self);
  g_signal_connect_object (session, "observed", G_CALLBACK (measured_cb), self,
                           G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}
