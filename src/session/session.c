// SPDX-License-Identifier: MIT
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "config.h"
#include "engine/choice_cache.h"
#include "session/session_private.h"
#include "source/camera/format.h"
#include "source/source_files.h"

// How long a program that ends waits for decoders that were told to stop.
#define QUIT_WAIT_US (2 * G_USEC_PER_SEC)

enum {
  SIGNAL_FRAME_READY,
  SIGNAL_OPENED,
  SIGNAL_OPEN_FAILED,
  SIGNAL_MESSAGE,
  SIGNAL_FRAME_FAILED,
  SIGNAL_TROUBLE_CHANGED,
  SIGNAL_PLANES_CHANGED,
  SIGNAL_CHOICE_CHANGED,
  N_SIGNALS
};

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
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (OdlSession, odl_session, G_TYPE_OBJECT)

void
odl_session_show (OdlSession *self, OdlFrame *frame)
{
  g_clear_pointer (&self->frame, odl_frame_unref);
  self->frame = frame;
  g_signal_emit (self, signals[SIGNAL_FRAME_READY], 0);
}

void
odl_session_say (OdlSession *self, const char *text)
{
  g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, text);
}

static void
set_trouble (OdlSession *self, const GError *trouble)
{
  const bool same = !trouble && !self->trouble;
  g_clear_error (&self->trouble);
  self->trouble = trouble ? g_error_copy (trouble) : NULL;
  if (!same)
    g_signal_emit (self, signals[SIGNAL_TROUBLE_CHANGED], 0);
}

static void
played_cb (const OdlPlayed *played, void *data)
{
  OdlSession *self = data;
  const GError *error = played->error;
  if (played->lead_in) {
    odl_session_pump_lead_in (self);
    return;
  }
  if (played->image) {
    g_clear_pointer (&self->image, odl_image_unref);
    self->image = played->image;
    // A step forward is a seek to the frame that would have come anyway.
    self->continues = !played->jumped || played->index == self->index + 1;
    self->moment = (OdlMoment){ 0 };
    self->past.exact = self->lead_in.failed = false;
    self->index = played->index;
    self->arrived_us = played->arrived_us;
    self->due_us = played->due_us;
    self->arrival++;
    self->asked = self->target >= 0;
    // What a seek replaces, nobody misses.
    if (self->asked)
      self->painted_arrival = self->arrival - 1;
    if (!played->seeking)
      self->target = -1;
    odl_session_render (self);
    set_trouble (self, NULL);
    return;
  }
  self->target = -1;
  odl_session_want_lead_in (self);
  if (error && odl_session_is_capture (self)) {
    set_trouble (self, error);
    return;
  }
  const bool goes_on = error
                       && (g_error_matches (error, ODL_ERROR, ODL_ERROR_CORRUPT)
                           || g_error_matches (error, ODL_ERROR, ODL_ERROR_END));
  if (!goes_on)
    odl_session_set_playing (self, false);
  if (error)
    g_signal_emit (self, signals[SIGNAL_FRAME_FAILED], 0, error);
}

static void
reset_history (OdlSession *self, const OdlRecipe *recipe)
{
  OdlRecipe first = *recipe;
  odl_history_clear (&self->history);
  odl_history_init (&self->history, &first, odl_session_kept_annotations (self));
  odl_session_tell_annotations (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RECIPE]);
}

static void
set_opening (OdlSession *self, const char *location)
{
  g_autofree char *old = self->opening;
  self->opening = g_strdup (location);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OPENING]);
}

