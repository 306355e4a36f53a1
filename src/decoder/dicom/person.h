// SPDX-License-Identifier: MIT
// Whether files are of one person.
#pragma once

#include <glib.h>

G_BEGIN_DECLS

// A word that is the same for two files of one person, and does not say who that is.
// Where it begins with ODL_PERSON_KNOWN, two files that share it are of one person: by a
// patient's number and its issuer, a day of birth and the family name, whatever its case,
// accents and padding. Else something is missing or a placeholder, and it says that all
// texts are the same and nothing more. UTF-8, as the file has them. g_free.
char *odl_dicom_person (const char *id,
                        const char *issuer,
                        const char *birth,
                        const char *name);

G_END_DECLS
