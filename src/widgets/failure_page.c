// SPDX-License-Identifier: MIT
#include "widgets/failure_page.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "widgets/advice.h"

struct _OdlFailurePage {
  GtkWidget parent_instance;
  GtkImage *icon;
  GtkWidget *what;
  GtkLabel *title;
  GtkLabel *reason;
  GtkLabel *words; // hidden without any
  GtkListBox *arrays; // hidden without any
  GtkBox *help;
  GtkButton *leave;
  GtkWidget *retry;
};

G_DEFINE_FINAL_TYPE (OdlFailurePage, odl_failure_page, GTK_TYPE_WIDGET)

#define ANY -1

// One row for each error; the last row of each kind is for all other errors. The error's
// message is shown between title and help. The title for files is their name.
static const struct {
  OdlFailureKind kind; // a camera's rows serve for a lost one, too
  int code;
  const char *icon;
  const char *title;
  const char *help;
} states[] = {
  { ODL_FAILURE_FILE, ODL_ERROR_CORRUPT, "dialog-warning-symbolic", NULL,
    N_ ("• Copy the file again from where it came from.\n"
        "• If every copy is like this, have the file made anew.") },
  { ODL_FAILURE_FILE, ODL_ERROR_UNSUPPORTED, "dialog-warning-symbolic", NULL,
    N_ ("• If it holds a picture, save it in another form with the program that made it: "
        "uncompressed DICOM, PNG or TIFF, for instance.") },
  { ODL_FAILURE_FILE, ODL_ERROR_TOO_LARGE, "dialog-warning-symbolic", NULL,
    N_ ("• Close other programs, or use a computer with more memory.\n"
        "• Save a smaller part with the program that made it.") },
  { ODL_FAILURE_FILE, ODL_ERROR_IO, "dialog-warning-symbolic", NULL,
    N_ ("• Is the file still there, and may you read it?\n"
        "• Is its drive or network folder connected?") },
  { ODL_FAILURE_FILE, ODL_ERROR_INSTALLATION, "dialog-warning-symbolic", NULL,
    N_ ("• Nothing is wrong with the file: a part of Ondelette is missing or does not "
        "start.\n"
        "• Install Ondelette again, then try again.") },
  { ODL_FAILURE_FILE, ANY, "dialog-warning-symbolic", NULL,
    N_ ("• Try again, or open another file.") },
  // The reason says what to do.
  { ODL_FAILURE_NO_PICTURE, ANY, "document-properties-symbolic", NULL, NULL },
  { ODL_FAILURE_LOST, ODL_ERROR_NO_DEVICE, "camera-disabled-symbolic",
    N_ ("Camera Unplugged"),
    N_ ("• Is the plug in at both ends, and the camera switched on?\n"
        "• Some computers turn the camera off with a key or a shutter.\n"
        "• The picture comes back by itself when the camera is back.") },
  { ODL_FAILURE_CAMERA, ODL_ERROR_NO_DEVICE, "camera-disabled-symbolic",
    N_ ("Camera Not Found"),
    N_ ("• Is it plugged in and switched on?\n"
        "• Some computers turn the camera off with a key or a shutter.") },
  { ODL_FAILURE_CAMERA, ODL_ERROR_DENIED, "camera-hardware-disabled-symbolic",
    N_ ("Camera Not Allowed"),
    N_ ("• Allow the camera when the desktop asks.\n"
        "• Or allow it in the system's settings: Privacy, Camera.\n"
        "• Without such a page, the account must belong to the group “video”.") },
  { ODL_FAILURE_CAMERA, ODL_ERROR_BUSY, "camera-web-symbolic", N_ ("Camera in Use"),
    N_ ("• Close video calls, browsers and recorders that show the camera.\n"
        "• Programs that use it through PipeWire can share it.") },
  { ODL_FAILURE_CAMERA, ODL_ERROR_NO_SIGNAL, "camera-web-symbolic", N_ ("Signal Lost"),
    N_ ("• Is the plug in at both ends, and the lens cover open?\n"
        "• The picture comes back by itself when the camera sends again.") },
  { ODL_FAILURE_CAMERA, ODL_ERROR_UNSUPPORTED, "camera-disabled-symbolic",
    N_ ("Camera Support Missing"),
    N_ ("• Install or start what is named above, then try again.\n"
        "• A plugin that was installed just now is found when Ondelette starts anew.") },
  { ODL_FAILURE_CAMERA, ANY, "camera-web-symbolic", N_ ("Camera Failed"),
    N_ ("• Unplug the camera and plug it in again.\n"
        "• “ondelette-cli list cameras” tells which cameras the system knows.") },
};

static bool
is_state (size_t i, OdlFailureKind kind, const GError *error)
{
  const bool camera = states[i].kind == ODL_FAILURE_CAMERA && kind == ODL_FAILURE_LOST;
  return (states[i].kind == kind || camera)
         && (states[i].code == ANY || g_error_matches (error, ODL_ERROR, states[i].code));
}

