// SPDX-License-Identifier: MIT
#include "widgets/panels/parameters/file_button.h"

#include <glib/gi18n-lib.h>

#include "widgets/names.h"
#include "widgets/panels/parameters/control.h"

#define OWN "odl-file-button"

typedef struct {
  OdlSession *session;
  int item;
  const OdlParameter *parameter;
  GtkWidget *box;
  GtkButton *file;
  GtkWidget *without; // takes the file away, where the filter does without one
} FileButton;

static void
free_own (void *data)
{
  FileButton *self = data;
  g_object_unref (self->session);
  g_free (self);
}

// The chain may have changed while this one waits to be replaced.
static bool
is_of (const FileButton *self, const OdlRecipe *recipe)
{
  return self->item < recipe->n_items
         && odl_filter_parameter (recipe->items[self->item].filter, self->parameter->key)
                == self->parameter;
}

// Names of files are shown as they are: no mnemonics.
void
odl_file_button_update (GtkWidget *button)
{
  const FileButton *self = g_object_get_data (G_OBJECT (button), OWN);
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  const char *file = is_of (self, recipe) ? recipe->items[self->item].file : NULL;
  OdlNames *names = odl_names_of (self->session);
  g_autofree char *name = file ? odl_names_of_file (names, file, NULL) : NULL;
  g_autofree char *whole = file ? odl_names_in_text (names, file) : NULL;
  GtkLabel *label = GTK_LABEL (gtk_button_get_child (self->file));
  gtk_label_set_text (label, name ? name : _ ("Choose a File…"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->file), whole);
  gtk_widget_set_visible (self->without,
                          file != NULL && self->parameter->kind == ODL_PARAMETER_KERNEL);
}

static void
set_file (const FileButton *self, const char *path)
{
  OdlRecipe recipe = *odl_session_recipe (self->session);
  if (!is_of (self, &recipe))
    return;
  odl_recipe_set_file (&recipe, self->item, path);
  odl_session_set_recipe (self->session, &recipe, NULL);
}

static void
without_cb (FileButton *self)
{
  set_file (self, NULL);
}

static void
chosen_cb (GtkNativeDialog *dialog, int response, GtkWidget *box)
{
  const FileButton *self = g_object_get_data (G_OBJECT (box), OWN);
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  g_autofree char *path = file ? g_file_get_path (file) : NULL;
  if (response == GTK_RESPONSE_ACCEPT && path)
    set_file (self, path);
  else if (response == GTK_RESPONSE_ACCEPT && file)
    g_signal_emit_by_name (
        self->session, "message",
        _ ("Only files of this computer can be opened. Copy the file first."));
  g_object_unref (dialog);
}

static void
choose_cb (FileButton *self)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (
      _ (self->parameter->label), GTK_WINDOW (gtk_widget_get_root (self->box)),
      GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  const OdlRecipe *recipe = odl_session_recipe (self->session);
  const char *file = is_of (self, recipe) ? recipe->items[self->item].file : NULL;
  const char *beside = file ? file : odl_session_info (self->session)->location;
  g_autoptr (GFile) place = odl_names_folder_of (odl_names_of (self->session), beside);
  if (place)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), place, NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect_object (dialog, "response", G_CALLBACK (chosen_cb), self->box, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

GtkWidget *
odl_file_button_new (OdlSession *session,
                     int item,
                     const OdlParameter *parameter,
                     const char *name)
{
  FileButton *self = g_new0 (FileButton, 1);
  GtkWidget *shown = gtk_label_new (NULL);
  GtkWidget *button = gtk_button_new ();
  self->session = g_object_ref (session);
  self->item = item;
  self->parameter = parameter;
  self->file = GTK_BUTTON (button);
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  g_object_set_data_full (G_OBJECT (self->box), OWN, self, free_own);
  gtk_label_set_ellipsize (GTK_LABEL (shown), PANGO_ELLIPSIZE_MIDDLE);
  gtk_button_set_child (self->file, shown);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (button),
                                  GTK_ACCESSIBLE_RELATION_DESCRIBED_BY, shown, NULL, -1);
  odl_control_name (button, name);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (choose_cb), self);
  self->without = gtk_button_new_from_icon_name ("edit-clear-symbolic");
  odl_control_name (self->without, _ ("Without this file"));
  gtk_widget_set_tooltip_text (self->without, _ ("Without this file"));
  g_signal_connect_swapped (self->without, "clicked", G_CALLBACK (without_cb), self);
  gtk_widget_set_hexpand (button, TRUE);
  gtk_box_append (GTK_BOX (self->box), button);
  gtk_box_append (GTK_BOX (self->box), self->without);
  return self->box;
}
