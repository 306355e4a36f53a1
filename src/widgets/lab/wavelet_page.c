// SPDX-License-Identifier: MIT
#include "widgets/lab/wavelet_page.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "filter/normalisation.h"
#include "wavelet/functions.h"
#include "widgets/panels/measures/measure.h"

#define LEVELS 7
#define N_GAINS 257
#define MOST_PER_ROW 4
#define FEWEST_PER_ROW 2
// The same within this are drawn once.
#define ALIKE 1e-9

typedef struct {
  OdlLabSide side;
  const OdlWavelet *wavelet; // that is drawn; NULL: none yet
  OdlNormalisation scale; // of the gains that are drawn
  GtkWidget *flow, *none;
  GtkLabel *words;
  OdlCurvePlot *plots[ODL_WAVELET_PLOTS];
} Page;

static const char *const titles[ODL_WAVELET_PLOTS]
    = { N_ ("Scaling function φ"), N_ ("Wavelet ψ"), N_ ("Low-pass, gain by frequency"),
        N_ ("High-pass, gain by frequency") };

static Page *
page_of (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), ODL_WAVELET_PAGE);
}

static bool
are_alike (const OdlPlotted *a, const OdlPlotted *b)
{
  bool alike = a->n == b->n && fabs (a->first - b->first) < ALIKE;
  for (int i = 0; i < a->n && alike; i++)
    alike = fabs (a->values[i] - b->values[i]) < ALIKE;
  return alike;
}

// What is the same is one curve.
static bool
show_pair (OdlCurvePlot *plot, const OdlPlotted *analysis, const OdlPlotted *synthesis)
{
  const bool alike = are_alike (analysis, synthesis);
  const OdlPlotted none = { 0 };
  const OdlPlotted curves[2] = { *analysis, alike ? none : *synthesis };
  odl_curve_plot_set (plot, curves, "");
  return alike;
}

static bool
show_function (Page *self, bool is_wavelet)
{
  g_auto (OdlWaveletFunction) a
      = odl_wavelet_function (self->wavelet, ODL_WAVELET_ANALYSIS, is_wavelet, LEVELS);
  g_auto (OdlWaveletFunction) b
      = odl_wavelet_function (self->wavelet, ODL_WAVELET_SYNTHESIS, is_wavelet, LEVELS);
  return show_pair (self->plots[is_wavelet],
                    &(OdlPlotted){ a.n, a.first, a.step, a.values },
                    &(OdlPlotted){ b.n, b.first, b.step, b.values });
}

// The gain of a filter that an orthogonal wavelet has 1 for, in the scale of the filter's
// coefficients, so that both sides make 2 together, as half of the samples are left out
// between them.
static double
largest_gain (OdlNormalisation scale, int side, int high)
{
  return scale == ODL_ORTHONORMAL ? G_SQRT2 : side == high ? 1 : 2;
}

static void
show_gains (Page *self)
{
  double gains[2][2][N_GAINS]; // analysis, synthesis; low, high
  const double step = 0.5 / (N_GAINS - 1);
  for (int s = 0; s < 2; s++) {
    odl_wavelet_response (self->wavelet, (OdlWaveletSide) s, N_GAINS, gains[s][0],
                          gains[s][1]);
    for (int high = 0; high < 2; high++)
      for (int i = 0; i < N_GAINS; i++)
        gains[s][high][i] *= largest_gain (self->scale, s, high);
  }
  for (int high = 0; high < 2; high++)
    show_pair (self->plots[2 + high], &(OdlPlotted){ N_GAINS, 0, step, gains[0][high] },
               &(OdlPlotted){ N_GAINS, 0, step, gains[1][high] });
}

static void
show (Page *self)
{
  const bool alike = show_function (self, false) & show_function (self, true);
  show_gains (self);
  g_autofree char *moments
      = g_strdup_printf (ngettext ("%d vanishing moment", "%d vanishing moments",
                                   (gulong) self->wavelet->vanishing_moments),
                         self->wavelet->vanishing_moments);
  const bool one = alike && self->scale == ODL_ORTHONORMAL;
  g_autofree char *text = g_strdup_printf (
      // Translators: a wavelet, how many vanishing moments it has, and how its gains are
      // scaled.
      alike && one ? _ ("%s, orthogonal, %s; places in samples, frequencies in cycles a "
                        "sample, %s")
      : alike      ? _ ("%s, orthogonal, %s; gains of the analysis dashed, of the "
                             "synthesis solid; places in samples, frequencies in cycles a "
                             "sample, %s")
                   : _ ("%s, %s; analysis dashed, synthesis solid; places in samples, "
                             "frequencies in cycles a sample, %s"),
      _ (self->wavelet->label), moments,
      self->scale == ODL_ORTHONORMAL
          ? _ ("gains as the filter's coefficients have them: orthonormal, √2")
          : _ ("gains as the filter's coefficients have them: unit gain, 1 of low and 2 "
               "of high bands for each axis"));
  gtk_label_set_text (self->words, text);
}

