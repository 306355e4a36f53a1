// SPDX-License-Identifier: MIT
// Asks the helper process for frames of a file, or of a sequence of files.
#pragma once

#include "source/source.h"

G_BEGIN_DECLS

// The helper's decoder for a file that begins so, a string that lives for ever; NULL:
// none.
typedef const char *(*OdlDecoderFormatFunc) (const uint8_t *head, size_t n_head);

typedef struct {
  const char *location; // path of the file
  const char *format; // name of the helper's decoder, such as "png"
  // Of a sequence: paths, one for each frame, NULL-terminated, at least one; then
  // `format_of` replaces `format`. A file that cannot be had is a damaged frame.
  const char *const *files;
  OdlDecoderFormatFunc format_of;
} OdlDecoderRequest;

// A source whose frames come from the helper; for the `open`, `close` and `read_frame` of
// its class. Where the first frame is damaged and another is not, `like` of the source
// is that one. Reading blocks until the helper answers, dies, or is killed after its
// time. Errors name the file: any of ODL_ERROR. Cost: one process, which stays as long as
// the source when there are several frames.
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
