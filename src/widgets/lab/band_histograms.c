// SPDX-License-Identifier: MIT
#include "widgets/lab/band_histograms.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "filter/normalisation.h"
#include "filter/strength.h"
#include "session/band_meter.h"
#include "widgets/find.h"
#include "widgets/panels/measures/measure.h"
#include "widgets/panels/parameters/scale_row.h"
#include "widgets/units.h"

#define CELL_WIDTH 72
#define CELL_HEIGHT 60
#define NUMBERS 0.75 // of the size of other letters
#define STRIP 12 // for the numbers below the bars, logical pixels
#define APART 34 // numbers, at least
#define STATE ODL_BAND_HISTOGRAMS
#define ROWS 3 // of the bands of a level, where these are most
// Bins that a key moves the line by: ¼ octave, and an octave.
#define STEP 1.0
#define PAGE 4.0

typedef struct _Bands Bands;

// One band of one level, or one of its orientations.
typedef struct {
  Bands *bands;
  int level; // from 0, the finest
  int band; // of OdlMetered
  double grabbed; // where a drag began, logical pixels
  GtkWidget *box, *area;
  GtkLabel *share;
} Cell;

struct _Bands {
  OdlLabSide side;
  int levels;
  bool multiplies;
  bool has_line; // at a threshold or a gain
  OdlBandMeter *meter;
  OdlMetered metered;
  GtkWidget *grid, *reason; // why there is nothing to see
  GtkLabel *slices; // that were measured
  Cell cells[ODL_MAX_LEVELS][ODL_METER_BANDS];
};

static const char *const band_names[ODL_DETAIL_BANDS] = { "HL", "LH", "HH" };
// As wavelet/dual_tree.h says.
static const char *const orientations[ODL_METER_ORIENTATIONS]
    = { "+75°", "+15°", "+45°", "−75°", "−15°", "−45°" };

// As session/band_meter.h says, and what each is among those that are high along z.
static const char *const octants[ODL_METER_OCTANTS]
    = { "HLL", "LHL", "HHL", "HLH", "LHH", "HHH", "LLH" };
static const int deep_bands[ODL_METER_OCTANTS] = { 0, 0, 0, 1, 2, 3, 0 };

// Its numbers are gains, not thresholds.
static bool
multiplies (const OdlFilter *filter)
{
  return filter->kind == ODL_FILTER_SCALE_BANDS;
}

// Its thresholds or gains are drawn and dragged; other filters find theirs by themselves.
static bool
has_numbers (const OdlFilter *filter)
{
  return filter->kind == ODL_FILTER_SOFT_THRESHOLD
         || filter->kind == ODL_FILTER_HARD_THRESHOLD
         || filter->kind == ODL_FILTER_SHRINKAGE || multiplies (filter);
}

// ---- thresholds and gains ------------------------------------------------------------

static bool
is_deep (const Bands *bands)
{
  return bands->metered.n_bands == ODL_METER_OCTANTS;
}

// Of a band that falls, or is high along z, its own, if the filter has such; it may
// follow the other one.
static const OdlParameter *
parameter_of (const Cell *cell, const OdlRecipe *recipe)
{
  const OdlFilter *filter = recipe->items[cell->bands->side.item].filter;
  const bool deep = is_deep (cell->bands) && cell->band >= ODL_DETAIL_BANDS;
  const bool falls = !is_deep (cell->bands) && cell->band >= ODL_DETAIL_BANDS;
  for (size_t i = 0; deep && i < filter->n_parameters; i++)
    if (filter->parameters[i].follows == ODL_FOLLOWS_SLICES)
      return &filter->parameters[i];
  const OdlParameter *matrix = odl_filter_parameter (
      filter, cell->bands->multiplies ? (falls ? "falling-gains" : "gains")
              : falls                 ? "falling-thresholds"
                                      : "thresholds");
  return matrix ? matrix : odl_filter_parameter (filter, "threshold");
}

static bool
is_in (const Cell *cell, const OdlRecipe *recipe)
{
  return cell->bands->side.item < recipe->n_items
         && has_numbers (recipe->items[cell->bands->side.item].filter);
}

