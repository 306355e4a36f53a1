// SPDX-License-Identifier: MIT
#include "widgets/panels/measures/measure.h"

#include <math.h>

#include "widgets/diagnostics.h"

char *
odl_measure_number (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (buffer, sizeof buffer, "%.3g", value);
  return odl_diagnostics_number (g_ascii_strtod (buffer, NULL));
}

GtkWidget *
odl_measure_text (const char *text)
{
  GtkWidget *label = gtk_label_new (text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  return label;
}

GtkWidget *
odl_measure_caption (const char *text)
{
  GtkWidget *label = gtk_label_new (text);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "dim-label");
  return label;
}

GtkWidget *
odl_measure_band_grid (int levels, int rows)
{
  static const char *const bands[] = { "HL", "LH", "HH" };
  GtkWidget *grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (grid), 9);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  for (int b = 0; b < (int) G_N_ELEMENTS (bands); b++)
    gtk_grid_attach (GTK_GRID (grid), odl_measure_caption (bands[b]), b + 1, 0, 1, 1);
  for (int l = 0; l < levels; l++) {
    g_autofree char *number = g_strdup_printf ("%d", l + 1);
    gtk_grid_attach (GTK_GRID (grid), odl_measure_caption (number), 0, rows * l + 1, 1,
                     1);
  }
  return grid;
}

static GdkRGBA
text_colour (GtkDrawingArea *area)
{
  GdkRGBA colour;
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &colour);
  return colour;
}

void
odl_measure_use_bars (GtkDrawingArea *area, cairo_t *cr, double alpha)
{
  GdkRGBA colour = text_colour (area);
  colour.alpha *= (float) alpha;
  gdk_cairo_set_source_rgba (cr, &colour);
}

void
odl_measure_use_line (GtkDrawingArea *area, cairo_t *cr)
{
  GtkStyleContext *style = gtk_widget_get_style_context (GTK_WIDGET (area));
  GdkRGBA accent;
  if (!gtk_style_context_lookup_color (style, "accent_color", &accent))
    accent = text_colour (area);
  gdk_cairo_set_source_rgba (cr, &accent);
}

double
odl_measure_bar (double count, double most, int height)
{
  return sqrt (count / most) * height;
}
