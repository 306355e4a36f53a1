// SPDX-License-Identifier: MIT
#include "decoder/dicom/plain.hpp"

#include <cstring>
#include <glib/gi18n-lib.h>
#include <utility>

#include "base/error.h"
#include "decoder/dicom/pixels/codec.h"
#include "decoder/dicom/pixels/frames.h"

// The samples as they are written, and what is to be said of them.
struct Plain {
  GByteArray *bytes = g_byte_array_new ();
  int bits_allocated = 0; // 0: as in the source
  bool interleaved = false; // they are now
  const char *colours = NULL; // NULL: as in the source
  bool lossy = false;

  Plain () = default;
  Plain (const Plain &) = delete;
  Plain &operator= (const Plain &) = delete;
  ~Plain ()
  {
    g_byte_array_unref (bytes);
  }
};

static bool
too_large (GError **error)
{
  return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                        _ ("its frames need more memory than they may take without "
                           "compression"));
}

// ---- Without compression ----

static bool
copy_native (const OdlDicomHeader *header,
             const OdlDicomScan *scan,
             Plain *plain,
             GError **error)
{
  const bool swapped = scan->pixels_are_big && scan->pixels_are_words;

  if (scan->pixels_are_big
      && (scan->kind != ODL_DICOM_PIXELS || header->bits_allocated > 16))
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("pixels of more than 16 bits in big endian are not "
                             "supported"));
  if (scan->pixels.size > G_MAXUINT32 - 2)
    return too_large (error);
  g_byte_array_append (plain->bytes, scan->data + scan->pixels.offset,
                       (guint) scan->pixels.size);
  for (guint i = 0; swapped && i + 1 < plain->bytes->len; i += 2)
    std::swap (plain->bytes->data[i], plain->bytes->data[i + 1]);
  return true;
}

// ---- With compression ----

static bool
append_frame (const OdlDicomCompressed *compressed,
              Plain *plain,
              size_t memory,
              GError **error)
{
  OdlDicomFrame frame;

  if (compressed->syntax->codec == ODL_DICOM_FRAMED) {
    if (compressed->size > memory - MIN (memory, plain->bytes->len))
      return too_large (error);
    g_byte_array_append (plain->bytes, compressed->data, (guint) compressed->size);
    return true;
  }
  if (!odl_dicom_codec_measure (compressed, &frame, error))
    return false;
  if (frame.packed)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("compressed pixels of 1 bit are not supported"));
  if (plain->bytes->len + frame.size + frame.working > memory
      || plain->bytes->len + frame.size > G_MAXUINT32 - 2)
    return too_large (error);
  if (!odl_dicom_codec_decode (compressed, &frame, error)) {
    g_free (frame.samples);
    return false;
  }
  g_byte_array_append (plain->bytes, frame.samples, (guint) frame.size);
  g_free (frame.samples);
  if (frame.filled)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its compressed pixels are damaged"));
  plain->bits_allocated = frame.sample_bytes * 8;
  plain->interleaved = true;
  plain->lossy = plain->lossy || frame.lossy || compressed->syntax->lossy;
  if (compressed->header->samples == 3)
    plain->colours = frame.ycbcr ? "YBR_FULL" : "RGB";
  return true;
}

static bool
unpack (const OdlDicomHeader *header,
        const OdlDicomScan *scan,
        Plain *plain,
        size_t memory,
        GError **error)
{
  OdlDicomFrames frames = {};
  bool done = true;

  if (scan->syntax->codec == ODL_DICOM_VIDEO)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("it is a video (%s), which cannot be sent without "
                             "compression"),
                          scan->syntax->name);
  odl_dicom_frames_find (&frames, scan, header);
  for (uint32_t i = 0; done && i < header->frames; i++) {
    g_autoptr (GByteArray) joined = g_byte_array_new ();
    OdlDicomCompressed compressed = {};
    done = (odl_dicom_frames_reach (&frames, scan, header, i) && i < frames.n)
           || odl_error_set (error, ODL_ERROR_CORRUPT,
                             _ ("the file declares %u frames but holds %u"),
                             header->frames, frames.n);
    if (!done)
      break;
    compressed.header = header;
    compressed.syntax = scan->syntax;
    compressed.data
        = odl_dicom_frames_get (&frames, scan, header, i, joined, &compressed.size);
    compressed.cut_short = frames.last_is_cut && i + 1 == frames.n;
    done = append_frame (&compressed, plain, memory, error);
  }
  odl_dicom_frames_clear (&frames);
  return done;
}

