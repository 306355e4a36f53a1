// SPDX-License-Identifier: MIT
// Processes many pictures at the same time: several threads decode and write them, the
// calling thread filters them in order.
#pragma once

#include "cli/process/process.h"

// Whether the jobs of a task can be done at the same time: one still picture each, from
// files, without filters over time.
bool odl_batch_is_parallel (const OdlProcess *task);

// Does all jobs, task->n_jobs at a time. Between decoding and writing there are at most
// twice as many pictures, and at most task->budget bytes; a picture that needs more than
// that is processed alone. Messages come in the order of the jobs. Returns the number of
// jobs that failed; *marked: the sum of their marks.
guint odl_batch_run (OdlProcess *task, gint64 *marked);
