// SPDX-License-Identifier: MIT
// What a data set is, by a walk over its beginning that keeps nothing else. Values are
// never collected, so that no length in a data set asks for memory.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "decoder/dicom/syntax.h"
#include "network/protocol.h"

// Reads the data set that begins at `offset` of a file. False: it is damaged before the
// UIDs of study, series and instance, or one of these is missing or too long.
bool odl_dataset_look (int fd,
                       uint64_t offset,
                       const OdlDicomSyntax *syntax,
                       OdlNetworkFacts *facts);

// Name and number of the patient as UTF-8, in the character set that was found.
void odl_dataset_decode (OdlNetworkFacts *facts);

// Reads the file meta information (PS3.10 7.1): the transfer syntax, and where the data
// set begins. Without one, 0, and explicit or implicit little endian, as it looks. False:
// it is no DICOM file.
bool odl_dataset_find (int fd, char syntax[ODL_NETWORK_UID], uint64_t *offset);
