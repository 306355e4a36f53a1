// SPDX-License-Identifier: MIT
#include "widgets/panels/parameters/kernel_row.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "plan/kernel.h"
#include "widgets/panels/measures/measure.h"
#include "widgets/panels/parameters/control.h"

#define MOST_NUMBERS 5 // of a side: there is room for numbers
#define CELL_HEIGHT 24
#define PICTURE 112
#define LABEL 18
#define GAP 8
#define PLOT 72
#define STEP 0.125 // of a curve, samples
#define FONT_SIZE (8 * PANGO_SCALE)
#define DELAY_MS 120 // after the last change: a slider sends many

#define SHOWN "shown"

// Told apart by the colour-blind, too, and on light and dark alike.
static const GdkRGBA above = { 0.21f, 0.52f, 0.89f, 1 };
static const GdkRGBA below = { 0.9f, 0.38f, 0, 1 };

typedef struct {
  OdlSession *session;
  int item;
  OdlKernel parts[2]; // n_parts of them
  int n_parts;
  int used; // the one that the filter takes
  double along[3]; // of the curve, a unit vector
  guint timeout;
  GtkWidget *row, *picture, *plot, *caption;
} Kernel;

bool
odl_kernel_row_suits (const OdlFilter *filter)
{
  return filter->kind == ODL_FILTER_CONVOLVE;
}

// Sample (x, y, z) of the middle in time; 0 outside.
static double
value_at (const OdlKernel *kernel, int x, int y, int z)
{
  const int t = MAX (kernel->duration, 1) / 2;
  if (x < 0 || y < 0 || z < 0 || x >= kernel->width || y >= kernel->height
      || z >= kernel->depth)
    return 0;
  const size_t slice = (size_t) t * kernel->depth + z;
  return kernel->value[(slice * kernel->height + y) * kernel->width + x];
}

static double
most_of (const Kernel *self)
{
  double most = 0;
  for (int p = 0; p < self->n_parts; p++) {
    const OdlKernel *kernel = &self->parts[p];
    for (int z = 0; z < kernel->depth; z++)
      for (int y = 0; y < kernel->height; y++)
        for (int x = 0; x < kernel->width; x++)
          most = fmax (most, fabs (value_at (kernel, x, y, z)));
  }
  return most > 0 ? most : 1;
}

static bool
has_numbers (const Kernel *self)
{
  return self->n_parts == 1
         && MAX (self->parts[0].width, self->parts[0].height) <= MOST_NUMBERS;
}

// ---- drawing -------------------------------------------------------------------------

static void
draw_text (GtkWidget *area, cairo_t *cr, const char *text, double x, double y)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (area, text);
  PangoAttrList *attributes = pango_attr_list_new ();
  int width, height;
  pango_attr_list_insert (attributes, pango_attr_size_new (FONT_SIZE));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_get_pixel_size (layout, &width, &height);
  cairo_move_to (cr, x - width / 2.0, y - height / 2.0);
  pango_cairo_show_layout (cr, layout);
}

// The middle slice: as blue as a value is above 0, as orange as it is below.
static void
draw_part (const Kernel *self,
           GtkDrawingArea *area,
           cairo_t *cr,
           const OdlKernel *kernel,
           const cairo_rectangle_t *place)
{
  const double width = place->width / kernel->width;
  const double height = place->height / kernel->height, most = most_of (self);
  for (int y = 0; y < kernel->height; y++)
    for (int x = 0; x < kernel->width; x++) {
      const double value = value_at (kernel, x, y, kernel->depth / 2);
      GdkRGBA colour = value < 0 ? below : above;
      const double left = place->x + x * width, top = place->y + y * height;
      colour.alpha = (float) ((has_numbers (self) ? 0.5 : 1) * fabs (value) / most);
      gdk_cairo_set_source_rgba (cr, &colour);
      cairo_rectangle (cr, left, top, width, height);
      cairo_fill (cr);
      if (!has_numbers (self))
        continue;
      g_autofree char *text = odl_measure_number (value);
      odl_measure_use_bars (area, cr, 1);
      draw_text (GTK_WIDGET (area), cr, text, left + width / 2, top + height / 2);
    }
  odl_measure_use_bars (area, cr, 0.3);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, place->x + 0.5, place->y + 0.5, place->width - 1,
                   place->height - 1);
  cairo_stroke (cr);
}