static void
take_source (OdlSession *self, OdlOpened *opened)
{
  odl_session_keep_annotations (self);
  odl_session_stop_lead_in (self);
  odl_session_stop_reading (self); // it was for the picture before
  if (self->player)
    odl_player_stop (g_steal_pointer (&self->player), false);
  g_clear_pointer (&self->source, odl_source_unref);
  g_clear_pointer (&self->image, odl_image_unref);
  self->source = g_steal_pointer (&opened->source);
  self->image = g_steal_pointer (&opened->image);
  const OdlSourceInfo *info = &self->source->info;
  self->moving = odl_source_is_moving (self->source);
  self->index = 0;
  self->target = -1;
  self->frame_rate
      = odl_session_states_no_rate (self) ? self->default_rate : info->frame_rate;
  self->arrived_us = self->due_us = 0;
  self->asked = false;
  self->arrival = 1;
  self->painted_arrival = self->n_painted = self->n_unseen = 0;
  self->pace = (OdlPace){ 0 };
  self->source_serial++;
  set_trouble (self, NULL);
  self->continues = false;
  self->moment = (OdlMoment){ 0 };
  self->past = (OdlSessionPast){ 0 };
  self->lead_in.failed = false;
  self->told_too_large = false;
  self->playing = false;
  g_clear_pointer (&self->next, odl_frame_unref);

  OdlRecipe recipe;
  odl_recipe_init (&recipe);
  if (self->opening_has_recipe)
    recipe = self->opening_recipe;
  else if (self->keep_recipe)
    recipe = *odl_history_current (&self->history);
  odl_session_take_volume (self);
  odl_session_settle (self, &recipe);
  reset_history (self, &recipe);

  if (!odl_session_is_moving (self))
    return;
  self->player
      = odl_player_new (self->source, self->image, self->cache_bytes, played_cb, self);
  if (odl_session_states_no_rate (self))
    odl_player_set_frame_rate (self->player, self->default_rate);
  self->speed = 1;
  self->repeat = ODL_REPEAT_LOOP;
  self->range_first = 0;
  self->range_last = G_MAXINT64;
  if (odl_session_shows_planes (self))
    odl_session_seek (self, info->n_slices / 2);
}

static void
opened_cb (GObject *object, GAsyncResult *result, void *data)
{
  GWeakRef *weak = data;
  g_autoptr (OdlSession) self = g_weak_ref_get (weak);
  g_weak_ref_clear (weak);
  g_free (weak);
  g_autoptr (GError) error = NULL;
  g_autoptr (OdlOpened) opened = odl_opener_finish (result, &error);
  GCancellable *cancellable = g_task_get_cancellable (G_TASK (result));
  // A newer call, a cancel or the end of the session has made this one void.
  if (!self || cancellable != self->cancellable)
    return;
  g_clear_object (&self->cancellable);
  g_autofree char *location = g_strdup (self->opening);
  if (!opened) {
    set_opening (self, NULL);
    g_signal_emit (self, signals[SIGNAL_OPEN_FAILED], 0, location, error);
    return;
  }
  take_source (self, opened);
  set_opening (self, NULL);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SOURCE]);
  g_signal_emit (self, signals[SIGNAL_OPENED], 0);
  odl_session_render (self);
  if (self->player && !odl_session_shows_planes (self))
    odl_session_set_playing (self, true);
}

void
odl_session_open (OdlSession *self, const char *location, const OdlRecipe *recipe)
{
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  self->opening_has_recipe = recipe != NULL;
  if (recipe)
    self->opening_recipe = *recipe;
  GWeakRef *weak = g_new (GWeakRef, 1);
  g_weak_ref_init (weak, self);
  set_opening (self, location);
  const bool parks = odl_session_is_capture (self) && odl_camera_is_location (location);
  odl_opener_open (location, parks ? self->source : NULL, self->gate, self->cancellable,
                   opened_cb, weak);
}

void
odl_session_open_again (OdlSession *self, const char *location)
{
  const OdlRecipe recipe = self->opening_recipe;
  odl_session_open (self, location, self->opening_has_recipe ? &recipe : NULL);
}

void
odl_session_cancel_open (OdlSession *self)
{
  if (!self->cancellable)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  set_opening (self, NULL);
}

