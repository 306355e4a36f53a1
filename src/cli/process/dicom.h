// SPDX-License-Identifier: MIT
// Derived DICOM files: the frames of one input, with the header that belongs to them.
#pragma once

#include "cli/process/process.h"
#include "output/dicom/dicom.h"

// Takes --deidentify and --blank from `options` into `task`, whose format is there.
// ODL_ERROR_USAGE.
bool odl_process_parse_dicom (const OdlProcessOptions *options,
                              OdlProcess *task,
                              GError **error);

// Opens the file for `n_frames` frames like the first one, `picture`, whose `blanks` are
// those of odl_process_blanks. Errors: any of ODL_ERROR.
OdlDicomFile *odl_process_open_dicom (const OdlProcess *task,
                                      const OdlJob *job,
                                      const OdlSource *source,
                                      const OdlPicture *picture,
                                      const GArray *blanks,
                                      gint64 n_frames,
                                      GError **error);

// What is made black in all frames like `image`, the first one: OdlBlank, of which there
// may be none. Transfer full. NULL: ODL_ERROR_USAGE or ODL_ERROR_UNSUPPORTED, a sentence
// without the file's name.
GArray *odl_process_blanks (const OdlProcess *task, OdlImage *image, GError **error);

// Publishes the file, and says what was limited.
bool odl_process_finish_dicom (const OdlJob *job, OdlDicomFile *file, GError **error);
