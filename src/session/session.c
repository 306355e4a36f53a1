// SPDX-License-Identifier: MIT
#include "base/error.h"
#include "session/session_private.h"
#include "source/header_text.h"
#include "source/helper/sandbox.h"
#include "source/source_files.h"
#include "source/volume.h"

// How long the program waits at its end for cancelled decoders.
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

void
odl_session_refuse (OdlSession *self, const char *text)
{
  g_signal_emit (self, signals[SIGNAL_MESSAGE], g_quark_from_static_string ("refused"),
                 text);
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

// `holds`: a pause is at the picture that is seen, else where the player is.
static void
take_playing (OdlSession *self, bool playing, bool holds)
{
  OdlPlayer *player = odl_playback_player (self->playback);
  playing = playing && player;
  if (playing == self->playing)
    return;
  self->playing = playing;
  const bool held = !playing && holds && player && odl_session_hold (self);
  if (player && !held)
    odl_player_set_playing (player, playing);
  odl_session_want_prices (self);
  if (!playing && self->next)
    odl_session_show (self, g_steal_pointer (&self->next));
  // During playback the history comes from the frames that are played, else from a
  // lead-in. A picture at rest has no mark of its speed.
  if (playing)
    odl_session_stop_lead_in (self);
  else if (!held && self->plan
           && (odl_plan_lead_in (self->plan) > 0
               || odl_playback_is_fast (self->playback)))
    odl_session_render (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PLAYING]);
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
  if (played->about_came) {
    odl_session_about_came (self, played->index, played->about);
    return;
  }
  if (played->image) {
    g_clear_pointer (&self->image, odl_image_unref);
    self->image = played->image;
    // A step forward is a seek to the next frame, or volume.
    self->continues
        = !played->jumped || played->index == self->index + odl_session_time_step (self);
    self->moment = (OdlMoment){ 0 };
    odl_session_renew_past (self, false);
    self->index = played->index;
    odl_session_lag_take (self, played->jumped);
    odl_session_about_take (self, played->about);
    self->arrived_us = played->arrived_us;
    self->due_us = played->due_us;
    self->arrival = ++self->n_arrived;
    self->dropped = played->dropped;
    self->asked = odl_playback_is_seeking (self->playback);
    // A frame replaced because of a seek does not count as unseen.
    if (self->asked) {
      self->asked_arrival = self->arrival;
      self->painted_arrival = self->arrival - 1;
    }
    odl_playback_arrived (self->playback, played->index, played->seeking);
    odl_session_render (self);
    set_trouble (self, NULL);
    return;
  }
  odl_playback_arrived (self->playback, -1, false);
  odl_session_want_lead_in (self);
  if (error && odl_session_info (self)->capture) {
    set_trouble (self, error);
    return;
  }
  // The last frame of a range that is played once may still be on its way.
  const bool goes_on = error
                       && (g_error_matches (error, ODL_ERROR, ODL_ERROR_CORRUPT)
                           || g_error_matches (error, ODL_ERROR, ODL_ERROR_END));
  if (!goes_on)
    take_playing (self, false, false);
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

// Slices of one volume are looked at one by one, from its middle; so are frames of
// scanners that take slices, where the file says no times of them.
static bool
stands_still (OdlSession *self)
{
  static const char *const of_slices[] = { "CT", "MR", "PT", NULL };
  const OdlSourceInfo *info = odl_session_info (self);
  const char *modality = odl_session_detail (self, "modality");

  if (modality && g_strv_contains (of_slices, modality) && info->n_slices == 0
      && info->n_frames > 1 && info->frame_rate <= 0 && !info->frame_times_ns)
    return true;
  return info->n_slices > 1 && info->n_slices == info->n_frames && !info->is_stack;
}

void
odl_session_take_source (OdlSession *self,
                         OdlSource *source,
                         OdlImage *image,
                         const OdlRecipe *recipe)
{
  odl_session_keep_annotations (self);
  odl_session_stop_lead_in (self);
  odl_session_stop_reading (self); // it was for the previous picture
  odl_playback_stop (self->playback, false);
  g_clear_pointer (&self->source, odl_source_unref);
  g_clear_pointer (&self->image, odl_image_unref);
  self->source = source;
  self->image = image;
  odl_playback_take (self->playback, source, image, played_cb, self);
  self->index = 0;
  self->arrived_us = self->due_us = 0;
  self->asked = false;
  self->arrival = self->n_arrived = 1;
  self->dropped = 0;
  self->painted_arrival = self->n_painted = self->n_unseen = 0;
  self->painted_index = -1;
  self->asked_arrival = self->held_arrival = self->held_until = 0;
  g_clear_pointer (&self->painted, odl_frame_unref);
  g_clear_pointer (&self->places, odl_slice_places_free);
  self->read_places = false;
  self->pace = (OdlPace){ 0 };
  odl_session_identify (self);
  self->source_serial++;
  set_trouble (self, NULL);
  self->continues = false;
  self->moment = (OdlMoment){ 0 };
  odl_session_renew_past (self, true);
  self->told_too_large = false;
  self->playing = false;
  g_clear_pointer (&self->next, odl_frame_unref);
  odl_session_stop_awaiting (self);

  OdlRecipe next;
  odl_recipe_init (&next);
  if (recipe)
    next = *recipe;
  else if (self->keep_recipe)
    next = *odl_history_current (&self->history);
  odl_session_begin_area (self);
  odl_session_lag_take (self, true);
  odl_session_about_begin (self);
  odl_session_take_volume (self);
  odl_session_settle (self, &next);
  reset_history (self, &next);
  if (source->info.start > 0)
    odl_playback_seek (self->playback, source->info.start);
  else if (odl_session_shows_planes (self) || stands_still (self))
    odl_playback_seek (self->playback, source->info.n_slices / 2);
}

void
odl_session_begin (OdlSession *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SOURCE]);
  g_signal_emit (self, signals[SIGNAL_OPENED], 0);
  odl_session_render (self);
  if (!odl_session_shows_planes (self) && !stands_still (self)
      && !odl_session_info (self)->is_stack)
    odl_session_set_playing (self, true);
}

