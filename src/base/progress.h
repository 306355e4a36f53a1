// SPDX-License-Identifier: MIT
// How far a long computation is, and whether it is to be given up. Whoever computes tells
// and asks in passing; whoever waits looks and stops, from any other thread.
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "base/clock.h"

typedef struct {
  int permille; // done; read by any thread
  int stopped; // 1: to be given up
  int64_t until_ns; // time of odl_clock_now_ns at which it is given up; 0: never
  double from, span; // what part of all is at work, 0 … 1; of the thread that computes
  int counted; // how much of the part is done; of all threads that work on it
} OdlProgress;

static inline void
odl_progress_begin (OdlProgress *self)
{
  self->from = 0;
  self->span = 1;
  self->until_ns = 0;
  g_atomic_int_set (&self->counted, 0);
  g_atomic_int_set (&self->permille, 0);
  g_atomic_int_set (&self->stopped, 0);
}

static inline bool
odl_progress_stopped (const OdlProgress *self)
{
  return self != NULL
         && (g_atomic_int_get (&self->stopped) != 0
             || (self->until_ns != 0 && odl_clock_now_ns () >= self->until_ns));
}

// `done`: 0 … 1 of the part. False: give up. NULL: nobody waits.
static inline bool
odl_progress_tell (OdlProgress *self, double done)
{
  if (self == NULL)
    return true;
  g_atomic_int_set (&self->permille, (int) (1000 * (self->from + done * self->span)));
  return !odl_progress_stopped (self);
}

// `n` more of `total` pieces of the part are done, by whatever thread. False: give up.
static inline bool
odl_progress_count (OdlProgress *self, int n, int total)
{
  if (self == NULL)
    return true;
  const int counted = g_atomic_int_add (&self->counted, n) + n;

  return odl_progress_tell (self, MIN (1, (double) counted / total));
}

// Part `index` of `count` equal ones begins, of what was at work as `whole` was copied.
// False: give up.
static inline bool
odl_progress_part (OdlProgress *self, const OdlProgress *whole, int index, int count)
{
  if (self == NULL)
    return true;
  self->from = whole->from + whole->span * index / count;
  self->span = whole->span / count;
  g_atomic_int_set (&self->counted, 0);
  return odl_progress_tell (self, 0);
}

// What is at work now, for odl_progress_part.
static inline OdlProgress
odl_progress_whole (const OdlProgress *self)
{
  return self != NULL ? (OdlProgress){ .from = self->from, .span = self->span }
                      : (OdlProgress){ 0 };
}

static inline void
odl_progress_stop (OdlProgress *self)
{
  g_atomic_int_set (&self->stopped, 1);
}
