// SPDX-License-Identifier: MIT
// Messages of an association (PS3.7): command sets, and data sets from and to files.
#pragma once

#include "network/association.h"
#include "network/command.h"

// Reads the next command, and in which context it came. False: *end.
bool odl_message_read_command (OdlAssociation *association,
                               OdlCommand *command,
                               uint8_t *context,
                               OdlNetworkEnd *end);

bool odl_message_write_command (OdlAssociation *association,
                                uint8_t context,
                                const OdlCommand *command,
                                OdlNetworkEnd *end);

// Reads a data set to the end and appends it to a file; −1: it is let go. *code is the
// errno where it cannot be written, or EFBIG beyond `most` bytes; it is read to the end
// all the same. False: *end.
bool odl_message_read_data (OdlAssociation *association,
                            uint8_t context,
                            int fd,
                            uint64_t most,
                            int *code,
                            OdlNetworkEnd *end);

// Writes what a file has from `offset` on. False: *end, or *code, an errno, where the
// file cannot be read, after which the association is of no use.
bool odl_message_write_data (OdlAssociation *association,
                             uint8_t context,
                             int fd,
                             uint64_t offset,
                             int *code,
                             OdlNetworkEnd *end);
