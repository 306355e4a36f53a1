// SPDX-License-Identifier: MIT
#include "widgets/derived_view.h"

#include <glib/gi18n-lib.h>

#define MOST_ROWS 400
#define NAME_CHARS 16

// Red, green and blue of 8 bits each.
GdkTexture *
odl_derived_view_texture (const OdlImage *image)
{
  const OdlImageInfo *info = odl_image_info (image);
  const size_t width = (size_t) info->extent.x, height = (size_t) info->extent.y;
  guint8 *rgb = g_malloc (3 * width * height);

  for (size_t y = 0; y < height; y++)
    for (size_t x = 0; x < width; x++)
      for (int c = 0; c < 3; c++) {
        const OdlPlane *plane = &info->planes[info->channels < 3 ? 0 : c];
        rgb[3 * (y * width + x) + (size_t) c]
            = ((const guint8 *) plane
                   ->data)[y * plane->row_stride_bytes + x * plane->sample_stride_bytes];
      }
  g_autoptr (GBytes) bytes = g_bytes_new_take (rgb, 3 * width * height);
  return gdk_memory_texture_new ((int) width, (int) height, GDK_MEMORY_R8G8B8, bytes,
                                 3 * width);
}

void
odl_derived_view_clear (GtkGrid *list)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (list))))
    gtk_grid_remove (list, child);
}

// Never as markup.
static void
add_row (GtkGrid *list, int row, const OdlDerivedText *text, bool hidden)
{
  GtkWidget *name = gtk_label_new (text->name);
  GtkWidget *value
      = gtk_label_new (hidden && text->names_somebody ? _ ("Name hidden") : text->value);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_xalign (GTK_LABEL (value), 0);
  gtk_label_set_wrap (GTK_LABEL (value), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (value), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (name), NAME_CHARS);
  gtk_widget_set_valign (name, GTK_ALIGN_START);
  gtk_widget_set_hexpand (value, TRUE);
  gtk_widget_add_css_class (name, "dim-label");
  gtk_widget_set_tooltip_text (name, text->tag);
  if (text->names_somebody)
    gtk_widget_add_css_class (value, "heading");
  gtk_grid_attach (list, name, 0, row, 1, 1);
  gtk_grid_attach (list, value, 1, row, 1, 1);
}

void
odl_derived_view_fill (GtkGrid *list, const OdlDerivedReport *report, bool hidden)
{
  const guint n = MIN (report->texts->len, MOST_ROWS);

  odl_derived_view_clear (list);
  for (guint i = 0; i < n; i++)
    add_row (list, (int) i, g_ptr_array_index (report->texts, i), hidden);
  if (n == report->texts->len)
    return;
  g_autofree char *more = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "and %u more", "and %u more", report->texts->len - n),
      report->texts->len - n);
  gtk_grid_attach (list, gtk_label_new (more), 0, (int) n, 2, 1);
}
