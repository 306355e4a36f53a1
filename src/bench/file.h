// SPDX-License-Identifier: MIT
// Writing report files.
#pragma once

#include <glib.h>
#include <stdbool.h>

// Checks that `path` is writable, before minutes of measuring. ODL_ERROR_IO. Leaves
// nothing behind.
bool odl_bench_file_check (const char *path, GError **error);

// Writes a file atomically, replacing an existing one and following symbolic links;
// devices and pipes are written directly. "-" is standard output. ODL_ERROR_IO.
bool odl_bench_file_write (const char *path, const char *text, GError **error);
