// SPDX-License-Identifier: MIT
// The life of one helper process: start, one message, end.
#pragma once

#include <gio/gio.h>
#include <stdint.h>

#include "decoder/protocol.h"

G_BEGIN_DECLS

// What came over the socket.
typedef struct {
  OdlDecoderReply header;
  char text[ODL_DECODER_MAX_TEXT + 1];
  size_t n_bytes; // of header and text together; 0: the helper said nothing
  int memfd; // -1: none; the caller closes it
} OdlDecoderAnswer;

typedef struct {
  const char *format;
  uint32_t frame;
  int file_fd;
  uint64_t file_size;
} OdlDecoderJob;

// Starts the helper, waits for its message, and ends it. When it dies, hangs, or cannot
// be started, the error says so in words that complete "Cannot open FILE: …".
gboolean odl_decoder_process_run (const OdlDecoderJob *job,
                                  GCancellable *cancellable,
                                  OdlDecoderAnswer *answer,
                                  GError **error);

G_END_DECLS
