// SPDX-License-Identifier: MIT
// Memory that is lent to a video decoder, and then holds a picture: chunks of several
// blocks, which nobody can resize.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct _OdlVideoBlocks OdlVideoBlocks;

typedef struct {
  OdlVideoBlocks *blocks;
  uint32_t chunk; // its number
  uint64_t chunk_bytes;
  uint64_t offset; // in the chunk
  size_t bytes;
  const uint8_t *data; // as this process sees it, read only
} OdlVideoBlock;

OdlVideoBlocks *odl_video_blocks_new (void);

// Gives up those that nobody holds; the others as soon as they come back.
void odl_video_blocks_free (OdlVideoBlocks *blocks);

// A block of at least `bytes`. ODL_ERROR_TOO_LARGE.
OdlVideoBlock *
odl_video_blocks_take (OdlVideoBlocks *blocks, size_t bytes, GError **error);

// Gives a block back; for image release functions. Any thread.
void odl_video_block_give (void *block);

// The descriptor of the block's chunk, if the helper has not got it; −1: it has. It stays
// the callee's.
int odl_video_blocks_tell (OdlVideoBlocks *blocks, const OdlVideoBlock *block);

// There is another helper, which has got none.
void odl_video_blocks_forget_told (OdlVideoBlocks *blocks);

// Numbers of chunks that were given up and the helper still has, `max` at most.
uint32_t odl_video_blocks_recall (OdlVideoBlocks *blocks, uint32_t *chunks, uint32_t max);

G_END_DECLS
