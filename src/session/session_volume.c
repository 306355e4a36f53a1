// SPDX-License-Identifier: MIT
// Sources whose frames are the slices of a volume: all of them at once.
#include "session/job.h"
#include "session/session_private.h"
#include "session/volume_reader.h"
#include "source/volume.h"

#define FIRST_THICKNESS 10

// A filter processes all slices together, or one over time is seen in planes.
static bool
wants_whole (OdlSession *self)
{
  const OdlRecipe *recipe = odl_session_recipe (self);

  return odl_session_is_volume (self) && !self->volume_reader->too_large
         && (odl_recipe_is_volumetric (recipe)
             || (odl_session_time_step (self) > 1 && odl_recipe_is_temporal (recipe)
                 && odl_session_shows_planes (self)));
}

static int
number_wanted (OdlSession *self)
{
  return (int) (self->index / self->source->info.n_slices);
}

// Of the volumes about the one that is shown.
static OdlTimeReach
find_reach (OdlSession *self)
{
  const OdlGeometry geometry = odl_session_geometry (self, self->image);

  return wants_whole (self) ? odl_plan_time_reach (odl_session_recipe (self), &geometry)
                            : (OdlTimeReach){ 0 };
}

static int
find_window (OdlTimeReach reach)
{
  return reach.past + 1 + reach.ahead;
}

static bool
has_reach (const OdlVolumeReader *reader, OdlTimeReach reach)
{
  return reader->volume && reader->reach.past >= reach.past
         && reader->reach.ahead >= reach.ahead && reader->reach.wraps >= reach.wraps;
}

// ---- reading -------------------------------------------------------------------------

typedef struct {
  char *location;
  OdlNeighbourReader *source; // NULL: not open yet
  int number;
  OdlTimeReach reach;
  size_t kept_bytes; // at most, of volumes over time; each order may have less
  int n_read; // volumes that were not there yet
  int64_t took_us; // for them
} Order;

static void
order_free (void *data)
{
  Order *order = data;

  odl_neighbour_reader_free (order->source);
  g_free (order->location);
  g_free (order);
}

// Opens a source of its own, since the player reads frames of the session's source.
static void *
work (void *data, GCancellable *cancellable, GError **error)
{
  Order *order = data;

  if (!order->source) {
    g_autoptr (OdlSource) source = odl_source_open (order->location, cancellable, error);
    if (!source)
      return NULL;
    order->source = odl_neighbour_reader_new (source, ODL_VOLUME_FILTERED_SLICES);
  }
  odl_neighbour_reader_keep (order->source, order->kept_bytes);
  const int64_t begin_us = g_get_monotonic_time ();
  const int before = odl_neighbour_reader_n_read (order->source);
  OdlNeighbours *neighbours
      = odl_neighbours_read (order->source, order->number, order->reach.past,
                             order->reach.ahead, order->reach.wraps, cancellable, error);
  order->n_read = odl_neighbour_reader_n_read (order->source) - before;
  order->took_us = g_get_monotonic_time () - begin_us;
  return neighbours;
}

// A take goes on with a later volume: some are dropped where reading is slower than
// playing.
static void
take_moment (OdlSession *self, int number, int before)
{
  OdlVolumeReader *reader = self->volume_reader;
  const uint64_t take = reader->moment.take;
  const bool continues
      = before >= 0 && number > before && (self->playing || number == before + 1);
  reader->moment
      = odl_session_next_moment (self, &reader->takes, reader->volume, continues, true);
  const bool goes_on = reader->moment.take == take;
  reader->n_past = goes_on ? reader->n_past + 1 : 0;
  reader->from_start = goes_on ? reader->from_start : number == 0 || continues;
}

