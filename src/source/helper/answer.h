// SPDX-License-Identifier: MIT
// Validation of the helper's answers.
#pragma once

#include "image/image.h"
#include "source/helper/decoder_process.h"

// The strings of the text block; borrowed from it.
typedef struct {
  const char *fixed[ODL_DECODER_N_TEXTS];
  const char *details[2 * ODL_DECODER_MAX_DETAILS];
} OdlDecoderTexts;

// True if the answer is a valid picture. Otherwise an error of ODL_ERROR; `*healthy`
// is set if the helper reported it and can continue.
bool odl_decoder_answer_check (OdlDecoderAnswer *answer,
                               OdlDecoderTexts *texts,
                               bool *healthy,
                               GError **error);

// The picture of a validated answer.
OdlImage *odl_decoder_answer_image (const OdlDecoderAnswer *answer,
                                    const OdlDecoderTexts *texts,
                                    GError **error);

// Frame times, n_times of them, ascending from 0. NULL: none, or not ascending.
// g_free.
int64_t *odl_decoder_answer_times (const OdlDecoderAnswer *answer, const OdlImage *image);

// The file name that the helper requests; NULL if it requests none.
const char *odl_decoder_answer_request (const OdlDecoderAnswer *answer);
