// SPDX-License-Identifier: MIT
// The helper that decodes stills and DICOM, as a process: a message for each frame. One
// thread at a time.
#pragma once

#include "decoder/protocol.h"
#include "source/helper/process.h"

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

typedef struct _OdlDecoderProcess OdlDecoderProcess;

// The program of this helper.
extern const OdlHelperKind odl_decoder_kind;

// Starts the helper on the job's frame. Errors are worded to complete "Cannot open FILE:
// …", here and below.
OdlDecoderProcess *odl_decoder_process_start (const OdlDecoderJob *job, GError **error);

// Orders a further frame; the answer to the last one must have been received.
bool
odl_decoder_process_order (OdlDecoderProcess *process, uint32_t frame, GError **error);

// Orders the only or first frame of another file of the same format, of `size` bytes,
// which stays the caller's.
bool odl_decoder_process_turn_to (OdlDecoderProcess *process,
                                  int fd,
                                  uint64_t size,
                                  GError **error);

// The file that an answer asked for, of `size` bytes, or −1; it stays the caller's. Then
// another answer comes.
bool odl_decoder_process_hand_file (OdlDecoderProcess *process,
                                    int fd,
                                    uint64_t size,
                                    GError **error);

// Waits for the answer, as odl_helper_process_receive does.
bool odl_decoder_process_receive (OdlDecoderProcess *process,
                                  GCancellable *cancellable,
                                  OdlDecoderAnswer *answer,
                                  GError **error);

// Ends the helper, whatever it does. NULL is fine.
void odl_decoder_process_end (OdlDecoderProcess *process);

G_END_DECLS
