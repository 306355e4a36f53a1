// SPDX-License-Identifier: MIT
// Derived DICOM files: the data set of a picture that was made from the one at hand
// (PS3.3 C.7.6.1.1.2 to C.7.6.1.1.5).
#pragma once

#include "decoder/dicom/header.h"
#include "decoder/dicom/item.hpp"

// The recipe is in a private block of ours (PS3.5, 7.8.1).
#define ODL_DERIVE_CREATOR "ONDELETTE 1"
#define ODL_DERIVE_CREATOR_TAG DcmTagKey (0x0099, 0x0010)
#define ODL_DERIVE_RECIPE_TAG DcmTagKey (0x0099, 0x1001)

// What the parent wants (protocol.h), and the recipe, which is owned.
struct OdlDerive {
  OdlDecoderDerive order = {};
  char *recipe = NULL; // NUL-terminated

  OdlDerive () = default;
  OdlDerive (const OdlDerive &) = delete;
  OdlDerive &operator= (const OdlDerive &) = delete;
  ~OdlDerive ()
  {
    g_free (recipe);
  }
};

// The beginning of the file, up to the value of its pixel data. Asks the parent for its
// order. Changes `dataset`, which is of no other use then. Errors: any of ODL_ERROR. The
// caller frees the bytes.
GByteArray *odl_dicom_derive (const OdlDicomHeader *header,
                              const OdlDicomScan *scan,
                              DcmDataset &dataset,
                              GError **error);

// Removes who the patient is, from all sequences too: afterwards only what is set later
// names anybody. What is written in the pixels stays.
void odl_derive_deidentify (DcmDataset &dataset, const OdlDecoderDerive *order);

// ---- What all files that are made here share (derive_parts.cpp) ----

// A code as files have it: at most 16, 16 and 64 characters.
struct OdlDeriveCode {
  const char *value, *scheme, *meaning;
};

// Appends an item with a code to a sequence.
void
odl_derive_put_code (DcmItem *item, const DcmTag &sequence, const OdlDeriveCode &code);

// Appends one of DICOM's own scheme.
void odl_derive_code (DcmItem *item,
                      const DcmTag &sequence,
                      const char *value,
                      const char *meaning);

// An identifier below 2.25 (PS3.5 B.2) that depends on the run, by its 32 secret bytes,
// on `kind` and `text`.
OFString odl_derive_uid (const uint8_t *secret, const char *kind, const char *text);

// Sets a text; nothing happens to elements that cannot be.
void odl_derive_put (DcmItem *item, const DcmTag &tag, const char *text);

// Removes elements that may not be there.
template <size_t N>
void
odl_derive_remove (DcmItem *item, const DcmTagKey (&tags)[N])
{
  for (const DcmTagKey &tag : tags)
    item->findAndDeleteElement (tag);
}

// Reads so many bytes of the parent's order. False: there are fewer.
bool odl_derive_read (int fd, void *data, size_t size);

// A date and a time, as elements have them.
struct OdlDeriveMoment {
  OFString date, time;
};

// A time since 1970, UTC, in the time zone of the file, which holds for all its times, or
// else in one that many minutes east of Greenwich.
OdlDeriveMoment odl_derive_moment (DcmItem *dataset, int64_t now_s, int zone_minutes);

// The file of a data set, whose pixels may follow. The caller frees it.
GByteArray *
odl_derive_bytes (DcmDataset &dataset, E_TransferSyntax syntax, GError **error);
