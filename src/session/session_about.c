// SPDX-License-Identifier: MIT
// Stored pictures that follow each other, whose filters look at those before and after:
// the player reads them with each one (odl_player_set_reach).
#include "session/session_private.h"

struct _OdlAbout {
  OdlTimeReach reach; // that the player reads for
  OdlNeighbours *neighbours; // about the session's image; NULL: not there, or none count
  bool awaits; // they are being read
};

OdlAbout *
odl_about_new (void)
{
  return g_new0 (OdlAbout, 1);
}

void
odl_about_free (OdlAbout *about)
{
  odl_neighbours_unref (about->neighbours);
  g_free (about);
}

// Takes ownership.
static void
put (OdlAbout *about, OdlNeighbours *neighbours)
{
  odl_neighbours_unref (about->neighbours);
  about->neighbours = neighbours;
}

static OdlTimeReach
larger (OdlTimeReach a, OdlTimeReach b)
{
  return (OdlTimeReach){ MAX (a.ahead, b.ahead), MAX (a.past, b.past),
                         a.wraps || b.wraps };
}

// Of the recipe in force and of one that it is compared with. Volumes are read by
// session_volume.c, what a camera sends is kept by session_render.c.
static OdlTimeReach
find_reach (OdlSession *self)
{
  const OdlTimeReach none = { 0 };
  if (!odl_playback_player (self->playback) || odl_session_info (self)->capture
      || odl_session_is_volume (self))
    return none;
  const OdlGeometry geometry = odl_session_geometry (self, self->image);
  const OdlTimeReach own = odl_plan_time_reach (odl_session_recipe (self), &geometry);
  return self->has_other
             ? larger (own, odl_plan_time_reach (&self->other.recipe, &geometry))
             : own;
}

void
odl_session_about_settle (OdlSession *self)
{
  OdlAbout *about = self->about;
  const OdlTimeReach reach = find_reach (self), before = about->reach;

  if (reach.past == before.past && reach.ahead == before.ahead
      && reach.wraps == before.wraps)
    return;
  about->reach = reach;
  about->awaits = reach.past > 0;
  put (about, NULL);
  if (odl_playback_player (self->playback))
    odl_player_set_reach (odl_playback_player (self->playback), reach);
}

void
odl_session_about_begin (OdlSession *self)
{
  put (self->about, NULL);
  self->about->reach = (OdlTimeReach){ 0 };
  self->about->awaits = false;
}

void
odl_session_about_take (OdlSession *self, OdlNeighbours *neighbours)
{
  put (self->about, neighbours);
  self->about->awaits = self->about->reach.past > 0 && !neighbours;
}

void
odl_session_about_came (OdlSession *self, int64_t index, OdlNeighbours *neighbours)
{
  if (!self->about->awaits || index != self->index) {
    odl_neighbours_unref (neighbours);
    return;
  }
  put (self->about, neighbours);
  self->about->awaits = false;
  odl_session_mark (self, ODL_MARK_PICTURE);
}

bool
odl_session_awaits_about (OdlSession *self)
{
  return self->about->awaits;
}

bool
odl_session_looks_about (OdlSession *self)
{
  return self->about->reach.past > 0;
}

OdlNeighbours *
odl_session_about_neighbours (OdlSession *self)
{
  return self->about->neighbours;
}

// By number, issuer, day of birth and family name (decoder/dicom/person.h: what is known
// begins with "=").
bool
odl_session_are_strangers (OdlSession *self, OdlSession *other)
{
  const char *one = odl_session_detail (self, "person");
  const char *two = odl_session_detail (other, "person");
  if (self == other || !one || !two
      || g_strcmp0 (odl_session_info (self)->location, odl_session_info (other)->location)
             == 0)
    return false;
  return !g_str_has_prefix (one, "=") || !g_str_equal (one, two);
}
