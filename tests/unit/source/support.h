// SPDX-License-Identifier: MIT
// Helpers for tests of sources: temporary folders, and opening that must succeed or
// fail.
#pragma once

#include <gio/gio.h>

#include "source/source.h"

G_BEGIN_DECLS

// A new folder in the system's temporary folder. Transfer full.
char *odl_test_folder (void);
void odl_test_remove_folder (const char *folder);

// Writes `size` bytes as `folder`/`name`. Transfer full.
char *
odl_test_write (const char *folder, const char *name, const void *data, size_t size);

// Likewise, an executable text file.
char *odl_test_write_program (const char *folder, const char *name, const char *text);

// Fixture of g_test_add: a folder per test.
typedef struct {
  char *folder;
} OdlTestPlace;

void odl_test_set_up (OdlTestPlace *place, gconstpointer data);
void odl_test_tear_down (OdlTestPlace *place, gconstpointer data);

// The first frame; fails the test if opening fails.
OdlImage *odl_test_open (const char *path, OdlSource **source);

// The error message of opening; fails the test if it succeeds.
char *odl_test_refusal (const char *path);

// Asserts that `text` contains `part`; prints both otherwise.
void odl_test_contains (const char *path, const char *text, const char *part);

// A stored sample.
double odl_test_sample (const OdlImage *image, int channel, int x, int y);

// Largest difference of stored samples; the images must have the same shape.
double odl_test_difference (const OdlImage *a, const OdlImage *b);

int odl_test_count_fds (void);
int odl_test_count_threads (void);

// Number of children of a process's main thread; stores up to `most` of them.
int odl_test_children (pid_t parent, pid_t *pids, int most);

// State of a process as in /proc/PID/stat; '\0': no such process.
char odl_test_process_state (pid_t pid);

G_END_DECLS