// The clock drives as long as the volumes about each one can be read while the volumes
// before it are shown. Where reading one takes longer than it lasts, the clock would
// leave them behind, and all of those about the next one were to be read anew: then the
// clock waits, and moves on by as many volumes as are read while one is filtered.
// Volumes that are kept take no time.
static int
find_stride (OdlSession *self)
{
  const OdlVolumeReader *reader = self->volume_reader;
  const double rate = odl_playback_frame_rate (self->playback)
                      * odl_playback_mode (self->playback)->speed;
  const int window = find_window (find_reach (self));

  if (window == 1 || !odl_session_uses_volume (self)
      || (double) reader->volume_us * rate < 1e6
      || reader->filter_us >= window * reader->volume_us)
    return 0;
  return (int) MAX (reader->filter_us / reader->volume_us, 1);
}

void
odl_session_tell_stride (OdlSession *self)
{
  OdlPlayer *player = odl_playback_player (self->playback);

  if (player)
    odl_player_set_stride (player, find_stride (self));
}

static void
note_read (OdlSession *self, const Order *order)
{
  self->volume_reader->volume_us = order->n_read > 0 ? order->took_us / order->n_read : 0;
  odl_session_tell_stride (self);
}

int
odl_session_volumes_at_work (OdlSession *self)
{
  const OdlVolumeReader *reader = self->volume_reader;
  if (!odl_session_uses_volume (self) || reader->reach.past == 0)
    return 0;
  // As fast as possible, none is left out that was read.
  const bool lags = reader->job
                    || (reader->ahead_job && number_wanted (self) != reader->number)
                    || (odl_playback_is_fast (self->playback)
                        && self->painted_index / self->source->info.n_slices
                               != odl_neighbours_at (reader->neighbours));
  return lags ? ODL_PLAYER_AT_WORK : ODL_PLAYER_AT_WORK - 1;
}

void
odl_session_note_filtered (OdlSession *self, const OdlFrame *frame)
{
  // Of a volume that was filtered before, which is shown once more, it is next to
  // nothing.
  if (frame->volume && frame->index != self->painted_index)
    self->volume_reader->filter_us = frame->time_ns / 1000;
}

// The volume to be shown, with those about it (transfer full; NULL: it cannot be read).
static void
take_volume (OdlSession *self, OdlNeighbours *neighbours, int number, OdlTimeReach reach)
{
  OdlVolumeReader *reader = self->volume_reader;
  const int before
      = reader->neighbours ? (int) odl_neighbours_at (reader->neighbours) : -1;
  g_clear_pointer (&reader->volume, odl_image_unref);
  g_clear_pointer (&reader->neighbours, odl_neighbours_unref);
  reader->number = number;
  reader->neighbours = neighbours;
  reader->reach = reach;
  reader->failed = !neighbours;
  if (neighbours)
    reader->volume = odl_image_ref (odl_neighbours_find (neighbours, number));
  if (neighbours && number != before)
    take_moment (self, number, before);
  odl_session_mark (self, ODL_MARK_MEASURED);
}

static void
done (void *owner, void *neighbours, const GError *error, void *data)
{
  OdlSession *self = owner;
  OdlVolumeReader *reader = self->volume_reader;
  Order *order = data;
  g_clear_object (&reader->job);
  take_volume (self, neighbours, order->number, order->reach);
  if (neighbours && odl_session_time_step (self) > 1 && !reader->source)
    reader->source = g_steal_pointer (&order->source);
  note_read (self, order);
  if (error) {
    odl_session_say (self, error->message);
    g_signal_emit_by_name (self, "planes-changed");
  }
  odl_session_mark (self, ODL_MARK_PICTURE);
}

// Volumes have half of the memory for frames, of which those that are played take little.
static Order *
order_new (OdlSession *self, int number, OdlTimeReach reach)
{
  Order *order = g_new (Order, 1);

  *order = (Order){ .location = g_strdup (self->source->info.location),
                    .source = g_steal_pointer (&self->volume_reader->source),
                    .number = number,
                    .reach = reach };
  if (odl_session_time_step (self) > 1)
    order->kept_bytes = odl_playback_cache_bytes (self->playback) / 2;
  return order;
}

