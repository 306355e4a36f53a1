// SPDX-License-Identifier: MIT
#include "widgets/window/readout.h"

#include <glib/gi18n-lib.h>

#include "base/machine.h"
#include "plan/title.h"
#include "widgets/diagnostics.h"
#include "widgets/transport/rate_meter.h"
#include "widgets/viewport/legend.h"
#include "widgets/window/parts.h"

// The numbers change at most this often, so that they can be read.
#define INTERVAL_MS 250

struct _OdlReadout {
  const OdlWindowParts *parts;
  GtkLabel *line;
  GtkLabel *window_line;
  OdlTransport *transport;
  OdlRateMeter rate; // of painting; as fast as possible, of computing
  int64_t latency_us; // longest latency since the line was written
  int64_t told_latency_us; // latency shown in the line
  guint update_id;
};

static int
plan_levels (const OdlPlan *plan)
{
  int levels = 0;
  for (int i = 0; i < plan->n_steps; i++)
    levels = MAX (levels, plan->steps[i].level);
  return levels;
}

static void
describe_picture (OdlReadout *self, const char *line)
{
  OdlSession *session = self->parts->session;
  const OdlRecipe told = odl_recipe_with_files_as (
      &odl_session_frame (session)->recipe, odl_names_word (odl_names_of (session)));
  g_autofree char *done = odl_plan_title (&told, ODL_MAX_LEVELS);
  g_autofree char *name = odl_names_of_source (session);
  g_autofree char *pane
      = odl_layout_words (self->parts->layout, odl_layout_active (self->parts->layout));
  g_autofree char *text = g_strdup_printf ("%s%s. %s. %s", pane, name,
                                           done ? done : _ ("Not processed"), line);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->parts->viewport),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void
write_line (OdlReadout *self, const OdlFrame *frame)
{
  OdlSession *session = self->parts->session;
  const bool playing = odl_session_playing (session);
  g_autofree char *engine
      = odl_diagnostics_engine ((OdlEngineChoice){ frame->engine, frame->variant },
                                odl_session_engine_request (session)->choice);
  const OdlDiagnostics d = {
    .processor = odl_viewport_has_gpu (self->parts->viewport) ? NULL : odl_machine_cpu (),
    .renderer
    = frame->renderer ? frame->renderer : odl_viewport_renderer (self->parts->viewport),
    .engine = engine,
    .gpu = frame->engine->needs_gl,
    .width = frame->plan->geometry.width,
    .height = frame->plan->geometry.height,
    .levels = plan_levels (frame->plan),
    .frames_per_second = playing ? self->rate.per_second : 0,
    .fast = frame->fast,
    .dropped = odl_session_dropped (session),
    .cached_bytes
    = odl_session_info (session)->live
          ? 0
          : odl_playback_stats (odl_session_playback (session)).cached_bytes,
    .latency_us = playing ? self->told_latency_us : 0,
    .time_ns = odl_frame_is_for_canvas (frame)
                   ? odl_viewport_gpu_ns (self->parts->viewport)
                   : frame->time_ns,
  };
  g_autofree char *known = odl_diagnostics_line (&d);
  g_autofree char *line = frame->sections
                              ? g_strconcat (known, " · ", frame->sections, NULL)
                              : g_steal_pointer (&known);
  gtk_label_set_text (self->line, line);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->line), line);
  describe_picture (self, line);
}

