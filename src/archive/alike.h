// SPDX-License-Identifier: MIT
// Whether two files are one instance in two transfer syntaxes.
#pragma once

#include <stdbool.h>

// Whether a file without a name and one that is there say that they have different
// transfer syntaxes, and are the same without compression, by the decoder: every element,
// and every sample. What a lossy codec gives back otherwise is not the same. Blocks.
bool odl_is_alike (int fd, const char *path);