static bool
is_of_file (OdlFailureKind kind)
{
  return kind == ODL_FAILURE_FILE || kind == ODL_FAILURE_NO_PICTURE;
}

static char *
help_for (size_t i)
{
  const char *own = states[i].help ? _ (states[i].help) : NULL;
  const char *keys = is_of_file (states[i].kind)
                         ? _ ("• ← and → go on to the other files of the folder.")
                         : NULL;
  return g_strconcat (own ? own : "", own && keys ? "\n" : "", keys, NULL);
}

// The way to leave the page, and the suggested button.
static void
show_buttons (OdlFailurePage *self, bool file, bool back)
{
  const bool opens = file && !back;
  GtkWidget *leave = GTK_WIDGET (self->leave);
  gtk_button_set_label (self->leave, opens  ? _ ("_Open…")
                                     : back ? _ ("_Back to the Picture")
                                            : _ ("_Close"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (leave),
                                  opens ? "win.open" : "win.close-page");
  gtk_widget_set_tooltip_text (leave, back ? _ ("Back to the picture (Esc)") : NULL);
  gtk_widget_remove_css_class (file ? self->retry : leave, "suggested-action");
  gtk_widget_add_css_class (file ? leave : self->retry, "suggested-action");
}

void
odl_failure_page_show (OdlFailurePage *self,
                       OdlFailureKind kind,
                       const char *name,
                       const GError *error,
                       bool back)
{
  const bool file = is_of_file (kind), sound = kind == ODL_FAILURE_NO_PICTURE;
  size_t i = 0;
  while (i + 1 < G_N_ELEMENTS (states) && !is_state (i, kind, error))
    i++;
  g_autofree char *reason = odl_advice_markup (error->message);
  g_autofree char *help = help_for (i);
  gtk_image_set_from_icon_name (self->icon, states[i].icon);
  gtk_widget_set_visible (self->what, file && !sound);
  gtk_widget_set_visible (self->retry, !sound);
  gtk_label_set_text (self->title, file ? name : _ (states[i].title));
  gtk_label_set_markup (self->reason, reason);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  gtk_label_get_text (self->title),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  gtk_label_get_text (self->reason), -1);
  odl_advice_fill (self->help, help);
  show_buttons (self, file, back);
  static const char *const classes[] = { [ODL_FAILURE_FILE] = "broken",
                                         [ODL_FAILURE_NO_PICTURE] = "no-picture",
                                         [ODL_FAILURE_CAMERA] = "no-camera",
                                         [ODL_FAILURE_LOST] = "lost-camera" };
  const char *css[] = { classes[kind], NULL };
  gtk_widget_set_css_classes (GTK_WIDGET (self), css);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
}

void
odl_failure_page_set_words (OdlFailurePage *self, const char *words)
{
  gtk_label_set_text (self->words, words ? words : "");
  gtk_widget_set_visible (GTK_WIDGET (self->words), words && *words);
}

void
odl_failure_page_set_arrays (OdlFailurePage *self, const char *const *arrays)
{
  GtkWidget *row;
  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->arrays))))
    gtk_list_box_remove (self->arrays, row);
  for (size_t i = 0; arrays && arrays[i]; i += 2) {
    row = adw_action_row_new ();
    adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), arrays[i]);
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), arrays[i + 1]);
    gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
    gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", arrays[i]);
    gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open-array");
    gtk_list_box_append (self->arrays, row);
  }
  if (arrays)
    gtk_label_set_text (self->reason,
                        _ ("It does not say which of its arrays is a picture. Choose "
                           "one:"));
  gtk_widget_set_visible (GTK_WIDGET (self->arrays), arrays != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->help), arrays == NULL);
}

const char *
odl_failure_page_title (OdlFailurePage *self)
{
  return gtk_label_get_text (self->title);
}

static gboolean
odl_failure_page_grab_focus (GtkWidget *widget)
{
  OdlFailurePage *self = ODL_FAILURE_PAGE (widget);
  const bool again = gtk_widget_has_css_class (self->retry, "suggested-action");
  return gtk_widget_grab_focus (again ? self->retry : GTK_WIDGET (self->leave));
}

static void
odl_failure_page_dispose (GObject *object)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));
  g_clear_pointer (&child, gtk_widget_unparent);
  G_OBJECT_CLASS (odl_failure_page_parent_class)->dispose (object);
}

static void
odl_failure_page_class_init (OdlFailurePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = odl_failure_page_dispose;
  widget_class->grab_focus = odl_failure_page_grab_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/org/ondelette/Ondelette/ui/failure_page.ui");
#define BIND(name) \
  gtk_widget_class_bind_template_child (widget_class, OdlFailurePage, name)
  BIND (icon);
  BIND (what);
  BIND (title);
  BIND (reason);
  BIND (words);
  BIND (arrays);
  BIND (help);
  BIND (leave);
  BIND (retry);
#undef BIND
}

static void
odl_failure_page_init (OdlFailurePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
