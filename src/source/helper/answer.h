// SPDX-License-Identifier: MIT
// What the helper said, checked before it is believed.
#pragma once

#include "image/image.h"
#include "source/helper/decoder_process.h"

G_BEGIN_DECLS

// The strings of the text block; borrowed from it.
typedef struct {
  const char *fixed[ODL_DECODER_N_TEXTS];
  const char *details[2 * ODL_DECODER_MAX_DETAILS];
} OdlDecoderTexts;

// True when the answer is a picture. Else an error of any of ODL_ERROR; `*healthy` says
// that it is the helper's own, after which it can go on.
bool odl_decoder_answer_check (OdlDecoderAnswer *answer,
                               OdlDecoderTexts *texts,
                               bool *healthy,
                               GError **error);

// The picture of an answer that was checked.
OdlImage *odl_decoder_answer_image (const OdlDecoderAnswer *answer,
                                    const OdlDecoderTexts *texts,
                                    GError **error);

// Times of frames, n_times of them, from 0 on and growing. NULL: they do not, or there
// are none. g_free.
int64_t *odl_decoder_answer_times (const OdlDecoderAnswer *answer, const OdlImage *image);

// The name of the file that the helper asks for; NULL when it does not.
const char *odl_decoder_answer_request (const OdlDecoderAnswer *answer);

G_END_DECLS