const char *
odl_session_opening (OdlSession *self)
{
  return self->opening;
}

const char *
odl_session_location (OdlSession *self)
{
  return self->source ? self->source->info.location : NULL;
}

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

const char *
odl_session_name (OdlSession *self)
{
  return self->source ? self->source->info.name : NULL;
}

const char *
odl_session_format (OdlSession *self)
{
  return self->source ? self->source->info.format : NULL;
}

const char *
odl_session_warning (OdlSession *self)
{
  return self->source ? self->source->info.warning : NULL;
}

bool
odl_session_is_moving (OdlSession *self)
{
  return self->source && self->moving;
}

bool
odl_session_is_live (OdlSession *self)
{
  return self->source && self->source->info.live;
}

bool
odl_session_is_capture (OdlSession *self)
{
  return self->source && self->source->info.capture;
}

const GError *
odl_session_trouble (OdlSession *self)
{
  return self->trouble;
}

const char *
odl_session_detail (OdlSession *self, const char *key)
{
  return self->source ? odl_source_detail (self->source, key) : NULL;
}

const char *
odl_session_timing (OdlSession *self)
{
  if (!self->source)
    return NULL;
  // Translators: where a frame rate comes from.
  return odl_session_states_no_rate (self) ? _ ("the preferences")
                                           : self->source->info.timing;
}

int64_t
odl_session_n_frames (OdlSession *self)
{
  if (self->player && !odl_session_is_live (self))
    return odl_player_stats (self->player).n_frames;
  return self->source ? self->source->info.n_frames : 0;
}

double
odl_session_frame_rate (OdlSession *self)
{
  return self->source ? self->frame_rate : 0;
}

guint64
odl_session_dropped (OdlSession *self)
{
  return self->player ? odl_player_stats (self->player).dropped + self->n_unseen : 0;
}

guint64
odl_session_n_painted (OdlSession *self)
{
  return self->n_painted;
}

OdlFrame *
odl_session_frame (OdlSession *self)
{
  return self->frame;
}

const char *
odl_session_note (OdlSession *self)
{
  return self->frame ? self->frame->plan->note : NULL;
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
  odl_session_render (self);
}

void
odl_session_set_pool (OdlSession *self, OdlImagePool *pool)
{
  OdlImagePool *before = self->pool;
  self->pool = pool ? odl_image_pool_ref (pool) : NULL;
  // Lent again with the next frame, if that is made by GL.
  if (self->source)
    odl_source_set_pool (self->source, NULL);
  odl_image_pool_unref (before);
}

void
odl_session_set_playing (OdlSession *self, bool playing)
{
  playing = playing && self->player;
  if (playing == self->playing)
    return;
  self->playing = playing;
  if (self->player)
    odl_player_set_playing (self->player, playing);
  if (!playing && self->next)
    odl_session_show (self, g_steal_pointer (&self->next));
  // What is known of earlier frames is known otherwise now.
  if (playing)
    odl_session_stop_lead_in (self);
  else if (self->plan && odl_plan_lead_in (self->plan) > 0)
    odl_session_render (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PLAYING]);
}

bool
odl_session_playing (OdlSession *self)
{
  return self->playing;
}

static void
odl_session_dispose (GObject *object)
{
  OdlSession *self = ODL_SESSION (object);
  odl_session_cancel_open (self);
  odl_session_stop_reading (self);
  if (self->reading_volume)
    g_cancellable_cancel (self->reading_volume);
  g_clear_object (&self->reading_volume);
  odl_session_stop_lead_in (self);
  if (self->player)
    odl_player_stop (g_steal_pointer (&self->player), true);
  if (self->next_source)
    g_source_destroy (self->next_source);
  g_clear_pointer (&self->next_source, g_source_unref);
  g_clear_pointer (&self->chooser, odl_chooser_free);
  g_clear_pointer (&self->renderer, odl_renderer_free);
  if (self->gate && !odl_gate_wait (self->gate, QUIT_WAIT_US))
    g_debug ("a decoder did not stop in time");
  G_OBJECT_CLASS (odl_session_parent_class)->dispose (object);
}

