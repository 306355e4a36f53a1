// SPDX-License-Identifier: MIT
// What the main thread and the two threads of a player share, and what the threads leave
// for the main thread: frames, errors and news, for which it is called back.
#pragma once

#include "base/error.h"
#include "session/player/frame_cache.h"
#include "session/player/mailbox.h"
#include "session/player/player.h"

// The frame on screen, the one being made room for, and the least that waits ahead.
#define ODL_PLAYER_MIN_FRAMES 5

// Frames of a lead-in that wait to be taken.
#define ODL_PLAYER_LED 2

struct _OdlPlayer {
  gatomicrefcount ref_count; // owner, threads, pending deliveries
  GMutex mutex; // guards the fields up to the empty line
  GCond changed; // of anything below
  bool stopping;
  bool playing;
  bool fast; // as fast as possible: frames are due when others are finished
  int stride; // frames of the timeline that one delivery may move on by; 0: the clock
              // decides
  int unfinished; // frames that were delivered and are still worked on
  OdlTimeline timeline;
  int64_t base; // frame that was shown at base_ns
  int base_direction;
  int64_t base_ns;
  int64_t steps; // since the base, of the last frame handed over
  int64_t shown; // the last frame handed over; −1 before the first
  int direction; // in which it was played
  int64_t seek; // −1: none
  int64_t wanted; // what the clock waits for; −1: nothing
  unsigned bases; // how often the base was set
  bool ended;
  GError *error; // to be reported
  int64_t lead_next, lead_end; // frames of a lead-in that are still to be read
  OdlImage *led[ODL_PLAYER_LED]; // that were read, the oldest first
  OdlNeighbours *led_about[ODL_PLAYER_LED]; // and those about them; NULL: as in OdlPlayed
  int n_led;
  bool lead_failed;
  bool lead_news; // to be told
  OdlTimeReach reach; // frames before and after one that are handed over with it
  unsigned reaches; // how often it was set
  bool owes; // the last frame handed over had not yet those about it
  bool about_failed; // nor will it: one cannot be read
  OdlNeighbours *about; // of frame `about_index`; NULL: it stands alone
  int64_t about_index;
  bool about_news; // to be told
  OdlFrameCache *cache;
  OdlImage *like; // what a damaged frame should look like

  OdlMailbox mailbox;
  OdlSource *source; // read by the reader's thread alone
  bool capture;
  bool again; // frames can be read again, so the cache is worth its bytes
  GCancellable *cancellable;
  GMainContext *context;
  GThread *reader;
  GThread *clock; // NULL for a capture
  OdlPlayerCb cb; // called in `context` only, and so is stop
  void *data;
};

OdlPlayer *odl_player_ref (OdlPlayer *player);
void odl_player_unref (void *player);

// All that follow with the mutex held.
// Frames of a lead-in that were read and not taken are forgotten.
void odl_player_drop_led (OdlPlayer *player);
// The main thread is called back, from its loop, with what was left for it.
void odl_player_queue_delivery (OdlPlayer *player);
// Leaves an error for it. Transfer full.
void odl_player_report (OdlPlayer *player, GError *error);
// Leaves word that the lead-in went on.
void odl_player_tell_lead_in (OdlPlayer *player);
// Leaves a frame (transfer full), which is due now unless `mail` says when.
void odl_player_hand_over (OdlPlayer *player, OdlMail mail);
// Restarts the clock at the frame on screen.
void odl_player_rebase (OdlPlayer *player);
