// SPDX-License-Identifier: MIT
// Asks the helper process for one frame of one file, and believes nothing that it says
// before it is checked.
#pragma once

#include "source/source.h"

G_BEGIN_DECLS

typedef struct {
  const char *location; // path of the file
  const char *format; // name of the helper's decoder, such as "png"
  int64_t frame;
} OdlDecoderRequest;

// The frame; when `info` is not NULL its format, frames, rate, warning and details are
// filled in. Blocks until the helper answers, dies, or is killed after its time. Errors
// name the file: any of ODL_ERROR. Any thread. Cost: one process.
OdlImage *odl_decoder_read (const OdlDecoderRequest *request,
                            OdlSource *info_of,
                            GCancellable *cancellable,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

// A source whose frames come from the helper; for the `open`, `close` and `read_frame` of
// its class.
OdlSource *odl_decoded_source_open (const OdlSourceClass *klass,
                                    const OdlDecoderRequest *request,
                                    GCancellable *cancellable,
                                    GError **error);
void odl_decoded_source_close (OdlSource *source);
OdlImage *odl_decoded_source_read_frame (OdlSource *source,
                                         int64_t index,
                                         GCancellable *cancellable,
                                         GError **error);

G_END_DECLS
