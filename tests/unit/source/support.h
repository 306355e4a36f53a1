// SPDX-License-Identifier: MIT
// What the tests of sources share: a folder of their own, and opening that must succeed
// or fail.
#pragma once

#include <gio/gio.h>

#include "source/source.h"

G_BEGIN_DECLS

// A new folder below the system's temporary one. Transfer full.
char *odl_test_folder (void);
void odl_test_remove_folder (const char *folder);

// Writes `size` bytes as `folder`/`name`. Transfer full.
char *
odl_test_write (const char *folder, const char *name, const void *data, size_t size);

// The same for the text of a program.
char *odl_test_write_program (const char *folder, const char *name, const char *text);

// A folder for each test: the fixture of g_test_add.
typedef struct {
  char *folder;
} OdlTestPlace;

void odl_test_set_up (OdlTestPlace *place, gconstpointer data);
void odl_test_tear_down (OdlTestPlace *place, gconstpointer data);

// The first frame; a failure to open ends the test.
OdlImage *odl_test_open (const char *path, OdlSource **source);

// The message with which opening fails; success ends the test.
char *odl_test_refusal (const char *path);

// Asserts that `text` contains `part`, and prints both if not.
void odl_test_contains (const char *path, const char *text, const char *part);

// A sample as it is stored.
double odl_test_sample (const OdlImage *image, int channel, int x, int y);

// Largest difference of stored samples; the images must have one shape.
double odl_test_difference (const OdlImage *a, const OdlImage *b);

// Path below shared/testdata, or NULL (and the test is skipped) where that is absent.
char *odl_test_data (const char *name);

int odl_test_count_fds (void);
int odl_test_count_threads (void);

// How many children the main thread of a process has, and the first ones, `most` of them.
int odl_test_children (pid_t parent, pid_t *pids, int most);

// The state of a process, as /proc/PID/stat has it; '\0': there is none.
char odl_test_process_state (pid_t pid);

G_END_DECLS
