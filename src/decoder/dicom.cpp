// SPDX-License-Identifier: MIT
#include "config.h"

#include <cstring>
#include <glib/gi18n-lib.h>
#include <new>

#include <dcmtk/config/osconfig.h>

#include <dcmtk/dcmdata/dcdict.h>

#include "base/error.h"
#include "decoder/dicom_codec.h"
#include "decoder/dicom_pixels.h"
#include "decoder/formats.h"

void
odl_prepare_dicom (const char *)
{
  odl_dicom_codec_init ();
  dcmDataDict.isDictionaryLoaded ();
}

static void
set_frames (OdlPicture *picture, const OdlDicomHeader *header, size_t available)
{
  size_t frames = MIN (MIN ((size_t) header->frames, available), ODL_DECODER_MAX_FRAMES);

  picture->reply.declared_frames = header->frames;
  picture->reply.n_frames = (uint32_t) MAX (frames, (size_t) 1);
  odl_dicom_timing_apply (&header->timing, picture);
  if (available < header->frames && header->frames > 1)
    odl_picture_warn (picture, _ ("the file announces %u frames and holds %u"),
                      header->frames, picture->reply.n_frames);
}

static bool
check_frame (const OdlDecoderInput *input, const OdlPicture *picture, GError **error)
{
  if (input->frame < picture->reply.n_frames)
    return true;
  g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
               _ ("frame %u is not there; the file holds %u"), input->frame + 1,
               picture->reply.n_frames);
  return false;
}

static bool
decode_native (const OdlDecoderInput *input,
               const OdlDicomScan *scan,
               const OdlDicomHeader *header,
               OdlPicture *picture,
               GError **error)
{
  bool ybr
      = header->colour == ODL_DICOM_YBR_FULL || header->colour == ODL_DICOM_YBR_FULL_422;
  OdlDicomSamples samples = {};

  samples.bits_allocated = (int) header->bits_allocated;
  samples.bits_stored = (int) header->bits_stored;
  samples.high_bit = (int) header->high_bit;
  samples.big_endian = scan->syntax->big_endian;
  samples.swapped_bytes = scan->syntax->big_endian && scan->pixels_are_words;
  samples.by_plane = header->by_plane;
  samples.ycbcr = ybr;
  samples.halved_chroma = header->colour == ODL_DICOM_YBR_FULL_422;
  if (scan->kind != ODL_DICOM_PIXELS)
    samples.bits_allocated = scan->kind == ODL_DICOM_DOUBLE_PIXELS ? 64 : 32;

  double range[2];
  samples.data = scan->data + scan->pixels.offset;
  samples.size = scan->pixels.size;
  if (scan->kind == ODL_DICOM_PIXELS && odl_dicom_measure_range (header, &samples, range))
    samples.range = range;

  size_t frame_bits = odl_dicom_frame_bits (header, &samples);
  set_frames (picture, header, scan->pixels.size * 8 / frame_bits);
  if (!check_frame (input, picture, error))
    return false;
  size_t first_bit = frame_bits * input->frame;
  samples.data += first_bit / 8;
  samples.size -= MIN (samples.size, first_bit / 8);
  samples.first_bit = first_bit % 8;
  if (scan->kind != ODL_DICOM_PIXELS)
    return odl_dicom_floats_convert (header, &samples, picture, error);
  return odl_dicom_pixels_convert (header, &samples, 0, picture, error);
}

// One piece is used where it lies; several are put together.
static const uint8_t *
join_fragments (const OdlDicomScan *scan,
                const GArray *starts,
                uint32_t frame,
                GByteArray *joined,
                size_t *size)
{
  guint first = g_array_index (starts, guint, frame);
  guint end = g_array_index (starts, guint, frame + 1);
  const OdlDicomSpan *spans = (const OdlDicomSpan *) scan->fragments->data;

  if (end == first + 1) {
    *size = spans[first].size;
    return scan->data + spans[first].offset;
  }
  for (guint i = first; i < end; i++)
    g_byte_array_append (joined, scan->data + spans[i].offset, (guint) spans[i].size);
  *size = joined->len;
  return joined->data;
}