static int
index_of (const Cell *cell, const OdlParameter *parameter)
{
  const int bands = odl_parameter_bands (parameter);
  return parameter->kind != ODL_PARAMETER_MATRIX ? 0
         : bands == ODL_DEEP_BANDS ? cell->level * bands + deep_bands[cell->band]
                                   : cell->level * bands + cell->band % ODL_DETAIL_BANDS;
}

// What makes thresholds of the filter those of the coefficients that are drawn.
static double
scale_of (const Cell *cell, const OdlRecipe *recipe)
{
  return odl_threshold_scale (&recipe->items[cell->bands->side.item], 1 + cell->level,
                              (OdlDetailBand) (cell->band % ODL_DETAIL_BANDS));
}

// As it acts, at the recipe's strength, on the coefficients that are drawn.
static double
value_of (const Cell *cell)
{
  const OdlRecipe *written = odl_lab_side_recipe (&cell->bands->side);
  if (!is_in (cell, written))
    return 0;
  const OdlRecipe recipe = odl_recipe_at_strength (written);
  const OdlParameter *parameter = parameter_of (cell, &recipe);
  const int item = cell->bands->side.item, i = index_of (cell, parameter);
  double value = odl_recipe_get (&recipe, item, parameter->key, i);
  if (value == ODL_VALUE_AUTO && parameter->follows)
    value = odl_recipe_item_followed (&recipe.items[item], parameter, i);
  return MAX (value, 0) * scale_of (cell, &recipe);
}

// A row of the filter's card, which may have the switch that scales the others; NULL:
// there is none.
static GtkWidget *
rows_of (const OdlLabSide *side)
{
  GtkWidget *card = odl_filter_chain_card (side->chain, side->item);
  GtkWidget *list = card ? odl_find_inside (card, GTK_TYPE_LIST_BOX) : NULL;
  return list ? gtk_widget_get_first_child (list) : NULL;
}

static void
set_value (Cell *cell, double value)
{
  OdlSession *session = cell->bands->side.session;
  OdlRecipe recipe = *odl_session_recipe (session);
  // Of two recipes that are compared the one in force is changed.
  if (cell->bands->side.other || !is_in (cell, &recipe) || recipe.strength <= 0)
    return;
  const int item = cell->bands->side.item;
  const OdlParameter *parameter = parameter_of (cell, &recipe);
  const int i = index_of (cell, parameter);
  g_autofree char *tag = g_strdup_printf ("%d/%s/%d/bands", item, parameter->key, i);
  // Three digits, as measured ones have. The strength acts on what a value is beyond one
  // that does nothing.
  const double neutral = cell->bands->multiplies ? 1 : 0;
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (digits, sizeof digits, "%.3g",
                   neutral
                       + (value / scale_of (cell, &recipe) - neutral) / recipe.strength);
  odl_recipe_set (&recipe, item, parameter->key, i, g_ascii_strtod (digits, NULL));
  GtkWidget *rows = rows_of (&cell->bands->side);
  if (rows)
    odl_scale_row_apply (rows, odl_session_recipe (session), &recipe, item, parameter, i,
                         1);
  odl_session_set_recipe (session, &recipe, tag);
}

// ---- a cell --------------------------------------------------------------------------

static const OdlMeteredBand *
metered_of (const Cell *cell)
{
  const OdlMetered *metered = &cell->bands->metered;
  return cell->level < metered->levels && cell->band < metered->n_bands
             ? &metered->bands[cell->level][cell->band]
             : NULL;
}

// Where a gain of 1 has its line: the root of the mean square.
static double
middle_of (const Cell *cell)
{
  const OdlMeteredBand *band = metered_of (cell);
  const double place = band ? odl_meter_place (sqrt (band->energy)) : 0;
  // A gain of 4 and the half of 1 keep their places.
  return place > 0 ? CLAMP (place, ODL_METER_PER_OCTAVE,
                            ODL_METER_BINS - 2 * ODL_METER_PER_OCTAVE)
                   : ODL_METER_BINS / 2.0;
}

// Among the bins, where the line is.
static double
place_of (const Cell *cell, double value)
{
  if (!cell->bands->multiplies)
    return odl_meter_place (value);
  const double octaves = log2 (MAX (value, 1e-12));
  return CLAMP (middle_of (cell) + ODL_METER_PER_OCTAVE * octaves, 0, ODL_METER_BINS);
}

