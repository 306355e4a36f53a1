// SPDX-License-Identifier: MIT
// The helper process that decodes stills and DICOM: one message per frame. One thread
// at a time.
#pragma once

#include "decoder/protocol.h"
#include "source/helper/process.h"

// A message from the helper.
typedef struct {
  OdlDecoderReply header;
  char text[ODL_DECODER_MAX_TEXT + 1];
  size_t n_bytes; // header and text together; 0: no answer
  int memfd; // −1: none; the caller closes it
} OdlDecoderAnswer;

typedef struct {
  const char *format;
  uint32_t frame;
  int file_fd;
  uint64_t file_size;
} OdlDecoderJob;

typedef struct _OdlDecoderProcess OdlDecoderProcess;

// Starts the helper with the job's frame. Error messages complete "Cannot open FILE:
// …", here and below.
OdlDecoderProcess *odl_decoder_process_start (const OdlDecoderJob *job, GError **error);

// Requests another frame; the previous answer must have been received.
bool
odl_decoder_process_order (OdlDecoderProcess *process, uint32_t frame, GError **error);

// Requests the first frame of another file of the same format with `size` bytes; the
// caller keeps the descriptor.
bool odl_decoder_process_order_file (OdlDecoderProcess *process,
                                     int fd,
                                     uint64_t size,
                                     GError **error);

// Sends the file that an answer requested, with `size` bytes, or −1; the caller keeps
// it. Another answer follows.
bool odl_decoder_process_send_file (OdlDecoderProcess *process,
                                    int fd,
                                    uint64_t size,
                                    GError **error);

// As odl_helper_process_watch.
void odl_decoder_process_watch (OdlDecoderProcess *process,
                                void (*cb) (void *data),
                                void *data);

// Waits for the answer, as odl_helper_process_receive.
bool odl_decoder_process_receive (OdlDecoderProcess *process,
                                  GCancellable *cancellable,
                                  OdlDecoderAnswer *answer,
                                  GError **error);

// Kills the helper. Accepts NULL.
void odl_decoder_process_end (OdlDecoderProcess *process);
