// SPDX-License-Identifier: MIT
#include "session/exporter.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/stages.h"
#include "config.h"
#include "engine/gl/headless.h"
#include "engine/takes.h"
#include "image/damaged.h"
#include "output/movie.h"
#include "output/png.h"
#include "output/sequence.h"
#include "source/frame_reader.h"

struct _OdlExporter {
  OdlExporterParams params; // location and path are owned
  bool numbered;
  GCancellable *cancellable;
  GThread *thread;
  GMainContext *context;
  GSource *told; // main context only
  OdlExporterCb cb;
  void *data;

  // The three threads of the work, each with its own.
  OdlFrameReader *reader;
  GError *read_error;
  OdlGlHeadless *headless;
  OdlEngine *engine;
  OdlTakes takes;
  bool continues;
  OdlMovie *movie;
  char *description;

  GMutex mutex; // guards what follows
  OdlExporterState state;
  GError *error;
};

// A frame as it is to be seen.
typedef struct {
  OdlReadFrame *frame;
  OdlImage *shown; // NULL: the one before stays
} Shown;

static void
shown_free (void *data)
{
  Shown *shown = data;

  odl_read_frame_free (shown->frame);
  odl_image_unref (shown->shown);
  g_free (shown);
}

static void
read_frame_free (void *frame)
{
  odl_read_frame_free (frame);
}

// ---- The stages ----

static void *
read_stage (void *data, GError **error)
{
  OdlExporter *self = data;

  // What was read is a result of its own: the error is told at the end.
  return odl_frame_reader_next (self->reader, self->cancellable, &self->read_error);
}

static OdlImage *
process (OdlExporter *self,
         const OdlReadFrame *frame,
         const OdlPlan *plan,
         GError **error)
{
  self->engine->moment = odl_takes_next (&self->takes, frame->image, self->continues,
                                         odl_plan_frames (plan) != 1);
  self->continues = true;
  return odl_engine_process (self->engine, plan, frame->image, error);
}

static OdlImage *
show (OdlExporter *self, const OdlReadFrame *frame, GError **error)
{
  const OdlGeometry geometry = odl_geometry_of (frame->image);
  g_autoptr (OdlPlan) plan = odl_plan_new (&self->params.recipe, &geometry, error);

  if (plan == NULL)
    return NULL;
  g_autoptr (OdlImage) result = process (self, frame, plan, error);
  if (result == NULL)
    return NULL;
  g_autoptr (OdlImage) cross = frame->damaged ? odl_damaged_cross (frame->image) : NULL;
  const OdlDisplay display
      = odl_display_make (odl_image_info (frame->image), &self->params.window,
                          plan->approx_width, plan->approx_height);
  const int bits = self->numbered && geometry.bits > 8 ? 16 : 8;
  return odl_display_render (cross != NULL ? cross : result, &display, bits, error);
}

static void *
work_stage (void *data, void *item, GError **error)
{
  OdlExporter *self = data;
  OdlReadFrame *frame = item;
  Shown *shown = g_new0 (Shown, 1);

  shown->frame = frame;
  if (frame->again && !self->numbered && frame->index > 0
      && !odl_recipe_is_temporal (&self->params.recipe))
    return shown;
  shown->shown = show (self, frame, error);
  if (shown->shown != NULL)
    return shown;
  shown_free (shown);
  return NULL;
}

static bool
write_png (OdlExporter *self, const Shown *shown, GError **error)
{
  g_autofree char *path = odl_sequence_name (self->params.path, shown->frame->index);
  OdlOutput output;

  if (!odl_output_open_new (NULL, path, &output, error))
    return false;
  if (odl_png_encode (&output, shown->shown, self->description,
                      odl_image_info (shown->frame->image)->mark, error))
    return odl_output_commit (&output, error);
  odl_output_abandon (&output);
  return false;
}

static bool
write_stage (void *data, void *item, GError **error)
{
  OdlExporter *self = data;
  Shown *shown = item;
  bool done = true;

  if (shown->shown != NULL)
    done = self->numbered
               ? write_png (self, shown, error)
               : odl_movie_write (self->movie, shown->shown, shown->frame->time_ns,
                                  shown->frame->duration_ns, error);
  g_mutex_lock (&self->mutex);
  self->state.written += done;
  self->state.damaged += shown->frame->damaged;
  self->state.total = odl_frame_reader_count (self->reader);
  if (self->movie != NULL)
    self->state.bytes = odl_movie_bytes (self->movie);
  g_mutex_unlock (&self->mutex);
  shown_free (shown);
  return done;
}

// ---- The whole ----

static bool
open_reader (OdlExporter *self, GError **error)
{
  g_autoptr (OdlSource) source
      = odl_source_open (self->params.location, self->cancellable, error);

  if (source == NULL)
    return false;
  self->reader = odl_frame_reader_new (source, 0, -1, error);
  if (self->reader == NULL)
    return false;
  odl_frame_reader_set_default_rate (self->reader, self->params.default_rate);
  return true;
}

