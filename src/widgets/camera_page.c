// SPDX-License-Identifier: MIT
#include "widgets/camera_page.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/text.h"
#include "config.h"
#include "widgets/advice.h"

struct _OdlCameraPage {
  GtkWidget parent_instance;
  AdwStatusPage *status;
  GtkBox *help;
  GtkWidget *retry;
};

G_DEFINE_FINAL_TYPE (OdlCameraPage, odl_camera_page, GTK_TYPE_WIDGET)

// One row for each state; the last one for all other errors. The sentence of the error
// stands between title and help.
static const struct {
  int code;
  bool lost; // one that ran; false: any
  const char *icon;
  const char *title;
  const char *help;
} states[] = {
  { ODL_ERROR_NO_DEVICE, true, "camera-disabled-symbolic", N_ ("Camera Unplugged"),
    N_ ("• Is the plug in at both ends, and the camera switched on?\n"
        "• Some computers turn the camera off with a key or a shutter.\n"
        "• The picture comes back by itself when the camera is back.") },
  { ODL_ERROR_NO_DEVICE, false, "camera-disabled-symbolic", N_ ("Camera Not Found"),
    N_ ("• Is it plugged in and switched on?\n"
        "• Some computers turn the camera off with a key or a shutter.") },
  { ODL_ERROR_DENIED, false, "camera-hardware-disabled-symbolic",
    N_ ("Camera Not Allowed"),
    N_ ("• Allow the camera when the desktop asks.\n"
        "• Or allow it in the system's settings: Privacy, Camera.\n"
        "• Without such a page, the account must belong to the group “video”.") },
  { ODL_ERROR_BUSY, false, "camera-web-symbolic", N_ ("Camera in Use"),
    N_ ("• Close video calls, browsers and recorders that show the camera.\n"
        "• Programs that use it through PipeWire can share it.") },
  { ODL_ERROR_NO_SIGNAL, false, "camera-web-symbolic", N_ ("Signal Lost"),
    N_ ("• Is the plug in at both ends, and the lens cover open?\n"
        "• The picture comes back by itself when the camera sends again.") },
  { ODL_ERROR_UNSUPPORTED, false, "camera-disabled-symbolic",
    N_ ("Camera Support Missing"),
    N_ ("• Install or start what is named above, then try again.\n"
        "• A plugin that was installed just now is found when Ondelette starts anew.") },
  { -1, false, "camera-web-symbolic", N_ ("Camera Failed"),
    N_ ("• Unplug the camera and plug it in again.\n"
        "• “ondelette-cli list cameras” tells which cameras the system knows.") },
};

void
odl_camera_page_show (OdlCameraPage *self, const GError *error, bool lost)
{
  size_t i = 0;
  while (i + 1 < G_N_ELEMENTS (states)
         && (!g_error_matches (error, ODL_ERROR, states[i].code)
             || (states[i].lost && !lost)))
    i++;
  g_autofree char *sentence = odl_advice_markup (error->message);
  adw_status_page_set_icon_name (self->status, states[i].icon);
  adw_status_page_set_title (self->status, _ (states[i].title));
  adw_status_page_set_description (self->status, sentence);
  odl_advice_fill (self->help, _ (states[i].help));
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
}

const char *
odl_camera_page_title (OdlCameraPage *self)
{
  return adw_status_page_get_title (self->status);
}

static gboolean
odl_camera_page_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (ODL_CAMERA_PAGE (widget)->retry);
}

static void
odl_camera_page_dispose (GObject *object)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));
  g_clear_pointer (&child, gtk_widget_unparent);
  G_OBJECT_CLASS (odl_camera_page_parent_class)->dispose (object);
}

static void
odl_camera_page_class_init (OdlCameraPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = odl_camera_page_dispose;
  widget_class->grab_focus = odl_camera_page_grab_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/org/ondelette/Ondelette/ui/camera_page.ui");
  gtk_widget_class_bind_template_child (widget_class, OdlCameraPage, status);
  gtk_widget_class_bind_template_child (widget_class, OdlCameraPage, help);
  gtk_widget_class_bind_template_child (widget_class, OdlCameraPage, retry);
}

static void
odl_camera_page_init (OdlCameraPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
