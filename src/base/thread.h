// SPDX-License-Identifier: MIT
// Threads that need not be had: g_thread_new ends the program where the system refuses
// one.
#pragma once

#include <glib.h>

// A thread that runs `func`. NULL: ODL_ERROR_TOO_LARGE, the system allows no more of them
// (for tests: ODL_FAULT=thread/new). Any thread.
GThread *odl_thread_new (const char *name, GThreadFunc func, void *data, GError **error);

// Likewise, for work that any thread may do. NULL: the calling one has done it.
GThread *odl_thread_or_here (const char *name, GThreadFunc func, void *data);

// Waits for it; NULL: there is none.
void odl_thread_join (GThread *thread);