// The end of the scale stands for 0.
static void
set_place (Cell *cell, double place)
{
  const double within = CLAMP (place, 0, ODL_METER_BINS);
  const double bins = within - middle_of (cell);
  set_value (cell, within == 0                ? 0
                   : !cell->bands->multiplies ? odl_meter_magnitude (within)
                   : fabs (bins) < 0.5        ? 1
                                              : exp2 (bins / ODL_METER_PER_OCTAVE));
}

// What a gain makes of a histogram: the same further right or left.
static void
draw_multiplied (cairo_t *cr,
                 const OdlMeteredBand *band,
                 double most,
                 double gain,
                 double step,
                 int height)
{
  const double by = ODL_METER_PER_OCTAVE * log2 (gain);
  for (int i = 0; i < ODL_METER_BINS; i++) {
    const double y = height - log1p (band->bins[i]) / log1p (most) * (height - 1) - 0.5;
    cairo_line_to (cr, (i + by) * step, y);
    cairo_line_to (cr, (i + 1 + by) * step, y);
  }
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

// What a share of full scale is shown as beside the bands: in the unit of the filter's
// thresholds.
static double
shown_scale (const Cell *cell)
{
  const OdlRecipe *recipe = odl_lab_side_recipe (&cell->bands->side);
  OdlSession *session = cell->bands->side.session;
  const OdlFrame *frame = odl_session_frame (session);
  const double scale = is_in (cell, recipe) ? scale_of (cell, recipe) : 1;
  return (frame ? odl_units_scale_in (frame->input, odl_units_of (session)) : 1) / scale;
}

static int
draw_number (GtkWidget *widget, cairo_t *cr, const char *text, double x, double y)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  int width;
  pango_attr_list_insert (attributes, pango_attr_scale_new (NUMBERS));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_get_pixel_size (layout, &width, NULL);
  cairo_move_to (cr, x - width / 2.0, y);
  pango_cairo_show_layout (cr, layout);
  return width;
}

// Powers of ten below the bars, and in the corner how many coefficients the highest has.
static void
draw_numbers (const Cell *cell, cairo_t *cr, double most, int width, int height)
{
  GtkDrawingArea *area = GTK_DRAWING_AREA (cell->area);
  const double shown = shown_scale (cell), step = (double) width / ODL_METER_BINS;
  const double decade = step * ODL_METER_PER_OCTAVE * log2 (10);
  const int every = (int) fmax (ceil (APART / decade), 1);
  for (int power = -12; power <= 12; power++) {
    const double x = odl_meter_place (pow (10, power) / shown) * step;
    if (power % every != 0 || x <= decade / 2 || x >= width - decade / 4)
      continue;
    g_autofree char *text = odl_measure_number (pow (10, power));
    odl_measure_use_bars (area, cr, 0.35);
    cairo_rectangle (cr, round (x), height, 1, 3);
    cairo_fill (cr);
    odl_measure_use_bars (area, cr, 0.8);
    draw_number (cell->area, cr, text, x, height + 1);
  }
  g_autofree char *count = odl_measure_number (most);
  odl_measure_use_bars (area, cr, 0.8);
  draw_number (cell->area, cr, count, APART / 2.0, 0);
}

// Counts on a logarithmic scale, magnitudes too.
static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int all, void *data)
{
  const Cell *cell = data;
  const int height = all - STRIP;
  const OdlMeteredBand *band = metered_of (cell);
  const double step = (double) width / ODL_METER_BINS;
  const bool multiplies = cell->bands->multiplies, has_line = cell->bands->has_line;
  const double value = value_of (cell), line = place_of (cell, value) * step;
  double most = 1;
  for (int i = 0; band && i < ODL_METER_BINS; i++)
    most = MAX (most, band->bins[i]);
  for (int kept = 0; band && kept < 2; kept++) {
    odl_measure_use_bars (area, cr, kept ? 0.6 : 0.25);
    for (int i = 0; i < ODL_METER_BINS; i++)
      if (kept == (!has_line || (!multiplies && (i + 0.5) * step > line))) {
        const double tall = log1p (band->bins[i]) / log1p (most) * height;
        cairo_rectangle (cr, i * step, height - tall, step, tall);
      }
    cairo_fill (cr);
  }
  if (band)
    draw_numbers (cell, cr, most, width, height);
  if (!has_line)
    return;
  odl_measure_use_line (area, cr);
  if (band && multiplies && value > 0)
    draw_multiplied (cr, band, most, value, step, height);
  cairo_rectangle (cr, CLAMP (line - 1, 0, width - 2), 0, 2, height);
  cairo_fill (cr);
}

