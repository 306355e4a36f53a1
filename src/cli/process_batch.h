// SPDX-License-Identifier: MIT
// Many pictures at the same time: each is decoded and written by one of several threads,
// and filtered by the calling one, in order.
#pragma once

#include "cli/process.h"

// Whether the jobs of a task can be done at the same time: one still picture each, from
// files, without filters over time.
bool odl_batch_is_parallel (const OdlProcess *task);

// Does all jobs, task->n_jobs at a time. At most twice as many pictures are between
// decoding and writing, and task->budget bytes of them; the first one that is not done
// may need more, and is alone then.
// Says what one after the other would say, in the same order. Returns how many failed;
// *marked: the marks of all.
guint odl_batch_run (OdlProcess *task, gint64 *marked);