const OdlSourceInfo *
odl_session_info (OdlSession *self)
{
  static const OdlSourceInfo none = { 0 };
  return self->source ? &self->source->info : &none;
}

const char *
odl_session_file (OdlSession *self)
{
  const OdlSourceInfo *info = odl_session_info (self);
  if (info->files && self->frame && odl_session_is_of_source (self, self->frame)
      && self->frame->index < info->n_frames
      && !odl_source_lacks_frame (self->source, self->frame->index))
    return info->files[self->frame->index];
  return info->files || !info->location || !g_path_is_absolute (info->location)
             ? NULL
             : info->location;
}

bool
odl_session_lacks_frame (OdlSession *self, int64_t index)
{
  return self->source && odl_source_lacks_frame (self->source, index);
}

bool
odl_session_is_of_source (OdlSession *self, const OdlFrame *frame)
{
  return frame->source_serial == self->source_serial;
}

OdlPlayback *
odl_session_playback (OdlSession *self)
{
  return self->playback;
}

const OdlHistory *
odl_session_history (OdlSession *self)
{
  return &self->history;
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

int
odl_session_axes (OdlSession *self, double axes[3][3])
{
  return self->source ? odl_source_axes (self->source, axes) : 0;
}

const char *
odl_session_header_kind (OdlSession *self)
{
  return self->source ? odl_header_text_kind (self->source) : NULL;
}

guint64
odl_session_dropped (OdlSession *self)
{
  return odl_playback_stats (self->playback).dropped + self->n_unseen;
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
  const OdlFrame *frame = self->frame;
  if (!frame)
    return NULL;
  return frame->plan->note ? frame->plan->note : frame->sections;
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
  // Set again with the next frame, if GL computes it.
  if (self->source)
    odl_source_set_pool (self->source, NULL);
  odl_image_pool_unref (before);
}

void
odl_session_set_playing (OdlSession *self, bool playing)
{
  take_playing (self, playing, true);
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

  GType type = G_TYPE_FROM_CLASS (klass);
  signals[SIGNAL_FRAME_READY] = g_signal_new ("frame-ready", type, G_SIGNAL_RUN_LAST, 0,
                                              NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_OPENED] = g_signal_new ("opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_OPEN_FAILED]
      = g_signal_new ("open-failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_ERROR);
  signals[SIGNAL_MESSAGE]
      = g_signal_new ("message", type, G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED, 0, NULL,
                      NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_FRAME_FAILED]
      = g_signal_new ("frame-failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 1, G_TYPE_ERROR);
  signals[SIGNAL_TROUBLE_CHANGED] = g_signal_new (
      "trouble-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_PLANES_CHANGED] = g_signal_new (
      "planes-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  // Emitted in session_render.c.
  g_signal_new ("observed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  // Emitted in session_render.c.
  g_signal_new ("work-begun", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                0);
  // Emitted in session_annotations.c.
  g_signal_new ("annotations-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
  signals[SIGNAL_CHOICE_CHANGED] = g_signal_new (
      "choice-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
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
