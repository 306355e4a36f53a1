// SPDX-License-Identifier: MIT
// A camera whose filters look at later frames: what is shown lags behind by so many.
#include "session/session_private.h"

// Frames that a camera will have sent; twice as many are an int, too.
#define ENDLESS (G_MAXINT / 4)

typedef struct {
  OdlImage *image;
  int64_t index; // in the source
} Kept;

struct _OdlLag {
  GArray *kept; // the latest frames, at most reach.past + 1 + reach.ahead
  int64_t first; // number of the first of them, counted from where they begin
  OdlTimeReach reach; // 0 where it wraps
  int behind; // frames that came after the one that is shown
  OdlNeighbours *neighbours; // about that one; NULL: not enough have come, or none count
};

static void
forget (void *kept)
{
  odl_image_unref (((Kept *) kept)->image);
}

OdlLag *
odl_lag_new (void)
{
  OdlLag *lag = g_new0 (OdlLag, 1);

  lag->kept = g_array_new (FALSE, FALSE, sizeof (Kept));
  g_array_set_clear_func (lag->kept, forget);
  return lag;
}

static const Kept *
kept_at (const OdlLag *lag, int64_t i)
{
  return &g_array_index (lag->kept, Kept, i);
}

static void
keep (OdlSession *self)
{
  const Kept kept = { odl_image_ref (self->image), self->index };

  g_array_append_val (self->lag->kept, kept);
}

static void
begin (OdlLag *lag)
{
  g_array_set_size (lag->kept, 0);
  g_clear_pointer (&lag->neighbours, odl_neighbours_unref);
  lag->first = 0;
  lag->behind = 0;
}

void
odl_lag_free (OdlLag *lag)
{
  begin (lag);
  g_array_unref (lag->kept);
  g_free (lag);
}

// A border that leads to the end has none to go to.
static OdlTimeReach
find_reach (OdlSession *self)
{
  const OdlGeometry geometry = odl_session_geometry (self, self->image);
  const OdlTimeReach reach = odl_plan_time_reach (odl_session_recipe (self), &geometry);

  const OdlTimeReach none = { 0 };
  return reach.wraps ? none : reach;
}

// Those before the oldest that is needed are dropped; where too few are kept they begin
// with the oldest one.
static void
set_reach (OdlLag *lag, OdlTimeReach reach)
{
  const int most = reach.past + 1 + reach.ahead, beyond = (int) lag->kept->len - most;

  if (reach.ahead > lag->reach.ahead)
    lag->first = 0;
  lag->reach = reach;
  if (beyond <= 0)
    return;
  g_array_remove_range (lag->kept, 0, (guint) beyond);
  lag->first += beyond;
}

// The frame to be shown, and those about it.
static const Kept *
find_shown (OdlLag *lag)
{
  const int n = (int) lag->kept->len;
  const int64_t newest = lag->first + n - 1;
  const int64_t at = MAX (newest - lag->reach.ahead, 0);

  g_clear_pointer (&lag->neighbours, odl_neighbours_unref);
  lag->behind = (int) (newest - at);
  if (lag->behind == lag->reach.ahead) {
    lag->neighbours = odl_neighbours_new (at, ENDLESS);
    for (int i = 0; i < n; i++)
      odl_neighbours_put (lag->neighbours, lag->first + i, kept_at (lag, i)->image);
  }
  return kept_at (lag, at - lag->first);
}

static void
show (OdlSession *self)
{
  const Kept *shown = find_shown (self->lag);

  if (shown->image != self->image)
    self->moment = (OdlMoment){ 0 };
  odl_image_ref (shown->image);
  g_clear_pointer (&self->image, odl_image_unref);
  self->image = shown->image;
  self->index = shown->index;
}

void
odl_session_lag_take (OdlSession *self, bool jumped)
{
  OdlLag *lag = self->lag;
  const guint n = lag->kept->len;
  const bool captures = odl_session_info (self)->capture;

  if (jumped || !captures
      || (n > 0 && !odl_neighbours_are_alike (kept_at (lag, n - 1)->image, self->image)))
    begin (lag);
  if (!captures || lag->reach.past == 0)
    return;
  keep (self);
  set_reach (lag, lag->reach);
  show (self);
}

// The recipe may look further ahead than before, or less far.
void
odl_session_lag_settle (OdlSession *self)
{
  OdlLag *lag = self->lag;
  const OdlTimeReach reach
      = odl_session_info (self)->capture ? find_reach (self) : (OdlTimeReach){ 0 };

  if (reach.past == lag->reach.past && reach.ahead == lag->reach.ahead)
    return;
  if (lag->kept->len == 0)
    keep (self);
  set_reach (lag, reach);
  show (self);
  if (reach.past == 0)
    begin (lag);
}

OdlNeighbours *
odl_session_lag_neighbours (OdlSession *self)
{
  return self->lag->neighbours;
}

int
odl_session_lag_behind (OdlSession *self)
{
  return self->lag->neighbours ? self->lag->behind : 0;
}
