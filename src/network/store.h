// SPDX-License-Identifier: MIT
// Storage (PS3.4 B) by a peer: instances are written as they come, byte for byte, into
// files of the parent.
#pragma once

#include "network/association.h"
#include "network/command.h"

typedef struct {
  OdlAssociation *association;
  uint64_t most_bytes;
  int file_fd; // of the next instance; −1: the parent has none
  bool alone; // the parent has gone
  OdlNetworkEnd end;
} OdlStore;

// Reads the data set of a storage request, tells of it and answers as the parent orders.
// False: self->end, or self->alone.
bool odl_store_instance (OdlStore *self, uint8_t context, const OdlCommand *asked);

// Answers a request without asking the parent. False: self->end.
bool odl_store_answer (OdlStore *self,
                       uint8_t context,
                       const OdlCommand *asked,
                       uint32_t status);
