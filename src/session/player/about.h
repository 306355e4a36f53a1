// SPDX-License-Identifier: MIT
// The frames about one that are handed over with it, for filters that look at them. All
// with the player's mutex held.
#pragma once

#include "session/player/state.h"

// The first frame about `index` that was not read yet; −1: none.
int64_t odl_player_lacks_about (const OdlPlayer *player, int64_t index);
// Those about `index`, if all were read and have its size and range; else NULL. Transfer
// full.
OdlNeighbours *odl_player_find_about (const OdlPlayer *player, int64_t index);
// The last frame handed over is to have those about it (anew), as soon as they were read.
void odl_player_owe_about (OdlPlayer *player);
// They may have been read now.
void odl_player_settle_about (OdlPlayer *player);
