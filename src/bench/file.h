// SPDX-License-Identifier: MIT
// Reports of the benchmark as files.
#pragma once

#include <glib.h>
#include <stdbool.h>

// Whether `path` could be written now: what cannot is to be said before minutes of
// measuring, not after them. ODL_ERROR_IO. Leaves nothing behind.
bool odl_bench_file_check (const char *path, GError **error);

// Writes the whole file, in the place of what is there, through symbolic links; to a
// device or a pipe directly. "-" is standard output. ODL_ERROR_IO.
bool odl_bench_file_write (const char *path, const char *text, GError **error);
