// SPDX-License-Identifier: MIT
// How far the filters of a picture or volume are, where that takes time, and giving them
// up. A picture is shown as it came meanwhile, which is said.
#include <glib/gi18n-lib.h>

#include "session/computing.h"
#include "widgets/diagnostics.h"
#include "widgets/window/parts.h"

#define SHOW_MS 200
// Work that is done sooner is not worth a word.
#define LEAST_MS 300

typedef struct {
  const OdlWindowParts *parts;
  GtkWidget *box;
  GtkLabel *label;
  GtkProgressBar *bar;
  guint show_id; // looks how far it is; 0: nothing is at work
} Work;

static void
show (Work *self, const OdlVolumeWork *work)
{
  const bool shown = work && work->elapsed_ms >= LEAST_MS;
  gtk_widget_set_visible (self->box, shown);
  odl_window_enable (self->parts, "cancel-volume", shown);
  if (!shown)
    return;
  OdlSession *session = self->parts->session;
  const OdlFrame *frame = odl_session_frame (session);
  const bool original = odl_session_is_computing (session) && frame && !frame->planes
                        && odl_recipe_is_identity (&frame->recipe);
  // Translators: shown is a picture without filters. “%d” is a share in percent.
  g_autofree char *text
      = original ? g_strdup_printf (_ ("Original · computing the filters: %d %%"),
                                    (int) (100 * work->done))
                 : odl_diagnostics_filtering (work->done);
  gtk_label_set_text (self->label, text);
  gtk_progress_bar_set_fraction (self->bar, CLAMP (work->done, 0, 1));
}

static gboolean
show_cb (void *data)
{
  Work *self = data;
  OdlVolumeWork work;
  const bool busy = odl_session_volume_work (self->parts->session, &work);
  show (self, busy ? &work : NULL);
  if (!busy)
    self->show_id = 0;
  return busy ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
begun_cb (Work *self)
{
  if (!self->show_id)
    self->show_id = g_timeout_add (SHOW_MS, show_cb, self);
}

static void
unmap_cb (Work *self)
{
  g_clear_handle_id (&self->show_id, g_source_remove);
}

// Work may begin between the unmapping and the end of the window.
static void
work_free (void *data)
{
  unmap_cb (data);
  g_free (data);
}

static void
cancel_cb (void *data, GVariant *parameter)
{
  const Work *self = data;
  odl_session_give_up_volume (self->parts->session);
}

void
odl_window_add_volume_work (const OdlWindowParts *parts)
{
  static const OdlWindowAction cancel = { "cancel-volume", G_CALLBACK (cancel_cb) };
  Work *self = g_new (Work, 1);
  *self = (Work){ .parts = parts,
                  .box = odl_window_child (parts, "filtering"),
                  .label = odl_window_child (parts, "filtering_label"),
                  .bar = odl_window_child (parts, "filtering_bar") };
  odl_window_add_actions (parts, &cancel, 1, self);
  odl_window_enable (parts, "cancel-volume", false);
  odl_window_own (parts, "odl-volume-work", self, work_free);
  odl_window_connect (parts, parts->session, "work-begun", G_CALLBACK (begun_cb), self);
  odl_window_connect (parts, parts->window, "pane-changed", G_CALLBACK (begun_cb), self);
  odl_window_connect (parts, parts->window, "unmap", G_CALLBACK (unmap_cb), self);
}
