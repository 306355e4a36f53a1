// SPDX-License-Identifier: MIT
// What all DICOM files that are made here share: values, codes, identifiers, times,
// bytes.
#include "decoder/dicom/derive.hpp"

#include <cerrno>
#include <cstring>
#include <glib/gi18n-lib.h>
#include <memory>
#include <unistd.h>

#include <dcmtk/dcmdata/dcostrmb.h>

#include "base/error.h"

#define META_BYTES 4096 // more than the file meta information takes
#define SECRET_BYTES 32

// ---- Values ----

void
odl_derive_put (DcmItem *item, const DcmTag &tag, const char *text)
{
  // The old element may be of another type.
  item->findAndDeleteElement (tag);
  item->putAndInsertString (tag, text);
}

OFString
odl_derive_uid (const uint8_t *secret, const char *kind, const char *text)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 digest[32];
  gsize n = sizeof digest;
  char digits[48];
  size_t at = sizeof digits;

  g_checksum_update (sum, secret, SECRET_BYTES);
  g_checksum_update (sum, (const guchar *) kind, (gssize) strlen (kind) + 1);
  g_checksum_update (sum, (const guchar *) text, -1);
  g_checksum_get_digest (sum, digest, &n);
  // A UUID of version 8 (RFC 9562), as a decimal number.
  digest[6] = (guint8) ((digest[6] & 0x0f) | 0x80);
  digest[8] = (guint8) ((digest[8] & 0x3f) | 0x80);
  digits[--at] = '\0';
  for (bool more = true; more;) {
    unsigned rest = 0;
    more = false;
    for (int i = 0; i < 16; i++) {
      rest = rest * 256 + digest[i];
      digest[i] = (guint8) (rest / 10);
      rest %= 10;
      more = more || digest[i] != 0;
    }
    digits[--at] = (char) ('0' + rest);
  }
  return OFString ("2.25.") + (digits + at);
}

void
odl_derive_put_code (DcmItem *item, const DcmTag &sequence, const OdlDeriveCode &code)
{
  DcmItem *into = NULL;

  if (item->findOrCreateSequenceItem (sequence, into, -2).bad ())
    return;
  odl_derive_put (into, DCM_CodeValue, code.value);
  odl_derive_put (into, DCM_CodingSchemeDesignator, code.scheme);
  odl_derive_put (into, DCM_CodeMeaning, code.meaning);
}

void
odl_derive_code (DcmItem *item,
                 const DcmTag &sequence,
                 const char *value,
                 const char *meaning)
{
  odl_derive_put_code (item, sequence, { value, "DCM", meaning });
}

// ---- The order ----

bool
odl_derive_read (int fd, void *data, size_t size)
{
  char *to = static_cast<char *> (data);

  while (size > 0) {
    const ssize_t n = read (fd, to, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    to += n;
    size -= (size_t) n;
  }
  return true;
}

// ---- Times ----

OdlDeriveMoment
odl_derive_moment (DcmItem *dataset, int64_t now_s, int zone_minutes)
{
  const OFString zone = odl_item_text (dataset, DCM_TimezoneOffsetFromUTC);
  int minutes = CLAMP (zone_minutes, -24 * 60, 24 * 60);
  unsigned hour = 0, minute = 0;

  if (zone.length () == 5 && (zone[0] == '+' || zone[0] == '-')
      && sscanf (zone.c_str () + 1, "%2u%2u", &hour, &minute) == 2 && hour < 24)
    minutes = (int) (hour * 60 + minute) * (zone[0] == '-' ? -1 : 1);
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (now_s);
  g_autoptr (GDateTime) now = utc != NULL ? g_date_time_add_minutes (utc, minutes) : NULL;
  if (now == NULL)
    return { "19000101", "000000" };
  g_autofree char *date = g_date_time_format (now, "%Y%m%d");
  g_autofree char *time = g_date_time_format (now, "%H%M%S");
  return { date, time };
}

// ---- The bytes ----

static GByteArray *
too_large (GError **error)
{
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                       _ ("its header is too large to be written again"));
  return NULL;
}

GByteArray *
odl_derive_bytes (DcmDataset &dataset, E_TransferSyntax syntax, GError **error)
{
  DcmFileFormat file (&dataset);
  const Uint32 length
      = file.getDataset ()->calcElementLength (syntax, EET_ExplicitLength);

  if (length > G_MAXINT32)
    return too_large (error);
  const size_t room = (size_t) length + META_BYTES;
  std::unique_ptr<guint8[]> buffer (new guint8[room]);
  DcmOutputBufferStream stream (buffer.get (), (offile_off_t) room);
  file.transferInit ();
  OFCondition result = file.write (stream, syntax, EET_ExplicitLength, NULL,
                                   EGL_withoutGL, EPD_withoutPadding);
  file.transferEnd ();
  void *data = NULL;
  offile_off_t n = 0;
  stream.flushBuffer (data, n);
  if (result.bad ()) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                 _ ("its header cannot be written again (%s)"), result.text ());
    return NULL;
  }
  GByteArray *bytes = g_byte_array_sized_new ((guint) n + 16);
  g_byte_array_append (bytes, static_cast<guint8 *> (data), (guint) n);
  return bytes;
}