static void
read_volume (OdlSession *self, int number, OdlTimeReach reach)
{
  static const OdlJobClass klass
      = { work, done, (GDestroyNotify) odl_neighbours_unref, order_free };
  Order *order = order_new (self, number, reach);
  self->volume_reader->number = number;
  self->volume_reader->job = odl_job_run (G_OBJECT (self), self->gate, &klass, order);
}

// One that is late is shown at once, as are those that were not read ahead. Why it cannot
// be read is said when it is its turn.
static void
ahead_done (void *owner, void *neighbours, const GError *error, void *data)
{
  OdlSession *self = owner;
  OdlVolumeReader *reader = self->volume_reader;
  Order *order = data;
  g_clear_object (&reader->ahead_job);
  if (!reader->source)
    reader->source = g_steal_pointer (&order->source);
  reader->ahead = neighbours;
  note_read (self, order);
  if (number_wanted (self) == reader->number && has_reach (reader, find_reach (self)))
    return;
  if (neighbours && self->playing)
    take_volume (self, g_steal_pointer (&reader->ahead), order->number, order->reach);
  odl_session_mark (self, ODL_MARK_PICTURE);
}

static void
drop_ahead (OdlVolumeReader *reader)
{
  odl_job_cancel (&reader->ahead_job);
  g_clear_pointer (&reader->ahead, odl_neighbours_unref);
  reader->ahead_number = -1;
}

// The volume that follows the one that is shown, while it plays.
static void
read_ahead (OdlSession *self, OdlTimeReach reach)
{
  static const OdlJobClass klass
      = { work, ahead_done, (GDestroyNotify) odl_neighbours_unref, order_free };
  OdlVolumeReader *reader = self->volume_reader;
  const int slices = odl_session_time_step (self);
  if (slices == 1 || !self->playing || !reader->source)
    return;
  const int64_t next
      = odl_player_following (odl_playback_player (self->playback), self->index);
  const int number = (int) (next / slices);
  if (next < 0 || number == reader->number || number == reader->ahead_number)
    return;
  g_clear_pointer (&reader->ahead, odl_neighbours_unref);
  reader->ahead_number = number;
  reader->ahead_reach = reach;
  Order *order = order_new (self, number, reach);
  reader->ahead_job = odl_job_run (G_OBJECT (self), self->gate, &klass, order);
}

// What was read ahead, if it is that one.
static bool
take_ahead (OdlSession *self, int number, OdlTimeReach reach)
{
  OdlVolumeReader *reader = self->volume_reader;
  if (!reader->ahead || odl_neighbours_at (reader->ahead) != number
      || reader->ahead_reach.past < reach.past || reader->ahead_reach.ahead < reach.ahead
      || reader->ahead_reach.wraps < reach.wraps)
    return false;
  take_volume (self, g_steal_pointer (&reader->ahead), number, reader->ahead_reach);
  return true;
}

static void
led_done (void *owner, void *neighbours, const GError *error, void *data)
{
  OdlSession *self = owner;
  OdlVolumeReader *reader = self->volume_reader;
  Order *order = data;
  g_clear_object (&reader->led_job);
  reader->led = neighbours;
  reader->led_failed = !neighbours;
  if (!reader->source)
    reader->source = g_steal_pointer (&order->source);
  odl_session_mark (self, ODL_MARK_LEAD_IN);
}

OdlLed
odl_session_lead_in_volume (OdlSession *self, int number, OdlNeighbours **neighbours)
{
  static const OdlJobClass klass
      = { work, led_done, (GDestroyNotify) odl_neighbours_unref, order_free };
  OdlVolumeReader *reader = self->volume_reader;
  if (reader->led_failed)
    return ODL_LED_FAILED;
  if (reader->led && odl_neighbours_at (reader->led) == number) {
    *neighbours = g_steal_pointer (&reader->led);
    return ODL_LED_FRAME;
  }
  if (reader->led_job)
    return ODL_LED_NOT_YET;
  g_clear_pointer (&reader->led, odl_neighbours_unref);
  Order *order = order_new (self, number, reader->reach);
  reader->led_job = odl_job_run (G_OBJECT (self), self->gate, &klass, order);
  return ODL_LED_NOT_YET;
}