// Grey levels and zoom; where there is a reference, the comparison with it first.
static void
write_window_line (OdlReadout *self, const OdlFrame *frame)
{
  OdlViewport *viewport = self->parts->viewport;
  const OdlReference *reference = self->parts->reference;
  double centre, width;
  odl_viewport_get_window (viewport, &centre, &width);
  const OdlImageInfo *info = odl_image_info (frame->input);
  const OdlWindow chosen = odl_viewport_window (viewport);
  g_autofree char *values = odl_diagnostics_window (centre, width, info->value_map.unit);
  g_autofree char *window
      = odl_diagnostics_levels (values, odl_display_uses_curve (info, &chosen),
                                info->value_map.function == ODL_VOI_SIGMOID);
  g_autofree char *zoom = odl_diagnostics_zoom (odl_viewport_zoom (viewport));
  // A surface has neither grey levels nor pixels; once is enough where a corner has them.
  const bool without
      = odl_viewport_shows_surface (viewport) || odl_viewport_corners_tell (viewport);
  const char *parts[]
      = { odl_reference_text (reference),
          without || odl_viewport_has_own_window (viewport) ? NULL : window,
          without ? NULL : zoom };
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i])
      g_strv_builder_add (builder, parts[i]);
  g_auto (GStrv) words = g_strv_builder_end (builder);
  g_autofree char *text = g_strjoinv (" · ", words);
  gtk_label_set_text (self->window_line, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->window_line),
                               odl_reference_details (reference));
}

void
odl_readout_update (OdlReadout *self)
{
  const OdlFrame *frame = odl_session_frame (self->parts->session);
  // That of the source before stays until the next one is computed.
  if (!frame || !odl_session_is_of_source (self->parts->session, frame))
    return;
  // The line may be written more often than frames arrive.
  if (self->latency_us > 0)
    self->told_latency_us = self->latency_us;
  self->latency_us = 0;
  write_line (self, frame);
  write_window_line (self, frame);
  odl_window_tell (self->parts, "readout", NULL);
}

static gboolean
update_cb (void *data)
{
  OdlReadout *self = data;
  self->update_id = 0;
  odl_readout_update (self);
  return G_SOURCE_REMOVE;
}

void
odl_readout_queue (OdlReadout *self)
{
  if (!self->update_id)
    self->update_id = g_timeout_add (INTERVAL_MS, update_cb, self);
}

void
odl_readout_update_transport (OdlReadout *self)
{
  odl_transport_update (self->transport, self->rate.per_second, true);
}

void
odl_readout_reset_rate (OdlReadout *self)
{
  self->rate = (OdlRateMeter){ 0 };
  odl_readout_update_transport (self);
}

void
odl_readout_take_pane (OdlReadout *self)
{
  self->latency_us = self->told_latency_us = 0;
  gtk_label_set_text (self->line, "");
  gtk_label_set_text (self->window_line, "");
  odl_transport_set_session (self->transport, self->parts->session);
  odl_readout_reset_rate (self);
  odl_readout_update (self);
}

void
odl_readout_frame (OdlReadout *self)
{
  odl_transport_update (self->transport, self->rate.per_second, false);
}

void
odl_readout_painted (OdlReadout *self)
{
  OdlSession *session = self->parts->session;
  self->latency_us
      = MAX (self->latency_us, odl_viewport_latency_us (self->parts->viewport));
  if (odl_session_trouble (session)) {
    // A lost camera has no rate, even if its last picture is painted repeatedly.
    self->rate = (OdlRateMeter){ 0 };
  } else if (odl_rate_meter_take (&self->rate, g_get_monotonic_time (),
                                  odl_session_n_painted (session))
             || odl_session_n_painted (session) == 1)
    odl_readout_update (self);
  odl_transport_update (self->transport, self->rate.per_second, false);
  odl_readout_queue (self);
}

double
odl_readout_rate (const OdlReadout *self)
{
  return self->rate.per_second;
}

// It may be asked for again between the unmapping and the end of the window.
static void
readout_free (void *data)
{
  OdlReadout *self = data;
  g_clear_handle_id (&self->update_id, g_source_remove);
  g_free (self);
}

OdlReadout *
odl_readout_new (const OdlWindowParts *parts)
{
  OdlReadout *self = g_new (OdlReadout, 1);
  *self = (OdlReadout){
    .parts = parts,
    .line = odl_window_child (parts, "line"),
    .window_line = odl_window_child (parts, "window_line"),
    .transport = odl_window_child (parts, "transport"),
  };
  odl_transport_set_session (self->transport, parts->session);
  odl_window_own (parts, "odl-readout", self, readout_free);
  return self;
}

void
odl_readout_stop (OdlReadout *self)
{
  g_clear_handle_id (&self->update_id, g_source_remove);
}
