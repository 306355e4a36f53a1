// SPDX-License-Identifier: MIT
#include "decoder/dicom/pixels/codec.h"

#include <cstring>
#include <glib/gi18n-lib.h>

#include <dcmtk/config/osconfig.h>

#include <dcmtk/dcmdata/dccodec.h>
#include <dcmtk/dcmdata/dcpixseq.h>
#include <dcmtk/dcmdata/dcpxitem.h>
#include <dcmtk/dcmdata/dcrledrg.h>
#include <dcmtk/dcmdata/dctk.h>
#include <dcmtk/dcmjpeg/djdecode.h>
#include <dcmtk/dcmjpeg/djutils.h>
#include <dcmtk/dcmjpls/djdecode.h>
#include <dcmtk/dcmjpls/djlsutil.h>
#include <dcmtk/oflog/appender.h>
#include <dcmtk/oflog/oflog.h>
#include <dcmtk/oflog/spi/logevent.h>

#include "base/error.h"
#include "decoder/dicom/pixels/jpeg2000.h"
#include "decoder/dicom/pixels/rle.h"

// DCMTK only logs repairs of damaged data. These phrases mean that pixels were
// reconstructed.
static const char *const repairs[]
    = { "insufficient data", "filling remaining", "remature end", "orrupt JPEG data" };

// The RLE no-op; used to pad a segment that is not available.
#define RLE_NOTHING 0x80

namespace {

// Receives DCMTK's log messages instead of the terminal.
class Listener : public dcmtk::log4cplus::Appender {
public:
  bool repaired = false;

  void
  close () override
  {
  }

protected:
  void
  append (const dcmtk::log4cplus::spi::InternalLoggingEvent &event) override
  {
    for (const char *words : repairs)
      repaired = repaired || strstr (event.getMessage ().c_str (), words) != NULL;
  }
};

// Installs a Listener for its own lifetime.
class Listening {
public:
  Listener *listener = new Listener;

  Listening () : appender (listener)
  {
    dcmtk::log4cplus::Logger::getRoot ().addAppender (appender);
  }
  ~Listening ()
  {
    dcmtk::log4cplus::Logger::getRoot ().removeAppender (appender);
  }

private:
  dcmtk::log4cplus::SharedAppenderPtr appender;
};

}

static const struct {
  const char *uid;
  E_TransferSyntax syntax;
} decoders[] = {
  { "1.2.840.10008.1.2.5", EXS_RLELossless },
  { "1.2.840.10008.1.2.4.50", EXS_JPEGProcess1 },
  { "1.2.840.10008.1.2.4.51", EXS_JPEGProcess2_4 },
  { "1.2.840.10008.1.2.4.53", EXS_JPEGProcess6_8 },
  { "1.2.840.10008.1.2.4.55", EXS_JPEGProcess10_12 },
  { "1.2.840.10008.1.2.4.57", EXS_JPEGProcess14 },
  { "1.2.840.10008.1.2.4.70", EXS_JPEGProcess14SV1 },
  { "1.2.840.10008.1.2.4.80", EXS_JPEGLSLossless },
  { "1.2.840.10008.1.2.4.81", EXS_JPEGLSLossy },
};

void
odl_dicom_codec_init (void)
{
  OFLog::configure (OFLogger::WARN_LOG_LEVEL);
  dcmtk::log4cplus::Logger::getRoot ().removeAllAppenders ();
  // No colour conversion: the caller decides by the stream's markers.
  DJDecoderRegistration::registerCodecs (EDC_never);
  DJLSDecoderRegistration::registerCodecs ();
  DcmRLEDecoderRegistration::registerCodecs ();
}

static bool
read_stream (const OdlDicomCompressed *compressed, OdlCodestream *stream)
{
  const uint8_t *data = compressed->data;
  size_t size = compressed->size;

  return compressed->syntax->codec == ODL_DICOM_JPEG_2000
             ? odl_jpeg2000_read (&data, &size, stream)
             : odl_codestream_read (data, size, stream);
}

