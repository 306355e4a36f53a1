// SPDX-License-Identifier: MIT
// Threads that run loops together, for parallel.c alone.
//
// Whoever starts a loop works at once and takes what nobody has taken yet, so that a
// thread that wakes late, or never gets a processor, is not waited for before it has
// begun. Threads look for the next loop for some tens of microseconds, then they sleep.
// All threads of a program share one set of them, those of least priority another one.
#pragma once

typedef void (*OdlTeamFunc) (void *data);

// Calls `func` once for each of `n` members, in this thread and others, and returns when
// all are done. Inside a member, and in one loop within another, `n` is taken as 1.
void odl_team_run (int n, OdlTeamFunc func, void *data);

// Of the call in progress; 0 of 1 outside.
int odl_team_member (void);
int odl_team_members (void);

// To be called when the priority of the calling thread has changed.
void odl_team_forget_priority (void);
