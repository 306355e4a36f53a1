// SPDX-License-Identifier: MIT
#include "session/session_private.h"
#include "source/helper/sandbox.h"
#include "source/source_files.h"

// How long the program waits at its end for cancelled decoders.
#define QUIT_WAIT_US (2 * G_USEC_PER_SEC)

enum {
  PROP_0,
  PROP_SOURCE, // location of the source in place
  PROP_RECIPE, // its text form
  PROP_ENGINE,
  PROP_PLAYING,
  PROP_OPENING,
  N_PROPERTIES
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (OdlSession, odl_session, G_TYPE_OBJECT)

bool
odl_session_reads (OdlSession *self, const char *path)
{
  g_autoptr (GHashTable) files = odl_source_files_new ();
  if (self->source)
    odl_source_files_add (files, self->source->info.location);
  const OdlRecipe *recipe = odl_session_recipe (self);
  for (int i = 0; i < recipe->n_items; i++)
    if (recipe->items[i].file)
      odl_source_files_add (files, recipe->items[i].file);
  return odl_source_files_have (files, path);
}

void
odl_session_set_canvas (OdlSession *self,
                        OdlGlLevel level,
                        int max_side,
                        bool want_original)
{
  if (self->gl_level == level && self->gl_max_side == max_side
      && self->want_original == want_original)
    return;
  self->gl_level = level;
  self->gl_max_side = max_side;
  self->want_original = want_original;
  odl_session_mark (self, ODL_MARK_PICTURE);
}

void
odl_session_set_pool (OdlSession *self, OdlImagePool *pool)
{
  OdlImagePool *before = self->pool;
  self->pool = pool ? odl_image_pool_ref (pool) : NULL;
  // Set again with the next frame, if GL computes it.
  if (self->source)
    odl_source_set_pool (self->source, NULL);
  odl_image_pool_unref (before);
}

static void
odl_session_dispose (GObject *object)
{
  OdlSession *self = ODL_SESSION (object);
  g_source_destroy (self->settler);
  odl_session_cancel_open (self);
  odl_session_stop_reading (self);
  odl_session_stop_volume (self);
  odl_session_stop_lead_in (self);
  odl_session_forget_keys (self);
  g_clear_pointer (&self->cine, odl_cine_search_free);
  odl_playback_stop (self->playback, true);
  if (self->next_source)
    g_source_destroy (self->next_source);
  g_clear_pointer (&self->next_source, g_source_unref);
  odl_session_stop_awaiting (self);
  if (self->turn_source)
    g_source_destroy (self->turn_source);
  g_clear_pointer (&self->turn_source, g_source_unref);
  odl_session_stop_measuring (self);
  g_clear_pointer (&self->renderer, odl_renderer_free);
  if (self->gate && !odl_gate_wait (self->gate, QUIT_WAIT_US))
    g_debug ("a decoder did not stop in time");
  G_OBJECT_CLASS (odl_session_parent_class)->dispose (object);
}

static void
odl_session_finalize (GObject *object)
{
  OdlSession *self = ODL_SESSION (object);
  g_source_unref (self->settler);
  g_clear_pointer (&self->gate, odl_gate_unref);
  g_clear_pointer (&self->source, odl_source_unref);
  g_clear_pointer (&self->image, odl_image_unref);
  g_clear_pointer (&self->frame, odl_frame_unref);
  g_clear_pointer (&self->next, odl_frame_unref);
  g_clear_pointer (&self->painted, odl_frame_unref);
  g_clear_pointer (&self->other_plan, odl_plan_unref);
  g_clear_pointer (&self->other_plan_of, odl_plan_unref);
  g_clear_pointer (&self->plan, odl_plan_unref);
  g_clear_pointer (&self->observed_plan, odl_plan_unref);
  g_clear_pointer (&self->observed, g_free);
  g_clear_pointer (&self->pool, odl_image_pool_unref);
  odl_engine_selector_free (self->engines);
  odl_volume_reader_free (self->volume_reader);
  odl_operand_reader_free (self->operand_reader);
  odl_own_trial_free (self->own_trial);
  odl_playback_free (self->playback);
  g_clear_pointer (&self->places, odl_slice_places_free);
  g_free (self->lead_in);
  odl_about_free (self->about);
  odl_lag_free (self->lag);
  g_free (self->opening);
  g_clear_error (&self->trouble);
  odl_history_clear (&self->history);
  g_clear_pointer (&self->annotated, g_hash_table_unref);
  g_clear_pointer (&self->held, odl_annotations_unref);
  g_free (self->identity);
  G_OBJECT_CLASS (odl_session_parent_class)->finalize (object);
}

static void
odl_session_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  OdlSession *self = ODL_SESSION (object);
  switch (id) {
  case PROP_SOURCE:
    g_value_set_string (value, odl_session_info (self)->location);
    break;
  case PROP_RECIPE:
    g_value_take_string (value, odl_recipe_to_text (odl_session_recipe (self), " "));
    break;
  case PROP_ENGINE:
    g_value_set_string (value, odl_session_engine (self));
    break;
  case PROP_PLAYING:
    g_value_set_boolean (value, self->playing);
    break;
  case PROP_OPENING:
    g_value_set_string (value, odl_session_opening (self));
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
odl_session_class_init (OdlSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  object_class->dispose = odl_session_dispose;
  object_class->finalize = odl_session_finalize;
  object_class->get_property = odl_session_get_property;
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  properties[PROP_SOURCE] = g_param_spec_string ("source", NULL, NULL, NULL, flags);
  properties[PROP_RECIPE] = g_param_spec_string ("recipe", NULL, NULL, NULL, flags);
  properties[PROP_ENGINE] = g_param_spec_string ("engine", NULL, NULL, NULL, flags);
  properties[PROP_PLAYING] = g_param_spec_boolean ("playing", NULL, NULL, FALSE, flags);
  properties[PROP_OPENING] = g_param_spec_string ("opening", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  const GType type = G_TYPE_FROM_CLASS (klass);
  static const char *const plain[]
      = { "frame-ready",    "opened",   "trouble-changed", "planes-changed",
          "choice-changed", "observed", "work-begun",      "annotations-changed" };
  for (size_t i = 0; i < G_N_ELEMENTS (plain); i++)
    g_signal_new (plain[i], type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new ("open-failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                2, G_TYPE_STRING, G_TYPE_ERROR);
  g_signal_new ("message", type, G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED, 0, NULL, NULL,
                NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  g_signal_new ("frame-failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                1, G_TYPE_ERROR);
}

static void
seeks_cb (void *data)
{
  odl_session_stop_lead_in (data);
}

static void
pauses_cb (void *data)
{
  odl_session_set_playing (data, false);
}

// A source that is ready when something was marked (odl_session_mark).
static gboolean
settler_dispatch (GSource *settler, GSourceFunc settle, void *data)
{
  g_source_set_ready_time (settler, -1);
  return settle (data);
}

static gboolean
settle_cb (void *data)
{
  g_autoptr (OdlSession) self = g_object_ref (data);
  odl_session_settle (self);
  return G_SOURCE_CONTINUE;
}

static GSource *
settler_new (OdlSession *self)
{
  static GSourceFuncs funcs = { NULL, NULL, settler_dispatch, NULL, NULL, NULL };
  GSource *settler = g_source_new (&funcs, sizeof *settler);
  g_source_set_callback (settler, settle_cb, self, NULL);
  g_source_attach (settler, g_main_context_get_thread_default ());
  return settler;
}

static void
odl_session_init (OdlSession *self)
{
  static const OdlPlaybackClass playback_class = { seeks_cb, pauses_cb };
  OdlRecipe identity;
  odl_recipe_init (&identity);
  odl_history_init (&self->history, &identity, NULL);
  self->engines = odl_engine_selector_new (self);
  self->volume_reader = odl_volume_reader_new ();
  self->operand_reader = odl_operand_reader_new ();
  self->own_trial = odl_own_trial_new ();
  self->playback = odl_playback_new (&playback_class, self);
  self->lead_in = odl_lead_in_new ();
  self->about = odl_about_new ();
  self->lag = odl_lag_new ();
  self->cine = odl_cine_search_new ();
  self->opening = odl_opening_new ();
  self->gate = odl_gate_new ();
  self->settler = settler_new (self);
  self->renderer = odl_renderer_new (odl_session_rendered, self);
}

OdlSession *
odl_session_new (void)
{
  return g_object_new (ODL_TYPE_SESSION, NULL);
}

void
odl_session_set_sandbox_optional (bool optional)
{
  odl_sandbox_set_optional (optional);
}
