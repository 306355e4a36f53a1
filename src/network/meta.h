// SPDX-License-Identifier: MIT
// The beginning of a DICOM file (PS3.10 7.1). It says nothing about who sent it, so that
// the same instance in the same transfer syntax is the same file.
#pragma once

#include "network/command.h"

// Writes it to an empty file. Returns where the data set begins. *code is an errno, 0
// for success.
uint64_t odl_meta_write (int fd, const OdlCommand *asked, const char *syntax, int *code);