static bool
open_engine (OdlExporter *self, GError **error)
{
  const OdlEngineChoice cpu = { odl_engine_find ("cpu"), NULL };

  if (self->params.engine.klass->needs_gl)
    self->headless = odl_gl_headless_new (NULL);
  if (!self->params.engine.klass->needs_gl || self->headless != NULL)
    self->engine = odl_engine_open_choice (self->params.engine, NULL);
  if (self->engine == NULL)
    self->engine = odl_engine_open_choice (cpu, error);
  if (self->engine == NULL)
    return false;
  // For other programs, so not translated.
  g_autofree char *recipe = odl_recipe_to_text (&self->params.recipe, " ");
  self->description
      = g_strdup_printf ("recipe %s; engine %s%s", recipe, self->engine->klass->name,
                         odl_recipe_is_identity (&self->params.recipe)
                             ? ""
                             : "; processed, not for diagnostic use");
  return true;
}

static bool
open_movie (OdlExporter *self, GError **error)
{
  OdlMovieParams params = { .quality = ODL_QUALITY_HIGH,
                            .frame_rate = odl_frame_reader_rate (self->reader),
                            .description = self->description,
                            .replace = true };

  if (self->numbered)
    return true;
  params.codec = odl_codec_find (NULL, params.quality, error);
  if (params.codec != NULL)
    self->movie = odl_movie_new (self->params.path, &params, error);
  return self->movie != NULL;
}

static bool
finish (OdlExporter *self, GError **error)
{
  if (g_cancellable_is_cancelled (self->cancellable)) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CANCELLED, _ ("cancelled"));
    return false;
  }
  if (self->movie != NULL && self->state.written > 0
      && !odl_movie_finish (g_steal_pointer (&self->movie), error))
    return false;
  if (self->read_error == NULL)
    return true;
  // What comes before it was written.
  g_propagate_error (error, g_steal_pointer (&self->read_error));
  return false;
}

static void *
export_thread (void *data)
{
  OdlExporter *self = data;
  const OdlStages stages
      = { read_stage, work_stage, write_stage, read_frame_free, shown_free, self };
  GError *error = NULL;

  // Playing comes first.
  odl_parallel_yield_to_others ();
  if (open_reader (self, &error) && open_engine (self, &error)
      && open_movie (self, &error) && odl_stages_run (&stages, self->cancellable, &error))
    finish (self, &error);
  odl_movie_abandon (self->movie);
  odl_engine_close (self->engine);
  g_clear_pointer (&self->headless, odl_gl_headless_free);
  odl_frame_reader_free (self->reader);
  g_mutex_lock (&self->mutex);
  self->error = error;
  g_mutex_unlock (&self->mutex);
  g_source_attach (self->told, self->context);
  return NULL;
}

static gboolean
tell_cb (void *data)
{
  OdlExporter *self = data;

  if (self->cb != NULL)
    self->cb (self->params.path, self->error, self->data);
  return G_SOURCE_REMOVE;
}

// A name for numbered files: "name.png" becomes "name-%05d.png".
static char *
pattern_of (const char *path)
{
  const char *dot = strrchr (path, '.');

  if (odl_sequence_is_pattern (path))
    return g_strdup (path);
  return g_strdup_printf ("%.*s-%%05d%s", (int) (dot - path), path, dot);
}

OdlExporter *
odl_exporter_new (const OdlExporterParams *params, OdlExporterCb cb, void *data)
{
  OdlExporter *self = g_new0 (OdlExporter, 1);
  g_autofree char *lower = g_ascii_strdown (params->path, -1);

  self->params = *params;
  self->numbered = g_str_has_suffix (lower, ".png");
  self->params.location = g_strdup (params->location);
  self->params.path
      = self->numbered ? pattern_of (params->path) : g_strdup (params->path);
  self->cancellable = g_cancellable_new ();
  self->context = g_main_context_ref_thread_default ();
  self->told = g_idle_source_new ();
  g_source_set_priority (self->told, G_PRIORITY_DEFAULT);
  g_source_set_callback (self->told, tell_cb, self, NULL);
  self->cb = cb;
  self->data = data;
  g_mutex_init (&self->mutex);
  self->thread = g_thread_new ("export", export_thread, self);
  return self;
}

OdlExporterState
odl_exporter_state (OdlExporter *self)
{
  g_mutex_lock (&self->mutex);
  OdlExporterState state = self->state;
  g_mutex_unlock (&self->mutex);
  return state;
}

void
odl_exporter_cancel (OdlExporter *self)
{
  g_cancellable_cancel (self->cancellable);
}

void
odl_exporter_free (OdlExporter *self)
{
  if (self == NULL)
    return;
  self->cb = NULL;
  odl_exporter_cancel (self);
  g_thread_join (self->thread);
  g_source_destroy (self->told);
  g_source_unref (self->told);
  g_object_unref (self->cancellable);
  g_main_context_unref (self->context);
  g_clear_error (&self->error);
  g_clear_error (&self->read_error);
  g_mutex_clear (&self->mutex);
  g_free ((char *) self->params.location);
  g_free ((char *) self->params.path);
  g_free (self->description);
  g_free (self);
}