// What the codec hands out after the inverse component transform is RGB. Without one
// it is what went in, and there are no components that only a transform could have made.
static void
measure_jpeg2000 (const OdlDicomHeader *header,
                  const OdlCodestream *stream,
                  OdlDicomFrame *frame)
{
  const bool luma = header->colour == ODL_DICOM_YBR;

  frame->lossy = !stream->lossless;
  frame->ycbcr = header->samples == 3 && luma && !stream->transformed;
  // Tiles and components, as 32-bit integers both.
  frame->working = (size_t) header->rows * header->columns * header->samples * 8;
  if (stream->is_signed != header->is_signed)
    frame->doubt = N_ ("its header and its compressed pixels disagree on whether values "
                       "have a sign; the header is believed");
  if (stream->transformed ? luma : header->colour == ODL_DICOM_YBR_CODED)
    frame->doubt = N_ ("its header and its compressed pixels disagree on its colours, "
                       "which may be wrong; the pixels are believed");
}

static bool
measure_stream (const OdlDicomCompressed *compressed,
                OdlDicomFrame *frame,
                GError **error)
{
  const OdlDicomHeader *header = compressed->header;
  const bool jpeg_2000 = compressed->syntax->codec == ODL_DICOM_JPEG_2000;
  OdlCodestream stream;

  if (!read_stream (compressed, &stream))
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("its compressed pixels are damaged"));
  if (stream.width != header->columns || stream.height != header->rows
      || stream.n_components != (int) header->samples)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("it is inconsistent: the header says %u×%u pixels of %u "
                             "samples, the compressed data %u×%u of %d"),
                          header->columns, header->rows, header->samples, stream.width,
                          stream.height, stream.n_components);
  if (stream.precision < (jpeg_2000 ? 1 : 2) || stream.precision > 16)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                          _ ("pixels of %u samples with %u bits each are not supported"),
                          header->samples, (unsigned) stream.precision);
  const bool labelled = header->colour == ODL_DICOM_YBR;
  if (stream.uneven)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("its colour components differ in size, bits or sign, which is not supported"));
  frame->bits = stream.precision;
  // What the markers of JPEG name has all levels.
  frame->limited = header->limited && !stream.says_ycbcr;
  frame->sample_bytes = stream.precision > 8 ? 2 : 1;
  if (jpeg_2000) {
    measure_jpeg2000 (header, &stream, frame);
    return true;
  }
  frame->ycbcr = header->samples == 3
                 && (stream.lossless     ? labelled
                     : stream.says_ycbcr ? true
                     : stream.says_rgb   ? false
                                         : labelled);
  return true;
}

// PS3.5 G.5: number of segments, then their offsets, which DCMTK trusts. A run never
// needs more than twice the bytes that it encodes.
static bool
rle_header_is_sane (const OdlDicomCompressed *compressed, const OdlDicomHeader *header)
{
  const size_t header_bytes = 64;
  size_t pixels = (size_t) header->rows * header->columns;
  uint32_t previous = header_bytes;

  if (compressed->size < header_bytes)
    return false;
  uint32_t n = odl_read_u32 (compressed->data);
  if (n != MAX (header->samples * header->bits_allocated / 8, 1))
    return false;
  for (uint32_t i = 1; i <= n; i++) {
    uint32_t offset = odl_read_u32 (compressed->data + 4 * (size_t) i);
    if (offset < previous || (offset >= compressed->size && !compressed->cut_short)
        || offset > G_MAXINT32 || offset > header_bytes + 2 * n * pixels)
      return false;
    previous = offset;
  }
  return true;
}

