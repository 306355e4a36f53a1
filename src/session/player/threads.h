// SPDX-License-Identifier: MIT
// The two threads of a player: one reads frames ahead, or passes on those of a capture;
// the other hands over the one that the clock, or a seek, makes due. Each owns a
// reference of the player, which it gives back at its end.
#pragma once

// `player`: an OdlPlayer, transfer full. NULL is returned.
void *odl_player_reader_thread (void *player);
void *odl_player_clock_thread (void *player);
