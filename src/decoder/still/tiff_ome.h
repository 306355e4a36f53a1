// SPDX-License-Identifier: MIT
// OME-XML in the description of a TIFF file.
#pragma once

#include "decoder/still/tiff_words.h"

// Adds what it says of its first picture. Texts that are no XML, or have entities, say
// nothing. Nothing outside of the text is read.
void odl_tiff_ome_read (OdlTiffWords *words, const char *text, uint32_t n_pages);