static void
draw_picture_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, void *data)
{
  const Kernel *self = data;
  if (self->n_parts == 0)
    return;
  if (has_numbers (self)) {
    draw_part (self, area, cr, &self->parts[0],
               &(cairo_rectangle_t){ 0, 0, width, height });
    return;
  }
  const double high = height - (self->n_parts > 1 ? LABEL : 0);
  const double share = (width - GAP * (self->n_parts - 1.0)) / self->n_parts;
  for (int p = 0; p < self->n_parts; p++) {
    const OdlKernel *kernel = &self->parts[p];
    const double cell = fmin (share / kernel->width, high / kernel->height);
    const cairo_rectangle_t place
        = { p * (share + GAP) + (share - cell * kernel->width) / 2,
            (high - cell * kernel->height) / 2, cell * kernel->width,
            cell * kernel->height };
    draw_part (self, area, cr, kernel, &place);
    if (self->n_parts < 2)
      continue;
    odl_measure_use_bars (area, cr, p == self->used ? 1 : 0.6);
    draw_text (GTK_WIDGET (area), cr, p == 0 ? _ ("Real part") : _ ("Imaginary part"),
               place.x + place.width / 2, high + LABEL / 2.0);
  }
}

// Linear between samples, `distance` from the centre.
static double
value_along (const OdlKernel *kernel, const double along[3], double distance)
{
  const int middle[3] = { kernel->width / 2, kernel->height / 2, kernel->depth / 2 };
  int from[3];
  double share[3], sum = 0;
  for (int axis = 0; axis < 3; axis++) {
    const double at = middle[axis] + distance * along[axis];
    from[axis] = (int) floor (at);
    share[axis] = at - from[axis];
  }
  for (int corner = 0; corner < 8; corner++) {
    double weight = 1;
    for (int axis = 0; axis < 3; axis++)
      weight *= corner >> axis & 1 ? share[axis] : 1 - share[axis];
    if (weight > 0)
      sum += weight
             * value_at (kernel, from[0] + (corner & 1), from[1] + (corner >> 1 & 1),
                         from[2] + (corner >> 2));
  }
  return sum;
}

static void
draw_plot_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, void *data)
{
  const Kernel *self = data;
  const double most = most_of (self) * 1.05;
  cairo_set_line_width (cr, 1);
  odl_measure_use_bars (area, cr, 0.3);
  cairo_move_to (cr, 0, height / 2.0);
  cairo_line_to (cr, width, height / 2.0);
  cairo_move_to (cr, width / 2.0, 0);
  cairo_line_to (cr, width / 2.0, height);
  cairo_stroke (cr);
  cairo_set_line_width (cr, 2);
  for (int p = 0; p < self->n_parts; p++) {
    const OdlKernel *kernel = &self->parts[p];
    const double reach = MAX (MAX (kernel->width, kernel->height), kernel->depth) / 2.0;
    for (double at = -reach; at <= reach; at += STEP)
      cairo_line_to (cr, width * (at / reach + 1) / 2,
                     height * (1 - value_along (kernel, self->along, at) / most) / 2);
    gdk_cairo_set_source_rgba (cr, p == 0 ? &above : &below);
    if (p > 0)
      cairo_set_dash (cr, (const double[]){ 6, 3 }, 2, 0);
    cairo_stroke (cr);
  }
}

// ---- what is shown -------------------------------------------------------------------

static void
clear_parts (Kernel *self)
{
  for (int p = 0; p < 2; p++)
    odl_kernel_clear (&self->parts[p]);
  self->n_parts = 0;
}

static bool
is_quadrature (const OdlRecipe *recipe, int item)
{
  const OdlParameter *shape = odl_filter_parameter (recipe->items[item].filter, "shape");
  return !odl_recipe_operand (recipe, item)
         && g_str_equal (shape->choices[(int) odl_recipe_get (recipe, item, "shape", 0)],
                         "quadrature");
}

// Both parts of a quadrature filter; in four dimensions, where they take long, its own.
static void
make_parts (Kernel *self)
{
  OdlRecipe recipe = *odl_session_recipe (self->session);
  const int item = self->item;
  clear_parts (self);
  self->used = 0;
  self->along[0] = 1;
  self->along[1] = self->along[2] = 0;
  if (item >= recipe.n_items || recipe.items[item].filter->kind != ODL_FILTER_CONVOLVE)
    return;
  if (is_quadrature (&recipe, item)) {
    const OdlQuadrature shape = odl_quadrature_of_item (&recipe, item);
    double n[4];
    odl_quadrature_direction (&shape, n);
    for (int axis = 0; axis < 3; axis++)
      self->along[axis] = n[axis];
    self->used = shape.imaginary;
    self->n_parts = odl_recipe_item_dimensions (&recipe.items[item]) > 3 ? 1 : 2;
  } else
    self->n_parts = 1;
  for (int p = 0; p < self->n_parts; p++) {
    if (self->n_parts > 1)
      odl_recipe_set (&recipe, item, "part", 0, p);
    self->parts[p]
        = odl_kernel_of_item (&recipe, item, odl_session_operands (self->session));
  }
  if (self->parts[0].width == 0)
    self->n_parts = 0;
}

static char *
size_text (const OdlKernel *kernel)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_string_printf (text, "%d × %d", kernel->width, kernel->height);
  if (kernel->depth > 1 || kernel->duration > 1)
    g_string_append_printf (text, " × %d", kernel->depth);
  if (kernel->duration > 1)
    g_string_append_printf (text, " × %d", kernel->duration);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