static void
odl_session_finalize (GObject *object)
{
  OdlSession *self = ODL_SESSION (object);
  g_clear_pointer (&self->gate, odl_gate_unref);
  g_clear_pointer (&self->source, odl_source_unref);
  g_clear_pointer (&self->image, odl_image_unref);
  g_clear_pointer (&self->volume, odl_image_unref);
  g_clear_pointer (&self->frame, odl_frame_unref);
  g_clear_pointer (&self->next, odl_frame_unref);
  g_clear_pointer (&self->plan, odl_plan_unref);
  odl_operands_unref (self->operands);
  g_clear_pointer (&self->observed_plan, odl_plan_unref);
  g_clear_pointer (&self->observed, g_free);
  g_clear_pointer (&self->pool, odl_image_pool_unref);
  g_free (self->engine_name);
  g_free (self->fallback_reason);
  g_free (self->told_fallback_reason);
  g_free (self->gpu);
  g_array_unref (self->failures);
  odl_ranking_free (self->last_ranking);
  g_free (self->opening);
  g_clear_error (&self->trouble);
  odl_history_clear (&self->history);
  g_clear_pointer (&self->annotated, g_hash_table_unref);
  G_OBJECT_CLASS (odl_session_parent_class)->finalize (object);
}

static void
odl_session_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  OdlSession *self = ODL_SESSION (object);
  switch (id) {
  case PROP_SOURCE:
    g_value_set_string (value, odl_session_location (self));
    break;
  case PROP_RECIPE:
    g_value_take_string (value, odl_recipe_to_text (odl_session_recipe (self), " "));
    break;
  case PROP_ENGINE:
    g_value_set_string (value, self->engine_name);
    break;
  case PROP_PLAYING:
    g_value_set_boolean (value, self->playing);
    break;
  case PROP_OPENING:
    g_value_set_string (value, self->opening);
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

  GType type = G_TYPE_FROM_CLASS (klass);
  signals[SIGNAL_FRAME_READY] = g_signal_new ("frame-ready", type, G_SIGNAL_RUN_LAST, 0,
                                              NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_OPENED] = g_signal_new ("opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_OPEN_FAILED]
      = g_signal_new ("open-failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_ERROR);
  signals[SIGNAL_MESSAGE] = g_signal_new ("message", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_FRAME_FAILED]
      = g_signal_new ("frame-failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 1, G_TYPE_ERROR);
  signals[SIGNAL_TROUBLE_CHANGED] = g_signal_new (
      "trouble-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_PLANES_CHANGED] = g_signal_new (
      "planes-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  // session_observed.c emits it.
  g_signal_new ("observed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  // session_annotations.c emits it.
  g_signal_new ("annotations-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
  signals[SIGNAL_CHOICE_CHANGED] = g_signal_new (
      "choice-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
odl_session_init (OdlSession *self)
{
  OdlRecipe identity;
  odl_recipe_init (&identity);
  odl_history_init (&self->history, &identity, NULL);
  self->engine_name = g_strdup (ODL_ENGINE_AUTO);
  self->request.origin = ODL_REQUEST_AUTO;
  self->failures = odl_failures_new ();
  self->gpu = g_strdup ("");
  g_autofree char *cache = odl_choice_cache_path ();
  self->chooser = odl_chooser_new (cache, odl_session_measured, self);
  self->cache_bytes = odl_session_default_cache_bytes ();
  self->default_rate = ODL_DEFAULT_FRAME_RATE;
  self->speed = 1;
  self->gate = odl_gate_new ();
  self->renderer = odl_renderer_new (odl_session_rendered, self);
}

OdlSession *
odl_session_new (void)
{
  return g_object_new (ODL_TYPE_SESSION, NULL);
}
