// SPDX-License-Identifier: MIT
// Thread pool for parallel loops; used by parallel.c only.
//
// The thread that starts a loop runs members itself and takes any that no other thread
// has taken, so it never waits for a thread that has not started. Idle threads spin for
// some tens of microseconds, then sleep. All threads of the program share one pool;
// those of lowest priority share another.
#pragma once

typedef void (*OdlTeamFunc) (void *data);

// Calls `func` once for each of `n` members, on this and other threads; returns when all
// are done. Nested calls run with n = 1.
void odl_team_run (int n, OdlTeamFunc func, void *data);

// Index and count in the current call; 0 and 1 outside.
int odl_team_member (void);
int odl_team_members (void);

// Call this after changing the priority of the calling thread.
void odl_team_forget_priority (void);