static bool
decompress (const OdlDicomCompressed *compressed, OdlPicture *picture, GError **error)
{
  const OdlDicomHeader *header = compressed->header;
  OdlDicomFrame frame;
  OdlDicomSamples samples = {};
  OdlPictureShape probe = { header->columns, header->rows, 1, ODL_SAMPLE_U8 };

  if (!odl_dicom_codec_measure (compressed, &frame, error))
    return false;
  if (frame.size > picture->memory / 2) {
    // The same words as for a picture that is too large.
    return odl_picture_allocate (picture, &probe, picture->memory, error) != NULL;
  }
  bool done = odl_dicom_codec_decode (compressed, &frame, error);
  if (done) {
    samples.data = frame.samples;
    samples.size = frame.size;
    samples.bits_allocated = frame.sample_bytes * 8;
    samples.bits_stored = MIN ((int) header->bits_stored, samples.bits_allocated);
    samples.high_bit = MIN ((int) header->high_bit, samples.bits_allocated - 1);
    samples.big_endian = G_BYTE_ORDER == G_BIG_ENDIAN;
    samples.ycbcr = frame.ycbcr;
    done = odl_dicom_pixels_convert (header, &samples, frame.size, picture, error);
  }
  if (done && frame.filled)
    odl_picture_incomplete (picture,
                            _ ("the compressed pixels are damaged or end too early"));
  g_free (frame.samples);
  return done;
}

static bool
decode_encapsulated (const OdlDecoderInput *input,
                     const OdlDicomScan *scan,
                     const OdlDicomHeader *header,
                     OdlPicture *picture,
                     GError **error)
{
  g_autoptr (GArray) starts = odl_codestream_frames (scan, header->frames);
  g_autoptr (GByteArray) joined = g_byte_array_new ();
  OdlDicomCompressed compressed = {};
  size_t available = starts->len - 1;

  if (available == 0) {
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                         _ ("it contains no image: its pixel data is empty"));
    return false;
  }
  // The last frame of a file that ends too early is not whole.
  bool partial = scan->truncated;
  set_frames (picture, header, partial && available > 1 ? available - 1 : available);
  if (!check_frame (input, picture, error))
    return false;
  compressed.header = header;
  compressed.syntax = scan->syntax;
  compressed.data = join_fragments (scan, starts, input->frame, joined, &compressed.size);
  compressed.cut_short = partial && input->frame + 1 == available;
  return decompress (&compressed, picture, error);
}

static bool
decode (const OdlDecoderInput *input,
        OdlDicomScan *scan,
        OdlDicomHeader *header,
        OdlPicture *picture,
        GError **error)
{
  if (!odl_dicom_scan (scan, input->data, input->size, input->memory, error)
      || !odl_dicom_header_read (header, scan, input->frame, picture, error))
    return false;
  bool compressed = scan->syntax->codec != ODL_DICOM_NATIVE;
  if (scan->encapsulated != compressed) {
    g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                 _ ("its pixels are not stored as its transfer syntax says (%s)"),
                 scan->syntax->name);
    return false;
  }
  if (compressed)
    return decode_encapsulated (input, scan, header, picture, error);
  return decode_native (input, scan, header, picture, error);
}

bool
odl_decode_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  OdlDicomScan scan = {};
  OdlDicomHeader header = {};
  bool done = false;

  try {
    done = decode (input, &scan, &header, picture, error);
  } catch (const std::bad_alloc &) {
    g_clear_error (error);
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                         _ ("decoding it needs more memory than it may take"));
  }
  odl_dicom_header_clear (&header);
  odl_dicom_scan_clear (&scan);
  return done;
}
