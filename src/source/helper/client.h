// SPDX-License-Identifier: MIT
// Decodes frames of a file, or of a sequence of files, in the helper process.
#pragma once

#include "source/source.h"

// The helper's decoder for a file with this beginning, a static string; NULL if
// unknown.
typedef const char *(*OdlDecoderFormatFunc) (const uint8_t *head, size_t n_head);

typedef struct {
  const char *location; // path of the file
  const char *format; // name of the helper's decoder, such as "png"
  uint32_t frame; // that is shown as the only one, of files of several pictures
  const char *choice; // what the helper asks for (ODL_DECODER_CHOICE); may be NULL
  uint64_t
      beside_bytes; // of files that it will ask for and map; the limits allow for them
  // For sequences: one path per frame, NULL-terminated, at least one; `format_of` then
  // replaces `format`. An unreadable file counts as a damaged frame,
  // and so does one without a name, which is missing.
  const char *const *files;
  OdlDecoderFormatFunc format_of;
  // For sequences, may be NULL: the detail “sop-instance” that each file must have, so
  // that one which was replaced meanwhile is not taken for the one before. Empty: any.
  const char *const *instances;
  // For sequences, may be NULL: the details “series-instance” and “person” that each file
  // must have, for the same reason.
  const char *series, *person;
  // Another file may be ordered of the helper when this one was read, see
  // odl_decoded_source_open_after.
  bool is_run;
} OdlDecoderRequest;

// Implements `open`, `close` and `read_frame` of sources decoded by the helper. If the
// first frame is damaged, `like` is set to an intact one, if there is any. Reading
// blocks until the helper answers, dies or is killed after its time limit. Errors name
// the file: any of ODL_ERROR. Costs one process, which stays alive with the source if
// there are several frames.
OdlSource *odl_decoded_source_open (const OdlSourceClass *klass,
                                    const OdlDecoderRequest *request,
                                    GCancellable *cancellable,
                                    GError **error);
// The same by the helper of `before`, which was opened with `is_run` and gives it up; a
// new one where that ended, or has not the limits for the file. What the file says is
// then said by a process that read others.
OdlSource *odl_decoded_source_open_after (OdlSource *before,
                                          const OdlSourceClass *klass,
                                          const OdlDecoderRequest *request,
                                          GCancellable *cancellable,
                                          GError **error);
// Which SOP Instance UID the file of a frame has, as the request said. NULL: it is
// unknown, or `source` is no sequence that the helper decodes. Valid as long as the
// source.
const char *odl_decoded_source_instance (const OdlSource *source, int64_t index);
// Says that the files of a sequence are slices of volumes, so far apart.
void odl_decoded_source_set_slices (OdlSource *source, int n_slices, double spacing_mm);
// The bytes of a grey picture that is a text, which the helper makes of a file in one of
// its formats ("dicom-text"). Valid UTF-8. Transfer full; NULL: any of ODL_ERROR.
char *odl_decoded_source_read_text (const OdlSourceClass *klass,
                                    const char *path,
                                    const char *format,
                                    GCancellable *cancellable,
                                    GError **error);
void odl_decoded_source_close (OdlSource *source);
OdlImage *odl_decoded_source_read_frame (OdlSource *source,
                                         int64_t index,
                                         GCancellable *cancellable,
                                         GError **error);