static void
follow_cb (GtkWidget *widget)
{
  Page *self = page_of (widget);
  const OdlRecipe shared = odl_lab_side_shared (&self->side);
  const OdlWavelet *wavelet
      = self->side.item < shared.n_items
            ? odl_recipe_item_wavelet (&shared.items[self->side.item])
            : NULL;
  gtk_widget_set_visible (self->flow, wavelet != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->words), wavelet != NULL);
  gtk_widget_set_visible (self->none, wavelet == NULL);
  if (wavelet == NULL)
    return;
  const OdlNormalisation scale
      = odl_recipe_item_normalisation (&shared.items[self->side.item]);
  if (wavelet == self->wavelet && scale == self->scale)
    return;
  self->wavelet = wavelet;
  self->scale = scale;
  show (self);
}

static void
page_free (void *data)
{
  Page *self = data;
  odl_lab_side_release (&self->side);
  g_free (self);
}

static GtkWidget *
make_plot (Page *self, int i)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *plot = odl_curve_plot_new (_ (titles[i]));
  self->plots[i] = ODL_CURVE_PLOT (plot);
  gtk_box_append (GTK_BOX (box), odl_measure_caption (_ (titles[i])));
  gtk_box_append (GTK_BOX (box), plot);
  // Nothing happens there by keys.
  GtkWidget *child = gtk_flow_box_child_new ();
  gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (child), box);
  gtk_widget_set_focusable (child, FALSE);
  return child;
}

static GtkWidget *
make (const OdlLabSide *side)
{
  Page *self = g_new0 (Page, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->side = *side;
  odl_lab_side_hold (&self->side);
  self->flow = gtk_flow_box_new ();
  self->none = odl_measure_caption (
      _ ("The dual tree has filters of its own, and the filter no wavelet."));
  self->words = GTK_LABEL (odl_measure_caption (""));
  GtkFlowBox *flow = GTK_FLOW_BOX (self->flow);
  gtk_flow_box_set_selection_mode (flow, GTK_SELECTION_NONE);
  gtk_flow_box_set_homogeneous (flow, TRUE);
  gtk_flow_box_set_min_children_per_line (flow, FEWEST_PER_ROW);
  gtk_flow_box_set_max_children_per_line (flow, MOST_PER_ROW);
  gtk_widget_set_vexpand (self->flow, TRUE);
  for (int i = 0; i < ODL_WAVELET_PLOTS; i++)
    gtk_flow_box_insert (flow, make_plot (self, i), -1);
  // What it says is read before the plots, which may be higher than the pane.
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->words));
  gtk_box_append (GTK_BOX (box), self->none);
  gtk_box_append (GTK_BOX (box), self->flow);
  g_object_set_data_full (G_OBJECT (box), ODL_WAVELET_PAGE, self, page_free);
  odl_lab_side_follow (side, box, follow_cb);
  follow_cb (box);
  return box;
}

static bool
suits (const OdlRecipe *recipe, int item)
{
  return odl_recipe_item_wavelet (&recipe->items[item]) != NULL;
}

static void
add_rows (GtkWidget *widget, OdlLabTable *table)
{
  static const char *const names[ODL_WAVELET_PLOTS]
      = { "scaling function", "wavelet", "low-pass", "high-pass" };
  static const char *const sides[] = { "analysis", "synthesis" };
  const Page *self = page_of (widget);
  for (int i = 0; self->wavelet && i < ODL_WAVELET_PLOTS; i++)
    for (int c = 0; c < 2; c++) {
      const OdlPlotted curve = odl_curve_plot_get (self->plots[i], c);
      // What is the same is drawn once.
      const bool both = c == 0 && odl_curve_plot_get (self->plots[i], 1).n == 0;
      for (int k = 0; k < curve.n; k++) {
        odl_lab_table_begin (table);
        odl_lab_table_add_word (table, names[i]);
        odl_lab_table_add_word (table, both ? "both" : sides[c]);
        odl_lab_table_add (table, curve.first + k * curve.step);
        odl_lab_table_add (table, curve.values[k]);
      }
    }
}

const OdlLabPage odl_lab_wavelet = {
  .name = "wavelet",
  .title = N_ ("Wavelet"),
  .nothing
  = N_ ("Filters of wavelet coefficients, such as Wavelet shrinkage, show here what "
        "their wavelet looks like."),
  .suits = suits,
  .make = make,
  .columns = "plot,side,place,value",
  .add_rows = add_rows,
};

OdlCurvePlot *
odl_wavelet_page_plot (GtkWidget *widget, int plot)
{
  return page_of (widget)->plots[plot];
}
