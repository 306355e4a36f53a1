// SPDX-License-Identifier: MIT
// How the source of a session is played: position, speed, range, rate and cache. Main
// thread; nothing blocks.
#pragma once

#include "session/player/player.h"

typedef struct _OdlPlayback OdlPlayback;

// What a seek or a step does besides: a step pauses first.
typedef struct {
  void (*seeks) (void *data);
  void (*pauses) (void *data);
} OdlPlaybackClass;

OdlPlayback *odl_playback_new (const OdlPlaybackClass *klass, void *data);
void odl_playback_free (OdlPlayback *playback);

// Another source is in place, with its first frame; with speed 1, a loop and the full
// range. `cb` as in odl_player_new; it is not called for a still.
void odl_playback_take (OdlPlayback *playback,
                        OdlSource *source,
                        OdlImage *first,
                        OdlPlayerCb cb,
                        void *data);
// With `wait` its threads have ended on return.
void odl_playback_stop (OdlPlayback *playback, bool wait);

OdlPlayer *odl_playback_player (OdlPlayback *playback); // NULL for stills
bool odl_playback_is_moving (const OdlPlayback *playback);

// 0 as long as the end of a stream is not known. A phantom counts one period.
int64_t odl_playback_n_frames (OdlPlayback *playback);

// Frames that have one time: the slices of each volume of a source of volumes over time,
// of which one place is played; else 1.
int64_t odl_playback_group (OdlPlayback *playback);
// To another group, at the same place in it; by so many groups, as odl_playback_step.
void odl_playback_seek_group (OdlPlayback *playback, int64_t group);
void odl_playback_step_group (OdlPlayback *playback, int groups);

// Shows frame `index` as soon as it has been read, playing or not. A step from an end of
// the range leads to the other end. Steps count from the requested frame, which may not
// have arrived yet.
void odl_playback_seek (OdlPlayback *playback, int64_t index);
void odl_playback_step (OdlPlayback *playback, int frames);
int64_t odl_playback_position (const OdlPlayback *playback); // shown or requested
bool odl_playback_is_seeking (const OdlPlayback *playback);

// Pauses at frame `index`, which is on screen; see odl_player_hold.
void odl_playback_hold (OdlPlayback *playback, int64_t index, guint64 dropped);

// The player has delivered frame `index`, or failed (−1); `seeking`: a requested frame
// has not arrived yet.
void odl_playback_arrived (OdlPlayback *playback, int64_t index, bool seeking);

// `first` and `last` are both included, and may lie beyond the frames that there are.
typedef struct {
  double speed; // or ODL_SPEED_FAST
  OdlRepeat repeat;
  int64_t first, last;
} OdlPlayMode;

const OdlPlayMode *odl_playback_mode (const OdlPlayback *playback);
// Of a capture, nothing changes.
void odl_playback_set_speed (OdlPlayback *playback, double speed);
bool odl_playback_is_fast (const OdlPlayback *playback); // as fast as possible
void odl_playback_set_repeat (OdlPlayback *playback, OdlRepeat repeat);
void odl_playback_set_range (OdlPlayback *playback, int64_t first, int64_t last);

// The range within the frames that there are. `whole`: it is all of them.
typedef struct {
  int64_t first, last;
  bool whole;
} OdlPlayRange;

OdlPlayRange odl_playback_range (OdlPlayback *playback);

// Frames per second; 0 without a source.
double odl_playback_frame_rate (const OdlPlayback *playback);
// A phantom's rate, ODL_RATE_MIN … ODL_RATE_MAX. Sources with an end and captures have
// rates of their own: nothing changes.
void odl_playback_set_frame_rate (OdlPlayback *playback, double frame_rate);
// The rate of frames whose source states none, such as numbered pictures, now and of
// later sources; ODL_DEFAULT_FRAME_RATE at first. Same bounds.
void odl_playback_set_default_rate (OdlPlayback *playback, double frame_rate);
// The source in place states none.
bool odl_playback_uses_default_rate (const OdlPlayback *playback);

// When frame `index` appears at speed 1, and how long all of it takes; seconds. 0 for the
// length where no end is known.
double odl_playback_time_s (OdlPlayback *playback, int64_t index);
double odl_playback_length_s (OdlPlayback *playback);

// How long frame `index` stays on screen while it plays at the present speed, in seconds,
// if that is so long that it seems to have stopped (ODL_PAUSE_S); else 0.
double odl_playback_pause_s (OdlPlayback *playback, int64_t index);
// The frame that follows, at once; it plays on from there.
void odl_playback_skip_pause (OdlPlayback *playback);

// Bound of the cache of frames. At first the default: a quarter of the machine's memory,
// at most 2 GiB.
size_t odl_playback_default_cache_bytes (void);
void odl_playback_set_cache_bytes (OdlPlayback *playback, size_t bytes);
size_t odl_playback_cache_bytes (const OdlPlayback *playback);

// All zero for a still.
OdlPlayerStats odl_playback_stats (OdlPlayback *playback);

// The state of the frames, see odl_frame_cache_mark. False while the length is unknown,
// or for fewer frames than marks.
bool odl_playback_mark (OdlPlayback *playback, int n_marks, uint8_t *marks);
