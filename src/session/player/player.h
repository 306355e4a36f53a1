// SPDX-License-Identifier: MIT
// Plays a moving source in real time. One thread reads frames ahead into a cache, in play
// direction; another one delivers those that are due. Late frames are dropped and
// counted; playing never slows down. Frames of a capture are delivered as they come. As
// fast as possible, every frame is delivered, the next one when another is finished.
#pragma once

#include "plan/plan.h"
#include "session/player/timeline.h"
#include "source/source.h"

typedef struct _OdlPlayer OdlPlayer;

// What the player reports. Either image or error is set, or neither when only `ended`,
// `lead_in` or `about_came` is true.
typedef struct {
  OdlImage *image; // transfer full
  OdlNeighbours *about; // transfer full: the frames about it (odl_player_set_reach);
                        // NULL: they come later, or never
  int64_t index;
  bool seeking; // a requested frame has not arrived yet
  bool jumped; // does not follow the frame before: after a seek, a wrap, the start
  // Monotonic times. `due_us`: the frame should be on screen; that of a seek as soon as
  // it is read. `chosen_us`: the clock thread found that it was due.
  int64_t due_us;
  int64_t chosen_us;
  int64_t arrived_us; // it was delivered
  guint64 dropped; // frames that nobody saw before it
  const GError *error; // borrowed. Playing goes on after a damaged frame and after a
                       // capture's silence; else it has stopped
  bool ended; // the last frame of a range that is played once is on screen
  bool lead_in; // odl_player_take_lead_in has a result
  bool about_came; // those about frame `index`, which was delivered before; `about` NULL:
                   // it stands alone, since one cannot be read or is of another kind
} OdlPlayed;

// Called in the main context that was the thread's default in odl_player_new.
typedef void (*OdlPlayerCb) (const OdlPlayed *played, void *data);

typedef struct {
  guint64 dropped; // frames that nobody saw
  int64_t n_frames; // as known by now; 0: the end is not known
  size_t cached_bytes;
  int cached_frames;
} OdlPlayerStats;

// A paused player; `first` (may be NULL) is frame 0, which was read and shown already.
// `cache_bytes` bounds the cache of sources that can be read again.
OdlPlayer *odl_player_new (OdlSource *source,
                           OdlImage *first,
                           size_t cache_bytes,
                           OdlPlayerCb cb,
                           void *data);

// The callback is not called afterwards. Cancels reading; the threads end by themselves,
// with `wait` before this returns.
void odl_player_stop (OdlPlayer *player, bool wait);

// Frames that are delivered and worked on at a time, when playing as fast as possible or
// with a stride.
#define ODL_PLAYER_AT_WORK 2

// Main thread, none blocks.
void odl_player_set_playing (OdlPlayer *player, bool playing);
// Pauses at frame `index`, which is on screen, and had `dropped` before it: later ones
// that were not delivered yet never will be, and playing goes on after it.
void odl_player_hold (OdlPlayer *player, int64_t index, guint64 dropped);
void odl_player_set_speed (OdlPlayer *player, double speed); // or ODL_SPEED_FAST
// With n > 0 a frame is at most so many (as the timeline counts: frames, or volumes)
// after the one before it: where the clock is further, it waits, and so it does while the
// receiver works on two. 0, as at first: the clock drives.
void odl_player_set_stride (OdlPlayer *player, int n);
// The receiver still works on so many of the frames that were delivered.
void odl_player_set_unfinished (OdlPlayer *player, int n_frames);
// Of frames without times of their own.
void odl_player_set_frame_rate (OdlPlayer *player, double frame_rate);
void odl_player_set_repeat (OdlPlayer *player, OdlRepeat repeat);
void odl_player_set_range (OdlPlayer *player, int64_t first, int64_t last);
// While it plays: delays all frames that are not due yet by `us`.
void odl_player_set_back (OdlPlayer *player, int64_t us);
void odl_player_set_cache_bytes (OdlPlayer *player, size_t bytes);

// The frame that is due after `index` while it plays; −1: none.
int64_t odl_player_following (OdlPlayer *player, int64_t index);

// From now on frames are delivered with so many before and after them, by the order of
// the sequence. What is played waits for them; what was sought, and the frame that was
// delivered last, gets them later (`about_came`) where they were not read yet. Those
// about the current frame are kept, whatever the size of the cache.
void odl_player_set_reach (OdlPlayer *player, OdlTimeReach reach);

// Delivers frame `index` as soon as it is read, playing or not; the last call wins.
void odl_player_seek (OdlPlayer *player, int64_t index);

// Reads frames `first` to `end` − 1 in order, for odl_player_take_lead_in, a few ahead;
// of volumes over time every one's slice that `first` is of the first. The frame that is
// waited for is read before these, frames ahead after them. The last call wins; `first`
// equal to `end` ends the lead-in.
void odl_player_lead_in (OdlPlayer *player, int64_t first, int64_t end);

typedef enum {
  ODL_LED_NOT_YET, // the callback comes when there is one
  ODL_LED_FRAME,
  ODL_LED_FAILED, // one cannot be read; a damaged one is shown as such
} OdlLed;

// The next frame of the lead-in, with those about it, if any are wanted. Transfer full.
OdlLed
odl_player_take_lead_in (OdlPlayer *player, OdlImage **image, OdlNeighbours **about);

// As odl_frame_cache_mark. False, and nothing set, while the end is not known. Any
// thread.
bool odl_player_mark (OdlPlayer *player, int n_marks, uint8_t *marks);

// Any thread.
OdlPlayerStats odl_player_stats (OdlPlayer *player);