void
odl_session_stop_led_volumes (OdlSession *self)
{
  OdlVolumeReader *reader = self->volume_reader;
  odl_job_cancel (&reader->led_job);
  g_clear_pointer (&reader->led, odl_neighbours_unref);
  reader->led_failed = false;
}

bool
odl_session_volume_rests (OdlSession *self)
{
  const OdlVolumeReader *reader = self->volume_reader;

  return reader->volume && !reader->job
         && reader->number == (int) (self->index / odl_session_time_step (self));
}

void
odl_session_volume_led (OdlSession *self, OdlTakes *takes, int begin)
{
  OdlVolumeReader *reader = self->volume_reader;
  reader->moment = odl_session_next_moment (self, takes, reader->volume, true, true);
  reader->takes = *takes;
  reader->n_past = reader->number - begin;
  reader->from_start = begin == 0;
}

void
odl_session_take_volume (OdlSession *self)
{
  OdlVolumeReader *reader = self->volume_reader;
  odl_session_stop_led_volumes (self);
  odl_job_cancel (&reader->job);
  drop_ahead (reader);
  g_clear_pointer (&reader->volume, odl_image_unref);
  g_clear_pointer (&reader->neighbours, odl_neighbours_unref);
  g_clear_pointer (&reader->source, odl_neighbour_reader_free);
  const OdlImageInfo *info = odl_image_info (self->image);
  *reader = (OdlVolumeReader){ .planes = { reader->planes[0], reader->planes[1] },
                               .slab = reader->slab,
                               .renders = reader->renders,
                               .ahead_number = -1,
                               .x = info->extent.x / 2,
                               .y = info->extent.y / 2 };
  g_signal_emit_by_name (self, "planes-changed");
}

void
odl_session_stop_volume (OdlSession *self)
{
  odl_session_stop_led_volumes (self);
  odl_job_cancel (&self->volume_reader->job);
  drop_ahead (self->volume_reader);
}

OdlVolumeReader *
odl_volume_reader_new (void)
{
  OdlVolumeReader *reader = g_new0 (OdlVolumeReader, 1);

  reader->slab = (OdlSlab){ ODL_SLAB_SLICE, FIRST_THICKNESS };
  reader->ahead_number = -1;
  return reader;
}

void
odl_volume_reader_free (OdlVolumeReader *self)
{
  g_clear_pointer (&self->volume, odl_image_unref);
  g_clear_pointer (&self->neighbours, odl_neighbours_unref);
  g_clear_pointer (&self->led, odl_neighbours_unref);
  g_clear_pointer (&self->ahead, odl_neighbours_unref);
  g_clear_pointer (&self->source, odl_neighbour_reader_free);
  g_free (self);
}

// ---- what is to be seen --------------------------------------------------------------

bool *
odl_session_find_planes (OdlSession *self)
{
  return &self->volume_reader->planes[odl_session_info (self)->is_stack ? 1 : 0];
}

bool
odl_session_planes (OdlSession *self)
{
  return *odl_session_find_planes (self);
}

bool
odl_session_shows_planes (OdlSession *self)
{
  return *odl_session_find_planes (self) && odl_session_is_volume (self)
         && !self->volume_reader->failed
         && odl_session_recipe (self)->view == ODL_VIEW_SYNTHESIS;
}

void
odl_session_volume_is_too_large (OdlSession *self, const GError *error)
{
  self->volume_reader->too_large = true;
  odl_session_say (self, error->message);
  odl_session_mark (self, ODL_MARK_PICTURE);
}

