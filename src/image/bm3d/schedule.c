// SPDX-License-Identifier: MIT
#include "image/bm3d/schedule.h"

#include <string.h>

// Whether the last result, which was `step` frames before, has seen the same frames as
// one for which all is run anew would.
static bool
goes_on (const OdlBm3dSchedule *schedule,
         int past,
         int ahead,
         const guint64 *seen,
         int step)
{
  const int64_t now = schedule->now + step;
  const bool full = past == ODL_BM3D_PAST (schedule->frames);
  const int shift = schedule->past + step - past; // of seen[]
  const int n = MIN (schedule->past + 1 + schedule->ahead - shift, past + 1 + ahead);

  if (shift < 0 || (full ? schedule->first > now - past : schedule->first != now - past))
    return false;
  // The sequence ended, or went on, where it was thought to.
  if (ahead != schedule->ahead - step
      && !(ahead == schedule->ahead
           && (step == 0 || ahead == ODL_BM3D_AHEAD (schedule->frames))))
    return false;
  return memcmp (schedule->seen + shift, seen, (size_t) n * sizeof *seen) == 0;
}

void
odl_bm3d_schedule_move (OdlBm3dSchedule *schedule,
                        int past,
                        int ahead,
                        const guint64 *seen)
{
  int step = -1;

  for (int i = 0; schedule->any && i < 2 && step < 0; i++)
    step = goes_on (schedule, past, ahead, seen, i) ? i : -1;
  if (step >= 0) {
    schedule->now += step;
  } else {
    schedule->now = 0;
    schedule->first = -past;
    schedule->done = schedule->first - 1;
  }
  schedule->any = true;
  schedule->past = past;
  schedule->ahead = ahead;
  memcpy (schedule->seen, seen, (size_t) (past + 1 + ahead) * sizeof *seen);
}

int
odl_bm3d_schedule_place (const OdlBm3dSchedule *schedule, int64_t number)
{
  const int n = schedule->frames;

  return (int) ((number % n + n) % n);
}

// Frames that are centres at a time.
typedef struct {
  int64_t from, to; // none where they are the other way round
  bool anew; // of both steps, and what was there before is of no account
} Centres;

// Until then all frames are centres of both steps, time after time.
static int64_t
settled (const OdlBm3dSchedule *schedule)
{
  const int half = schedule->frames / 2;
  const int64_t begin = schedule->first + half;
  const int64_t most = schedule->first + ODL_BM3D_PAST (schedule->frames) - 2 * half - 1;

  return MAX (begin, MIN (most, schedule->now + schedule->ahead));
}

// Of step one, as far as frames that count have something of them.
static Centres
centres_at (const OdlBm3dSchedule *schedule, int64_t t)
{
  const int half = schedule->frames / 2;
  const int64_t end = schedule->now + schedule->ahead, last = MIN (t, end);
  const int64_t until = settled (schedule);
  const Centres none = { 0, -1, false };

  if (last < schedule->now - 2 * half)
    return none;
  if (t <= until)
    return t == MIN (until, schedule->now + half)
               ? (Centres){ schedule->first, last, true }
               : none;
  return t <= end ? (Centres){ t, t, false } : none;
}

// Of step two.
static Centres
seconds_at (const OdlBm3dSchedule *schedule, int64_t t)
{
  const int64_t centre = t - schedule->frames / 2;
  const Centres centres = centres_at (schedule, t);

  if (t < schedule->now || (t <= settled (schedule) && !centres.anew))
    return (Centres){ 0, -1, false };
  return centres.anew ? centres : (Centres){ centre, centre, false };
}

static void
add (GArray *acts, OdlBm3dAct act)
{
  g_array_append_val (acts, act);
}

static void
add_passes (GArray *acts, int step, Centres centres, int64_t first, int64_t last)
{
  if (centres.anew)
    add (acts, (OdlBm3dAct){ ODL_BM3D_CLEAR, step, 0, first, last });
  for (int64_t centre = centres.from; centre <= centres.to; centre++)
    add (acts, (OdlBm3dAct){ ODL_BM3D_PASS, step, centre, first, last });
}

// What time `t` brings: a frame, unless the sequence ended, and both steps.
static void
add_time (const OdlBm3dSchedule *schedule, int64_t t, GArray *acts)
{
  const int64_t last = MIN (t, schedule->now + schedule->ahead);
  const int64_t first = MAX (last - schedule->frames + 1, schedule->first);
  const Centres seconds = seconds_at (schedule, t);

  if (t == last)
    add (acts, (OdlBm3dAct){ .kind = ODL_BM3D_ENTER, .frame = t });
  add_passes (acts, 0, centres_at (schedule, t), first, last);
  if (seconds.to >= seconds.from)
    add (acts, (OdlBm3dAct){ ODL_BM3D_GUIDES, 0, 0, first, last });
  add_passes (acts, 1, seconds, first, last);
}

GArray *
odl_bm3d_schedule_acts (OdlBm3dSchedule *schedule)
{
  GArray *acts = g_array_new (FALSE, FALSE, sizeof (OdlBm3dAct));
  const int64_t last = schedule->now + schedule->frames / 2;

  for (int64_t t = schedule->done + 1; t <= last; t++)
    add_time (schedule, t, acts);
  schedule->done = MAX (schedule->done, last);
  return acts;
}