static const char *
name_of (const Cell *cell)
{
  return is_deep (cell->bands) ? octants[cell->band]
         : cell->bands->metered.n_bands == ODL_METER_ORIENTATIONS
             ? orientations[cell->band]
             : band_names[cell->band % ODL_DETAIL_BANDS];
}

// For the tooltip and for people who hear it, in the scale of the filter's thresholds;
// `share`: what stands below.
static char *
words_of (const Cell *cell, const OdlMeteredBand *band, double value, const char *share)
{
  const OdlRecipe *recipe = odl_lab_side_recipe (&cell->bands->side);
  const double scale = is_in (cell, recipe) ? scale_of (cell, recipe) : 1;
  OdlSession *session = cell->bands->side.session;
  const double told = shown_scale (cell);
  g_autofree char *number = cell->bands->multiplies
                                ? odl_measure_number (value / scale)
                                : odl_units_amount (session, value / scale);
  g_autofree char *sigma = odl_units_amount (session, band->sigma / scale);
  g_autofree char *energy = odl_measure_number (band->energy * told * told);
  if (!cell->bands->has_line)
    return g_strdup_printf (
        // Translators: the numbers have their unit, squared for the energy.
        _ ("Level %d, band %s: σ = %s by their median, energy %s"), cell->level + 1,
        name_of (cell), sigma, energy);
  if (cell->bands->multiplies)
    return g_strdup_printf (
        // Translators: the numbers but the gain have their unit, squared for the energy.
        _ ("Level %d, band %s: gain %s; σ = %s by their median, energy %s"),
        cell->level + 1, name_of (cell), number, sigma, energy);
  return g_strdup_printf (
      // Translators: the numbers have their unit, squared for the energy.
      _ ("Level %d, band %s: threshold %s makes %s of the coefficients 0; σ = %s by "
         "their "
         "median, energy %s"),
      cell->level + 1, name_of (cell), number, share, sigma, energy);
}

// What stands below a band. Transfer full.
static char *
share_of (const Cell *cell, const OdlMeteredBand *band, double value)
{
  if (!cell->bands->has_line) {
    g_autofree char *sigma = odl_units_amount (cell->bands->side.session, band->sigma);
    return g_strdup_printf ("σ = %s", sigma);
  }
  return cell->bands->multiplies
             ? g_strdup_printf ("× %.3g", value)
             : g_strdup_printf ("%.0f %%", 100 * odl_meter_share (band, value));
}

static void
update_cell (Cell *cell)
{
  const OdlMeteredBand *band = metered_of (cell);
  const double value = value_of (cell);
  gtk_widget_queue_draw (cell->area);
  if (cell->bands->has_line)
    gtk_accessible_update_property (GTK_ACCESSIBLE (cell->area),
                                    GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, value, -1);
  if (!band)
    return;
  g_autofree char *share = share_of (cell, band, value);
  g_autofree char *text = words_of (cell, band, value, share);
  if (cell->bands->metered.n_bands > ODL_DETAIL_BANDS) {
    g_autofree char *both = g_strdup_printf ("%s · %s", name_of (cell), share);
    gtk_label_set_text (cell->share, both);
  } else {
    gtk_label_set_text (cell->share, share);
  }
  gtk_widget_set_tooltip_text (cell->area, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (cell->area),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, Cell *cell)
{
  const int width = MAX (gtk_widget_get_width (cell->area), 1);
  set_place (cell, (cell->grabbed + dx) / width * ODL_METER_BINS);
}

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, Cell *cell)
{
  cell->grabbed = x;
  gtk_widget_grab_focus (cell->area);
  drag_update_cb (gesture, 0, 0, cell);
}

