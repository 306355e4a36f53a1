// SPDX-License-Identifier: MIT
// A thread that reads frames of a moving source by the clock and leaves them in a
// mailbox. Frames that are late are dropped; the cine never slows down.
#pragma once

#include "source/source.h"

G_BEGIN_DECLS

typedef struct _OdlPlayer OdlPlayer;

// Called in the main context that was the thread's default in odl_player_new. Either a
// frame (transfer full) or an error (transfer none).
typedef void (*OdlPlayerCb) (OdlImage *image,
                             int64_t index,
                             const GError *error,
                             void *data);

// A paused player. `next` is the index of the first frame that it will deliver.
OdlPlayer *odl_player_new (OdlSource *source, int64_t next, OdlPlayerCb cb, void *data);

// No callback comes after this. The thread ends by itself, its read cancelled; with
// `wait` it has ended on return.
void odl_player_stop (OdlPlayer *player, bool wait);

void odl_player_set_playing (OdlPlayer *player, bool playing);

// Frames that nobody saw. Any thread.
guint64 odl_player_dropped (OdlPlayer *player);

// The frame that belongs on screen `elapsed_us` after `base` was shown. Pure.
int64_t odl_player_index_at (int64_t base, int64_t elapsed_us, double frame_rate);

G_END_DECLS
