// SPDX-License-Identifier: MIT
// Memory for decoded video frames, shared with the helper: chunks (sealed memory
// files) divided into blocks.
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct _OdlVideoBlocks OdlVideoBlocks;

typedef struct {
  OdlVideoBlocks *blocks;
  uint32_t chunk; // chunk number
  uint64_t chunk_bytes;
  uint64_t offset; // within the chunk
  size_t bytes;
  const uint8_t *data; // read-only mapping in this process
} OdlVideoBlock;

OdlVideoBlocks *odl_video_blocks_new (void);

// Releases unused blocks at once and the others when they are given back.
void odl_video_blocks_free (OdlVideoBlocks *blocks);

// Takes a block of at least `bytes`. ODL_ERROR_TOO_LARGE.
OdlVideoBlock *
odl_video_blocks_take (OdlVideoBlocks *blocks, size_t bytes, GError **error);

// Gives a block back; usable as an image's release function. Any thread.
void odl_video_block_give (void *block);

// Descriptor of the block's chunk if the helper does not have it yet, else −1.
// Borrowed.
int odl_video_blocks_new_fd (OdlVideoBlocks *blocks, const OdlVideoBlock *block);

// A new helper has started, which has no chunks.
void odl_video_blocks_reset_helper (OdlVideoBlocks *blocks);

// Numbers of released chunks that the helper still has, at most `max`.
uint32_t odl_video_blocks_recall (OdlVideoBlocks *blocks, uint32_t *chunks, uint32_t max);