bool
odl_dicom_codec_measure (const OdlDicomCompressed *compressed,
                         OdlDicomFrame *frame,
                         GError **error)
{
  const OdlDicomHeader *header = compressed->header;

  memset (frame, 0, sizeof *frame);
  if (compressed->syntax->codec == ODL_DICOM_RLE) {
    if (header->bits_allocated != 8 && header->bits_allocated != 16
        && !odl_dicom_rle_takes (header->bits_allocated))
      return odl_error_set (error, ODL_ERROR_UNSUPPORTED,
                            _ ("RLE compressed pixels of %u bits are not supported"),
                            header->bits_allocated);
    if (!rle_header_is_sane (compressed, header))
      return odl_error_set (error, ODL_ERROR_CORRUPT,
                            _ ("its compressed pixels are damaged"));
    frame->sample_bytes = MAX ((int) header->bits_allocated / 8, 1);
    frame->packed = header->bits_allocated == 1;
    frame->ycbcr = header->colour == ODL_DICOM_YBR;
    frame->limited = header->limited;
  } else if (!measure_stream (compressed, frame, error)) {
    return false;
  }
  frame->size = (size_t) header->rows * header->columns * header->samples
                * (size_t) frame->sample_bytes;
  if (frame->packed)
    frame->size = odl_dicom_rle_frame_bytes (header);
  if (frame->size < G_MAXUINT32 - 2)
    return true;
  return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                        _ ("it is too large: its header says %u×%u pixels, which needs "
                           "more memory than a file of this size may take"),
                        header->columns, header->rows);
}

// A minimal data set for the codec, so that it only sees validated parts of the file.
static void
describe_frame (DcmDataset &dataset,
                const OdlDicomHeader *header,
                const OdlDicomFrame *frame)
{
  Uint16 bits = (Uint16) (frame->sample_bytes * 8);
  Uint16 stored = (Uint16) (frame->bits > 0 ? frame->bits : (int) header->bits_stored);

  dataset.putAndInsertUint16 (DCM_SamplesPerPixel, (Uint16) header->samples);
  dataset.putAndInsertString (DCM_PhotometricInterpretation, header->samples == 1
                                                                 ? "MONOCHROME2"
                                                             : frame->ycbcr ? "YBR_FULL"
                                                                            : "RGB");
  if (header->samples > 1)
    dataset.putAndInsertUint16 (DCM_PlanarConfiguration, 0);
  dataset.putAndInsertString (DCM_NumberOfFrames, "1");
  dataset.putAndInsertUint16 (DCM_Rows, (Uint16) header->rows);
  dataset.putAndInsertUint16 (DCM_Columns, (Uint16) header->columns);
  dataset.putAndInsertUint16 (DCM_BitsAllocated, bits);
  dataset.putAndInsertUint16 (DCM_BitsStored, stored);
  dataset.putAndInsertUint16 (DCM_HighBit, (Uint16) (stored - 1));
  dataset.putAndInsertUint16 (DCM_PixelRepresentation, header->is_signed ? 1 : 0);
}

// Bytes up to the last segment of a possibly truncated stream, or 0.
static size_t
rle_extent (const OdlDicomCompressed *compressed)
{
  if (compressed->syntax->codec != ODL_DICOM_RLE || !compressed->cut_short)
    return 0;
  uint32_t n = odl_read_u32 (compressed->data);
  return ((size_t) odl_read_u32 (compressed->data + 4 * (size_t) n) + 3) & ~(size_t) 1;
}

static OFCondition
run_codec (const OdlDicomCompressed *compressed, OdlDicomFrame *frame, bool with_end)
{
  static const Uint8 end_of_image[] = { 0xff, 0xd9 };
  E_TransferSyntax syntax = EXS_Unknown;
  DcmDataset dataset;
  DcmPixelSequence pixels (DCM_PixelSequenceTag);
  DcmPixelItem *item = new DcmPixelItem (DCM_PixelItemTag);
  size_t even = (compressed->size + 1) & ~(size_t) 1;
  size_t whole = rle_extent (compressed);
  size_t size = MAX (even, whole) + (with_end ? sizeof end_of_image : 0);
  Uint8 *bytes = NULL;
  Uint32 fragment = 1;
  OFString colour_model;

  for (const auto &row : decoders)
    if (strcmp (row.uid, compressed->syntax->uid) == 0)
      syntax = row.syntax;
  pixels.insert (new DcmPixelItem (DCM_PixelItemTag));
  pixels.insert (item);
  OFCondition result = item->createUint8Array ((Uint32) size, bytes);
  if (result.bad ())
    return result;
  memset (bytes + size - (size > 2 ? 2 : size), 0, size > 2 ? 2 : size);
  if (whole > compressed->size)
    memset (bytes + compressed->size, RLE_NOTHING, whole - compressed->size);
  memcpy (bytes, compressed->data, compressed->size);
  if (with_end)
    memcpy (bytes + even, end_of_image, sizeof end_of_image);
  describe_frame (dataset, compressed->header, frame);
  return DcmCodecList::decodeFrame (DcmXfer (syntax), NULL, &pixels, &dataset, 0,
                                    fragment, frame->samples,
                                    (Uint32) (frame->size + 1) & ~1u, colour_model);
}

