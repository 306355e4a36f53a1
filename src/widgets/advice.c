// SPDX-License-Identifier: MIT
#include "widgets/advice.h"

#include <string.h>

#define BULLET "•"

// A line of advice with a hanging indent.
static void
add_line (GtkBox *box, const char *text)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *bullet = gtk_label_new (BULLET);
  GtkWidget *label = gtk_label_new (text);
  gtk_widget_set_valign (bullet, GTK_ALIGN_START);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  // The height for the allocated width, not for the natural width.
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (row), bullet);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (box, row);
}

void
odl_advice_fill (GtkBox *box, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GtkWidget *row;
  while ((row = gtk_widget_get_first_child (GTK_WIDGET (box))))
    gtk_box_remove (box, row);
  for (size_t i = 0; lines[i]; i++) {
    const bool marked = g_str_has_prefix (lines[i], BULLET " ");
    add_line (box, lines[i] + (marked ? strlen (BULLET " ") : 0));
  }
}

char *
odl_advice_markup (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  return g_markup_printf_escaped ("<span insert_hyphens=\"false\">%s</span>", valid);
}