void
odl_session_want_volume (OdlSession *self)
{
  OdlVolumeReader *reader = self->volume_reader;
  if (!odl_session_is_volume (self) || reader->failed || reader->job || reader->ahead_job
      || !(wants_whole (self) || odl_session_shows_planes (self)))
    return;
  // Of several, the one before is shown until the next one is read.
  const int number = number_wanted (self);
  const OdlTimeReach reach = find_reach (self);
  if ((!has_reach (reader, reach) || reader->number != number)
      && !take_ahead (self, number, reach))
    read_volume (self, number, reach);
  else
    read_ahead (self, reach);
}

static bool
sees_slices (const OdlRecipe *recipe)
{
  for (int i = 0; i < recipe->n_items; i++)
    if (odl_recipe_item_dimensions (&recipe->items[i]) > 2)
      return true;
  return false;
}

OdlImage *
odl_session_measured_image (OdlSession *self, const OdlRecipe *recipe)
{
  const OdlVolumeReader *reader = self->volume_reader;

  if (!odl_session_is_volume (self) || !sees_slices (recipe) || reader->failed
      || reader->too_large)
    return self->image;
  return reader->volume;
}

bool
odl_session_uses_volume (OdlSession *self)
{
  return self->volume_reader->volume
         && (wants_whole (self) || odl_session_shows_planes (self));
}

bool
odl_session_awaits_volume (OdlSession *self)
{
  return !self->volume_reader->volume && !self->volume_reader->failed
         && odl_session_is_volume (self)
         && (wants_whole (self) || odl_session_shows_planes (self));
}

OdlGeometry
odl_session_plan_geometry (OdlSession *self)
{
  const OdlVolumeReader *reader = self->volume_reader;
  const bool whole = reader->volume && wants_whole (self);
  OdlGeometry geometry
      = odl_session_geometry (self, whole ? reader->volume : self->image);

  geometry.in_time = whole && odl_session_time_step (self) > 1;
  // While more of them are read, filters see the volume alone.
  const OdlTimeReach reach = find_reach (self);
  if (geometry.in_time && reach.past > 0 && has_reach (reader, reach))
    geometry.neighbours = reader->neighbours;
  if (odl_session_lag_neighbours (self))
    geometry.neighbours = odl_session_lag_neighbours (self);
  if (odl_session_about_neighbours (self))
    geometry.neighbours = odl_session_about_neighbours (self);
  return geometry;
}

bool
odl_session_other_geometry (OdlSession *self,
                            const OdlRecipe *recipe,
                            OdlGeometry *geometry)
{
  const bool whole = odl_session_uses_volume (self) && odl_recipe_is_volumetric (recipe)
                     && !self->volume_reader->too_large;
  *geometry
      = odl_session_geometry (self, whole ? self->volume_reader->volume : self->image);
  geometry->neighbours = odl_session_about_neighbours (self);
  return !odl_session_uses_volume (self) || odl_session_time_step (self) == 1
         || !odl_recipe_is_temporal (recipe);
}

OdlMoment
odl_session_volume_moment (OdlSession *self)
{
  return self->volume_reader->moment;
}

bool
odl_session_volume_has_past (OdlSession *self, int n)
{
  const OdlVolumeReader *reader = self->volume_reader;

  return !wants_whole (self) || reader->n_past >= n || reader->from_start;
}

void
odl_session_add_volume (OdlSession *self, OdlFrame *frame)
{
  frame->awaits_volume = wants_whole (self) && !self->volume_reader->volume
                         && !self->volume_reader->failed;
  if (!odl_session_uses_volume (self))
    return;
  frame->volume = odl_image_ref (self->volume_reader->volume);
  // Number and time of what is shown, while the volume that the player is at is read.
  const int n = self->source->info.n_slices;
  frame->index
      = odl_neighbours_at (self->volume_reader->neighbours) * n + self->index % n;
  frame->planes = odl_session_shows_planes (self);
  frame->slab = self->volume_reader->slab;
  frame->oblique = self->volume_reader->oblique;
  frame->box = self->volume_reader->box;
  frame->renders = self->volume_reader->renders;
  frame->voxel = (OdlVoxel){ { self->volume_reader->x, self->volume_reader->y,
                               (int) (self->index % self->source->info.n_slices) } };
}
