// SPDX-License-Identifier: MIT
// A set of annotations as the text of a file, which says what it belongs to. Any thread.
#pragma once

#include "image/annotation/annotations.h"

// `identity` distinguishes what they lie on from all else. Transfer full.
char *odl_annotations_to_file_text (const OdlAnnotations *annotations,
                                    const char *identity);

// Whether the regular file at `path` is such a text that belongs to `identity`;
// *annotations, which may be NULL, is its set then, or NULL if that is empty. What makes
// no sense in it is left out; files are untrusted. Transfer full.
bool odl_annotations_read_file (const char *path,
                                const char *identity,
                                OdlAnnotations **annotations);