static gboolean
key_cb (GtkEventControllerKey *keys,
        guint key,
        guint code,
        GdkModifierType state,
        Cell *cell)
{
  const double place = place_of (cell, value_of (cell));
  const double by = key == GDK_KEY_Left        ? -STEP
                    : key == GDK_KEY_Right     ? STEP
                    : key == GDK_KEY_Page_Down ? -PAGE
                    : key == GDK_KEY_Page_Up   ? PAGE
                                               : 0;
  if (by == 0 || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)))
    return FALSE;
  set_place (cell, place + by);
  return TRUE;
}

static GtkWidget *
make_cell (Cell *cell)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *share = gtk_label_new ("–");
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  cell->area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role",
                             cell->bands->has_line ? GTK_ACCESSIBLE_ROLE_SLIDER
                                                   : GTK_ACCESSIBLE_ROLE_IMG,
                             "focusable", TRUE, NULL);
  cell->share = GTK_LABEL (share);
  gtk_accessible_update_property (GTK_ACCESSIBLE (cell->area),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, name_of (cell), -1);
  gtk_widget_set_size_request (cell->area, CELL_WIDTH, CELL_HEIGHT);
  gtk_widget_set_hexpand (cell->area, TRUE);
  gtk_widget_set_vexpand (cell->area, TRUE);
  if (cell->bands->has_line && !cell->bands->side.other)
    gtk_widget_set_cursor_from_name (cell->area, "col-resize");
  gtk_widget_add_css_class (cell->area, "threshold");
  gtk_widget_add_css_class (share, "caption");
  gtk_widget_add_css_class (share, "numeric");
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (cell->area), draw_cb, cell, NULL);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), cell);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), cell);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), cell);
  gtk_widget_add_controller (cell->area, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (cell->area, keys);
  gtk_box_append (GTK_BOX (box), cell->area);
  gtk_box_append (GTK_BOX (box), share);
  cell->box = box;
  return box;
}

// ---- the page ------------------------------------------------------------------------

static void
update_all (Bands *bands)
{
  const int shown = MAX (bands->metered.n_bands, ODL_DETAIL_BANDS);
  for (int l = 0; l < bands->levels; l++)
    for (int b = 0; b < ODL_METER_BANDS; b++) {
      gtk_widget_set_visible (bands->cells[l][b].box, b < shown);
      if (b < shown)
        update_cell (&bands->cells[l][b]);
    }
}

static void
metered_cb (const OdlMetered *metered, void *data)
{
  Bands *bands = data;
  g_autofree char *slices
      = odl_lab_side_slices (metered->first, metered->n_slices, metered->n_all);
  bands->metered = *metered;
  gtk_label_set_text (bands->slices, slices);
  gtk_widget_set_visible (GTK_WIDGET (bands->slices), *slices != '\0');
  update_all (bands);
}

static Bands *
bands_of (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), STATE);
}

// Only what is seen is measured.
static void
follow_cb (GtkWidget *widget)
{
  Bands *bands = bands_of (widget);
  OdlFrame *frame = odl_lab_side_frame (&bands->side);
  const OdlRecipe *recipe = odl_lab_side_recipe (&bands->side);
  const int item = bands->side.item;
  const bool suits = item < recipe->n_items && odl_band_meter_suits (recipe, item);
  gtk_widget_set_visible (bands->grid, suits);
  gtk_widget_set_visible (bands->reason, !suits);
  if (suits)
    update_all (bands);
  if (frame && gtk_widget_get_mapped (widget))
    odl_band_meter_show (bands->meter, frame, bands->side.other, item);
}

static void
bands_free (void *data)
{
  Bands *bands = data;
  odl_band_meter_free (bands->meter);
  odl_lab_side_release (&bands->side);
  g_free (bands);
}

static GtkWidget *
make_grid (Bands *bands)
{
  GtkWidget *grid = odl_measure_band_grid (bands->levels, ROWS);
  gtk_widget_set_vexpand (grid, TRUE);
  for (int l = 0; l < bands->levels; l++) {
    for (int b = 0; b < ODL_METER_BANDS; b++) {
      bands->cells[l][b] = (Cell){ .bands = bands, .level = l, .band = b };
      gtk_grid_attach (GTK_GRID (grid), make_cell (&bands->cells[l][b]),
                       b % ODL_DETAIL_BANDS + 1, ROWS * l + 1 + b / ODL_DETAIL_BANDS, 1,
                       1);
    }
  }
  return grid;
}

