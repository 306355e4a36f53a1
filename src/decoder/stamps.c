// SPDX-License-Identifier: MIT
#include "decoder/stamps.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define NS_PER_S 1e9
#define MOST_FRAMES_PER_S 1e7
// What is longer is no pause.
#define MAX_PAUSE_S 86400.0
// Fraction of the mean distance by which volumes may be off it.
#define UNEVEN 0.02

// Converts time stamps to times from 0 on, if valid.
static bool
to_times (const double *stamps_s, uint32_t n, int64_t *times_ns)
{
  times_ns[0] = 0;
  for (uint32_t i = 1; i < n; i++) {
    const double pause = stamps_s[i] - stamps_s[i - 1];
    times_ns[i] = times_ns[i - 1] + llround (CLAMP (pause, 0, MAX_PAUSE_S) * NS_PER_S);
    if (!(pause > 0 && pause <= MAX_PAUSE_S) || times_ns[i] <= times_ns[i - 1])
      return false;
  }
  // The last frame stays as long as the one before it.
  times_ns[n] = 2 * times_ns[n - 1] - times_ns[n - 2];
  return true;
}

void
odl_stamps_set (OdlPicture *picture, const double *stamps_s, size_t n, const char *name)
{
  const uint32_t n_frames = picture->reply.n_frames;

  if (n_frames < 2 || n == 0)
    return;
  g_autofree int64_t *times_ns = g_new (int64_t, n_frames + 1);
  if (n < n_frames || !to_times (stamps_s, n_frames, times_ns)) {
    odl_picture_warn (picture, _ ("its %s is invalid and is ignored"), name);
    return;
  }
  odl_picture_set_times (picture, times_ns, n_frames + 1);
  picture->reply.frame_rate = MIN (
      (n_frames - 1) * NS_PER_S / (double) times_ns[n_frames - 1], MOST_FRAMES_PER_S);
  picture->timing = g_strdup (name);
}

void
odl_stamps_set_volumes (OdlPicture *picture,
                        const double *stamps_s,
                        size_t n,
                        const char *name)
{
  const uint32_t n_volumes = picture->reply.n_frames / MAX (picture->reply.n_slices, 1);
  bool is_sane = n >= n_volumes, is_even = true;

  if (n_volumes < 2 || n == 0)
    return;
  const double mean
      = is_sane ? (stamps_s[n_volumes - 1] - stamps_s[0]) / (n_volumes - 1) : 0;
  for (uint32_t i = 1; i < n_volumes && is_sane; i++) {
    const double pause = stamps_s[i] - stamps_s[i - 1];
    is_sane = pause > 0 && pause <= MAX_PAUSE_S;
    is_even &= pause > mean * (1 - UNEVEN) && pause < mean * (1 + UNEVEN);
  }
  if (!is_sane) {
    odl_picture_warn (picture, _ ("its %s is invalid and is ignored"), name);
    return;
  }
  odl_picture_detail (picture, "volume-interval-s", "%.9g", mean);
  if (!is_even)
    odl_picture_warn (picture, _ ("its volumes are not equally far apart in time: they "
                                  "play at the mean distance"));
}
