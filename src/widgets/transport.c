// SPDX-License-Identifier: MIT
#include "widgets/transport.h"

#include <glib/gi18n-lib.h>

#include "config.h"
#include "widgets/diagnostics.h"

struct _OdlTransport {
  GtkWidget parent_instance;
  GtkWidget *root;
  GtkButton *play;
  GtkLabel *frame;
  GtkLabel *rate;
};

G_DEFINE_FINAL_TYPE (OdlTransport, odl_transport, GTK_TYPE_WIDGET)

void
odl_transport_update (OdlTransport *self, OdlSession *session, double frames_per_second)
{
  bool playing = odl_session_playing (session);
  OdlFrame *frame = odl_session_frame (session);
  const char *name = playing ? _ ("Pause") : _ ("Play");
  gtk_button_set_icon_name (self->play, playing ? "media-playback-pause-symbolic"
                                                : "media-playback-start-symbolic");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->play),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_autofree char *tip = g_strdup_printf (_ ("%s (Space)"), name);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->play), tip);
  if (!frame)
    return;
  g_autofree char *counter = odl_diagnostics_frame (
      frame->index, odl_session_n_frames (session), odl_session_is_live (session));
  gtk_label_set_text (self->frame, counter);
  g_autofree char *rate = playing && frames_per_second > 0
                              ? g_strdup_printf (_ ("%.0f fps"), frames_per_second)
                              : g_strdup ("");
  gtk_label_set_text (self->rate, rate);
}

static void
odl_transport_dispose (GObject *object)
{
  g_clear_pointer (&ODL_TRANSPORT (object)->root, gtk_widget_unparent);
  G_OBJECT_CLASS (odl_transport_parent_class)->dispose (object);
}

static void
odl_transport_class_init (OdlTransportClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = odl_transport_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/org/ondelette/Ondelette/ui/transport.ui");
  gtk_widget_class_bind_template_child (widget_class, OdlTransport, root);
  gtk_widget_class_bind_template_child (widget_class, OdlTransport, play);
  gtk_widget_class_bind_template_child (widget_class, OdlTransport, frame);
  gtk_widget_class_bind_template_child (widget_class, OdlTransport, rate);
}

static void
odl_transport_init (OdlTransport *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