// What there is to see, and what can be done with it.
static const char *
caption_of (const Bands *bands)
{
  if (!bands->has_line)
    return _ ("Coefficients by magnitude, as the filter reads them");
  if (bands->side.other)
    return bands->multiplies
               ? _ ("Coefficients by magnitude, outlined as the gain leaves them")
               : _ ("Coefficients by magnitude, and the share that becomes 0");
  return bands->multiplies
             ? _ ("Coefficients by magnitude, outlined as the gain leaves them; drag the "
                  "line, or use the arrow keys")
             : _ ("Coefficients by magnitude, and the share that becomes 0; drag the "
                  "line, or use the arrow keys");
}

static GtkWidget *
make (const OdlLabSide *side)
{
  Bands *bands = g_new0 (Bands, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  bands->side = *side;
  odl_lab_side_hold (&bands->side);
  bands->levels = MIN (odl_lab_side_levels (side), ODL_MAX_LEVELS);
  const OdlFilter *filter = odl_lab_side_recipe (side)->items[side->item].filter;
  bands->multiplies = multiplies (filter);
  bands->has_line = has_numbers (filter);
  bands->meter = odl_band_meter_new (metered_cb, bands);
  bands->grid = make_grid (bands);
  bands->reason = odl_measure_caption (
      _ ("There are no histograms of bands after filters over time, or of bands over "
         "time."));
  bands->slices = GTK_LABEL (odl_measure_caption (""));
  gtk_widget_set_visible (GTK_WIDGET (bands->slices), FALSE);
  gtk_box_append (GTK_BOX (box), odl_measure_caption (caption_of (bands)));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (bands->slices));
  gtk_box_append (GTK_BOX (box), bands->grid);
  gtk_box_append (GTK_BOX (box), bands->reason);
  g_object_set_data_full (G_OBJECT (box), STATE, bands, bands_free);
  odl_lab_side_follow (side, box, follow_cb);
  follow_cb (box);
  return box;
}

// Magnitudes as the filter's thresholds have them, in shares of full scale.
static void
add_rows (GtkWidget *widget, OdlLabTable *table)
{
  Bands *bands = bands_of (widget);
  const OdlRecipe *recipe = odl_lab_side_recipe (&bands->side);
  for (int l = 0; l < bands->metered.levels; l++)
    for (int b = 0; b < bands->metered.n_bands; b++) {
      const Cell *cell = &bands->cells[l][b];
      const double scale = is_in (cell, recipe) ? scale_of (cell, recipe) : 1;
      for (int i = 0; i < ODL_METER_BINS; i++) {
        odl_lab_table_begin (table);
        odl_lab_table_add (table, l + 1);
        odl_lab_table_add_word (table, name_of (cell));
        odl_lab_table_add (table, i > 0 ? odl_meter_magnitude (i) / scale : 0);
        odl_lab_table_add (table, odl_meter_magnitude (i + 1) / scale);
        odl_lab_table_add (table, bands->metered.bands[l][b].bins[i]);
      }
    }
}

static bool
suits (const OdlRecipe *recipe, int item)
{
  return recipe->items[item].filter->domain == ODL_DOMAIN_COEFFICIENT
         && odl_filter_parameter (recipe->items[item].filter, "levels") != NULL;
}

const OdlLabPage odl_lab_histograms = {
  .name = "histograms",
  .title = N_ ("Histograms"),
  .nothing = N_ ("Filters of wavelet coefficients, such as Wavelet shrinkage, have the "
                 "histograms of the bands that they read here."),
  .suits = suits,
  .make = make,
  .columns = "level,band,from,to,coefficients",
  .add_rows = add_rows,
};

// ---- for tests -----------------------------------------------------------------------

OdlBandShown
odl_band_histograms_shown (GtkWidget *widget, int level, int band)
{
  const Cell *cell = &bands_of (widget)->cells[level][band];
  const OdlMeteredBand *metered = metered_of (cell);
  const double value = value_of (cell);
  return (OdlBandShown){ value, metered ? metered->n : 0,
                         metered ? odl_meter_share (metered, value) : 0,
                         metered ? metered->sigma : 0 };
}

void
odl_band_histograms_drag (GtkWidget *widget, int level, int band, double value)
{
  Cell *cell = &bands_of (widget)->cells[level][band];
  set_place (cell, place_of (cell, value));
}