// ---- The file ----

static void
describe (const OdlDicomHeader *header, const Plain *plain, DcmDataset &dataset)
{
  const int bits = plain->bits_allocated;

  dataset.findAndDeleteElement (DCM_ExtendedOffsetTable);
  dataset.findAndDeleteElement (DCM_ExtendedOffsetTableLengths);
  if (bits > 0 && bits != (int) header->bits_allocated) {
    const int stored = MIN ((int) header->bits_stored, bits);
    dataset.putAndInsertUint16 (DCM_BitsAllocated, (Uint16) bits);
    dataset.putAndInsertUint16 (DCM_BitsStored, (Uint16) stored);
    dataset.putAndInsertUint16 (DCM_HighBit, (Uint16) (stored - 1));
  }
  if (plain->interleaved && header->samples == 3)
    dataset.putAndInsertUint16 (DCM_PlanarConfiguration, 0);
  if (plain->colours != NULL)
    odl_derive_put (&dataset, DCM_PhotometricInterpretation, plain->colours);
  // Losses are never forgotten (PS3.3 C.7.6.1.1.5).
  if (plain->lossy)
    odl_derive_put (&dataset, DCM_LossyImageCompression, "01");
}

static void
append_pixels (GByteArray *file,
               const OdlDicomScan *scan,
               const OdlDicomHeader *header,
               const Plain *plain,
               bool implicit)
{
  const int bits
      = plain->bits_allocated > 0 ? plain->bits_allocated : (int) header->bits_allocated;
  const uint32_t even = plain->bytes->len + plain->bytes->len % 2;
  const char *vr = scan->kind == ODL_DICOM_FLOAT_PIXELS    ? "OF"
                   : scan->kind == ODL_DICOM_DOUBLE_PIXELS ? "OD"
                   : bits > 8                              ? "OW"
                                                           : "OB";
  const guint8 element = scan->kind == ODL_DICOM_FLOAT_PIXELS    ? 0x08
                         : scan->kind == ODL_DICOM_DOUBLE_PIXELS ? 0x09
                                                                 : 0x10;
  const guint8 head[]
      = { 0xE0, 0x7F, element, 0x00, (guint8) vr[0], (guint8) vr[1], 0, 0 };
  const guint8 padding = 0;

  g_byte_array_append (file, head, implicit ? 4 : sizeof head);
  for (int i = 0; i < 4; i++) {
    const guint8 byte = (guint8) (even >> 8 * i);
    g_byte_array_append (file, &byte, 1);
  }
  g_byte_array_append (file, plain->bytes->data, plain->bytes->len);
  if (even > plain->bytes->len)
    g_byte_array_append (file, &padding, 1);
}

GByteArray *
odl_dicom_plain (const OdlDicomHeader *header,
                 const OdlDicomScan *scan,
                 DcmDataset &dataset,
                 bool implicit,
                 size_t memory,
                 GError **error)
{
  Plain plain;

  // The file is twice the samples.
  if (header != NULL
      && !(scan->encapsulated ? unpack (header, scan, &plain, memory / 4, error)
                              : copy_native (header, scan, &plain, error)))
    return NULL;
  if (plain.bytes->len > memory / 4) {
    too_large (error);
    return NULL;
  }
  if (header != NULL)
    describe (header, &plain, dataset);
  GByteArray *file = odl_derive_bytes (
      dataset, implicit ? EXS_LittleEndianImplicit : EXS_LittleEndianExplicit, error);
  if (file != NULL && header != NULL)
    append_pixels (file, scan, header, &plain, implicit);
  return file;
}