// JPEG-LS fails at the end of a truncated stream after decoding the rows before it.
static bool
gave_rows (const OdlDicomCompressed *compressed, const OdlDicomFrame *frame)
{
  if (!compressed->cut_short || compressed->syntax->codec != ODL_DICOM_JPEG_LS)
    return false;
  for (size_t i = 0; i < frame->size; i++)
    if (frame->samples[i] != 0)
      return true;
  return false;
}

// Whether a complete stream is beyond the codecs. DCMTK 3.6.7 reports JPEG-LS with
// less than 8 bits as damaged.
static bool
is_unsupported (const OdlDicomCompressed *compressed,
                const OdlDicomFrame *frame,
                const OFCondition &result)
{
  static const OFConditionConst *const conditions[] = {
    &EC_JLSCodecUnsupportedImageType, &EC_JLSCodecUnsupportedValue,
    &EC_JLSUnsupportedBitDepth,       &EC_JLSUnsupportedBitDepthForTransform,
    &EC_JLSUnsupportedColorTransform, &EC_JLSUnsupportedImageType,
    &EJ_UnsupportedBitDepth,          &EJ_UnsupportedColorConversion,
  };

  for (const OFConditionConst *condition : conditions)
    if (result == *condition)
      return true;
  return compressed->syntax->codec == ODL_DICOM_JPEG_LS && frame->bits < 8;
}

bool
odl_dicom_codec_decode (const OdlDicomCompressed *compressed,
                        OdlDicomFrame *frame,
                        GError **error)
{
  Listening listening;

  frame->samples = (uint8_t *) g_try_malloc0 (frame->size + 2);
  if (frame->samples == NULL)
    return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                          _ ("there is not enough memory for %u×%u pixels"),
                          compressed->header->columns, compressed->header->rows);
  if (compressed->syntax->codec == ODL_DICOM_JPEG_2000) {
    const bool done = odl_jpeg2000_decode (compressed, frame, error);
    frame->filled = frame->filled || compressed->cut_short;
    return done;
  }
  if (compressed->syntax->codec == ODL_DICOM_RLE
      && odl_dicom_rle_takes (compressed->header->bits_allocated)) {
    frame->filled = !odl_dicom_rle_decode (compressed, frame) || compressed->cut_short;
    return true;
  }
  OFCondition result = run_codec (compressed, frame, false);
  // With an end marker, a truncated stream still yields its first rows.
  if (result.bad () && compressed->syntax->codec == ODL_DICOM_JPEG) {
    result = run_codec (compressed, frame, true);
    frame->filled = result.good ();
  }
  frame->filled = frame->filled || compressed->cut_short || listening.listener->repaired;
  if (result.good () || gave_rows (compressed, frame))
    return true;
  if (is_unsupported (compressed, frame, result))
    g_set_error (
        error, ODL_ERROR, ODL_ERROR_UNSUPPORTED,
        _ ("its pixels are compressed with %s at %d bits, which is not supported"),
        compressed->syntax->name,
        frame->bits > 0 ? frame->bits : (int) compressed->header->bits_stored);
  else
    g_set_error (error, ODL_ERROR, ODL_ERROR_CORRUPT,
                 _ ("its compressed pixels are damaged (%s)"), result.text ());
  return false;
}