// Size, sum, and what the colours and lines mean.
static char *
caption_of (const Kernel *self)
{
  const OdlKernel *kernel = &self->parts[self->n_parts > 1 ? self->used : 0];
  const size_t n = (size_t) kernel->width * kernel->height * kernel->depth
                   * MAX (kernel->duration, 1);
  double sum = 0, size = 0;
  for (size_t i = 0; i < n; i++) {
    sum += kernel->value[i];
    size += fabs (kernel->value[i]);
  }
  // What single precision leaves of 0.
  g_autofree char *number = odl_measure_number (fabs (sum) < 1e-6 * size ? 0 : sum);
  g_autofree char *sides = size_text (kernel);
  g_autofree char *facts
      = kernel->depth > 1 || kernel->duration > 1
            // Translators: the size of a kernel, and the sum of its numbers.
            ? g_strdup_printf (_ ("Middle slice of %s, sum %s"), sides, number)
            : g_strdup_printf (_ ("%s, sum %s"), sides, number);
  return g_strdup_printf (
      "%s. %s", facts,
      self->n_parts > 1
          ? _ ("Blue is above 0, orange below. The curves are both parts along the "
               "direction, the imaginary one dashed.")
      : has_numbers (self) ? _ ("Blue is above 0, orange below.")
                           : _ ("Blue is above 0, orange below. The curve goes through "
                                "the centre."));
}

// The numbers, row by row, for who cannot see them.
static char *
words_of (const Kernel *self, const char *caption)
{
  const OdlKernel *kernel = &self->parts[0];
  g_autoptr (GString) words = g_string_new (caption);
  for (int y = 0; has_numbers (self) && y < kernel->height; y++)
    for (int x = 0; x < kernel->width; x++) {
      g_autofree char *number
          = odl_measure_number (value_at (kernel, x, y, kernel->depth / 2));
      g_string_append_printf (words, "%s%s", x > 0 ? " " : "\n", number);
    }
  return g_string_free (g_steal_pointer (&words), FALSE);
}

static void
show (Kernel *self)
{
  make_parts (self);
  gtk_widget_set_visible (self->row, self->n_parts > 0);
  if (self->n_parts == 0)
    return;
  const bool numbers = has_numbers (self);
  g_autofree char *caption = caption_of (self);
  g_autofree char *words = words_of (self, caption);
  gtk_label_set_text (GTK_LABEL (self->caption), caption);
  gtk_widget_set_size_request (self->picture, -1,
                               numbers ? CELL_HEIGHT * self->parts[0].height
                                       : PICTURE + (self->n_parts > 1 ? LABEL : 0));
  gtk_widget_set_visible (self->plot, !numbers);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->picture),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  gtk_widget_queue_draw (self->picture);
  gtk_widget_queue_draw (self->plot);
}

static gboolean
show_cb (void *data)
{
  Kernel *self = data;
  self->timeout = 0;
  show (self);
  return G_SOURCE_REMOVE;
}

static void
recipe_cb (GtkWidget *row)
{
  Kernel *self = g_object_get_data (G_OBJECT (row), SHOWN);
  g_clear_handle_id (&self->timeout, g_source_remove);
  self->timeout = g_timeout_add (DELAY_MS, show_cb, self);
}

// Filters of the command line are in force before their files were read.
static void
frame_cb (GtkWidget *row)
{
  const Kernel *self = g_object_get_data (G_OBJECT (row), SHOWN);
  if (self->n_parts == 0 && !self->timeout)
    recipe_cb (row);
}

static void
kernel_free (void *data)
{
  Kernel *self = data;
  g_clear_handle_id (&self->timeout, g_source_remove);
  clear_parts (self);
  g_object_unref (self->session);
  g_free (self);
}

static GtkWidget *
add_area (GtkBox *box, GtkDrawingAreaDrawFunc draw, Kernel *self)
{
  GtkWidget *area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role",
                                  GTK_ACCESSIBLE_ROLE_IMG, "content-height", PLOT, NULL);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw, self, NULL);
  gtk_box_append (box, area);
  return area;
}

GtkWidget *
odl_kernel_row_new (OdlSession *session, int item)
{
  Kernel *self = g_new0 (Kernel, 1);
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->session = g_object_ref (session);
  self->item = item;
  self->row = row;
  self->picture = add_area (GTK_BOX (box), draw_picture_cb, self);
  self->plot = add_area (GTK_BOX (box), draw_plot_cb, self);
  self->caption = odl_measure_caption ("");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->plot),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("The kernel along a line through its centre"), -1);
  gtk_widget_add_css_class (box, "parameter");
  gtk_box_append (GTK_BOX (box), self->caption);
  odl_control_hold (row);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (row), SHOWN, self, kernel_free);
  g_signal_connect_object (session, "notify::recipe", G_CALLBACK (recipe_cb), row,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "frame-ready", G_CALLBACK (frame_cb), row,
                           G_CONNECT_SWAPPED);
  show (self);
  return row;
}
