// SPDX-License-Identifier: MIT
#include "widgets/file_page.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "config.h"
#include "widgets/advice.h"

struct _OdlFilePage {
  GtkWidget parent_instance;
  GtkLabel *name;
  GtkLabel *reason;
  GtkBox *help;
  GtkWidget *back;
  GtkWidget *open;
};

G_DEFINE_FINAL_TYPE (OdlFilePage, odl_file_page, GTK_TYPE_WIDGET)

// What helps; the last row is for all other errors.
static const struct {
  int code;
  const char *help;
} helps[] = {
  { ODL_ERROR_CORRUPT, N_ ("• Copy the file again from where it came from.\n"
                           "• If every copy is like this, have the file made anew.") },
  { ODL_ERROR_UNSUPPORTED,
    N_ ("• If it holds a picture, save it in another form with the program that made it: "
        "uncompressed DICOM, PNG or TIFF, for instance.") },
  { ODL_ERROR_TOO_LARGE,
    N_ ("• Close other programs, or use a computer with more memory.\n"
        "• Save a smaller part with the program that made it.") },
  { ODL_ERROR_IO, N_ ("• Is the file still there, and may you read it?\n"
                      "• Is its drive or network folder connected?") },
  { -1, N_ ("• Try again, or open another file.") },
};

void
odl_file_page_show (OdlFilePage *self, const char *name, const GError *error, bool back)
{
  size_t i = 0;
  while (i + 1 < G_N_ELEMENTS (helps)
         && !g_error_matches (error, ODL_ERROR, helps[i].code))
    i++;
  g_autofree char *reason = odl_advice_markup (error->message);
  g_autofree char *help
      = g_strdup_printf ("%s\n%s", _ (helps[i].help),
                         _ ("• ← and → go on to the other files of the folder."));
  gtk_label_set_text (self->name, name);
  gtk_label_set_markup (self->reason, reason);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  gtk_label_get_text (self->reason), -1);
  odl_advice_fill (self->help, help);
  gtk_widget_set_visible (self->back, back);
  gtk_widget_set_visible (self->open, !back);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
}

static gboolean
odl_file_page_grab_focus (GtkWidget *widget)
{
  OdlFilePage *self = ODL_FILE_PAGE (widget);
  return gtk_widget_grab_focus (gtk_widget_get_visible (self->back) ? self->back
                                                                    : self->open);
}

static void
odl_file_page_dispose (GObject *object)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));
  g_clear_pointer (&child, gtk_widget_unparent);
  G_OBJECT_CLASS (odl_file_page_parent_class)->dispose (object);
}

static void
odl_file_page_class_init (OdlFilePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = odl_file_page_dispose;
  widget_class->grab_focus = odl_file_page_grab_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/org/ondelette/Ondelette/ui/file_page.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, OdlFilePage, name)
  BIND (name);
  BIND (reason);
  BIND (help);
  BIND (back);
  BIND (open);
#undef BIND
}

static void
odl_file_page_init (OdlFilePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
