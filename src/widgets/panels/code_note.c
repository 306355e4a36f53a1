// SPDX-License-Identifier: MIT
#include "widgets/panels/code_note.h"

#include <glib/gi18n-lib.h>

#define CODE "odl-code"

char *
odl_code_note_text (const OdlOwnCode *code)
{
  const char *fault = odl_own_fault (code);
  switch (odl_own_state (code)) {
  case ODL_OWN_WAITS:
    return g_strdup (_ ("This code waits for your yes, and is passed over until then."));
  case ODL_OWN_REFUSED:
    return g_strdup (_ ("You have not allowed this code: it is passed over."));
  case ODL_OWN_FAILED:
    // Translators: what is wrong with code, a sentence.
    return g_strdup_printf (_ ("%s\nIt is passed over."), fault);
  case ODL_OWN_ALLOWED:
    break;
  }
  if (*fault)
    // Translators: what is wrong with a newer version of code, a sentence.
    return g_strdup_printf (_ ("%s\nThe version before goes on."), fault);
  if (odl_own_loops_are_ended (code))
    return g_strdup (_ ("When it was tried, a loop was ended by its counter, after 16000 "
                        "turns for one sample: what comes after it went on."));
  return NULL;
}

static GtkWidget *
add_button (GtkWidget *line, const char *label, const char *action, const char *hash)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", hash);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_box_append (GTK_BOX (line), button);
  return button;
}

void
odl_code_note_update (GtkWidget *note)
{
  const OdlOwnCode *code = g_object_get_data (G_OBJECT (note), CODE);
  const OdlOwnState state = odl_own_state (code);
  g_autofree char *text = odl_code_note_text (code);
  GtkWidget *label = gtk_widget_get_first_child (note);
  GtkWidget *look = gtk_widget_get_next_sibling (label);
  gtk_label_set_text (GTK_LABEL (label), text ? text : "");
  gtk_widget_set_visible (note, text != NULL);
  gtk_widget_set_visible (look, state == ODL_OWN_WAITS || state == ODL_OWN_REFUSED);
  gtk_widget_set_visible (gtk_widget_get_next_sibling (look), state == ODL_OWN_FAILED);
}

GtkWidget *
odl_code_note_new (const OdlOwnCode *code)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *label = gtk_label_new (NULL);
  gtk_widget_add_css_class (label, "caption");
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_box_append (GTK_BOX (line), label);
  add_button (line, _ ("_Look at the Code…"), "win.look-at-code", code->hash);
  add_button (line, _ ("_Try Again"), "win.try-code", code->hash);
  g_object_set_data (G_OBJECT (line), CODE, (void *) code);
  odl_code_note_update (line);
  return line;
}
