// SPDX-License-Identifier: MIT
#include <cstring>
#include <glib/gi18n-lib.h>
#include <new>

#include <dcmtk/config/osconfig.h>

#include <dcmtk/dcmdata/dctk.h>

#include "base/error.h"
#include "decoder/dicom/attributes.hpp"
#include "decoder/dicom/pixels/codec.h"
#include "decoder/dicom/said.hpp"
#include "decoder/dicom/dump.hpp"
#include "decoder/dicom/pixels/frames.h"
#include "decoder/dicom/object.hpp"
#include "decoder/dicom/overlay.hpp"
#include "decoder/dicom/plain.hpp"
#include "decoder/dicom/pixels/pixels.h"
#include "decoder/dicom/segments.hpp"
#include "decoder/dicom/shutter.hpp"
#include "decoder/dicom/space.hpp"
#include "decoder/dicom/text.hpp"
#include "decoder/formats.h"

// Data examined to find the range of integers with more than 16 bits.
#define RANGE_BYTES ((size_t) 64 << 20)
// Of a text as a picture.
#define TEXT_COLUMNS 1024

namespace {

// State kept between frames.
struct Kept {
  OdlDicomScan scan = {};
  DcmDataset dataset;
  bool parsed = false;
  OdlDicomSpace space;
  OdlDicomFrames frames = {};
  uint32_t promised = 0; // frames reported before all fragments were scanned
  bool measured = false;
  OdlNumberRange range = {};

  Kept () = default;
  Kept (const Kept &) = delete;
  Kept &operator= (const Kept &) = delete;
  ~Kept ()
  {
    odl_dicom_frames_clear (&frames);
    odl_dicom_scan_clear (&scan);
  }
};

}

static void
free_kept (void *kept)
{
  delete static_cast<Kept *> (kept);
}

void
odl_prepare_dicom (const char *)
{
  odl_dicom_codec_init ();
  odl_dicom_attributes_init ();
  odl_character_sets_init ();
}

static void
set_frames (OdlPicture *picture,
            const Kept *kept,
            const OdlDicomHeader *header,
            size_t available,
            bool has_more)
{
  size_t frames = MIN (MIN ((size_t) header->frames, available), ODL_DECODER_MAX_FRAMES);

  picture->reply.declared_frames = header->frames;
  picture->reply.n_frames = (uint32_t) MAX (frames, (size_t) 1);
  odl_dicom_timing_apply (&header->timing, picture);
  if (available < header->frames && header->frames > 1)
    odl_picture_warn_first (picture, _ ("the file declares %u frames but holds %u"),
                            header->frames, picture->reply.n_frames);
  if (has_more)
    odl_picture_warn (
        picture,
        _ ("the file holds more frames than it declares (%u); the others are not shown"),
        header->frames);
  odl_dicom_space_apply (&kept->space, picture);
}

// The frame of the file that is wanted.
static uint32_t
file_frame (const OdlDecoderInput *input, const Kept *kept)
{
  return odl_dicom_space_frame (&kept->space, input->frame);
}

static bool
check_frame (const OdlDecoderInput *input,
             const Kept *kept,
             const OdlPicture *picture,
             GError **error)
{
  const uint32_t wanted = MAX (input->frame, file_frame (input, kept));

  if (wanted < picture->reply.n_frames)
    return true;
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("there is no frame %u; the file holds %u"), wanted + 1,
                        picture->reply.n_frames);
}

// The common range of all frames; of long cines, of evenly spaced ones.
static const OdlNumberRange *
range_of (Kept *kept,
          const OdlDicomHeader *header,
          const OdlDicomSamples *samples,
          const OdlPicture *picture)
{
  const size_t frame_bytes = odl_dicom_frame_bits (header, samples) / 8;
  const size_t n = samples->size / MAX (frame_bytes, (size_t) 1);
  const size_t most = MAX (RANGE_BYTES / MAX (frame_bytes, (size_t) 1), (size_t) 1);
  const size_t step = (n + most - 1) / most;
  OdlDicomSamples part = *samples;

  if (header->samples != 1 || (samples->bits_stored <= 16 && !samples->floats))
    return NULL;
  if (kept->measured)
    return &kept->range;
  kept->measured = true;
  odl_number_range_init (&kept->range, picture);
  if (n < 2)
    odl_dicom_measure_range (header, samples, &kept->range);
  part.size = frame_bytes;
  for (size_t i = 0; n >= 2 && i < n; i += step) {
    part.data = samples->data + i * frame_bytes;
    odl_dicom_measure_range (header, &part, &kept->range);
  }
  return &kept->range;
}

// Number of frames in native pixel data. The byte that pads it to even length does not
// count.
static size_t
count_frames (const OdlDicomHeader *header, size_t bytes, size_t frame_bits)
{
  const size_t there = bytes * 8 / frame_bits;
  size_t declared_bits = 0;

  if (__builtin_mul_overflow (header->frames, frame_bits, &declared_bits))
    return there;
  const size_t declared = declared_bits / 8 + (declared_bits % 8 != 0);
  return bytes == declared + declared % 2 ? MIN (there, header->frames) : there;
}

// Always true: problems with overlays and the shutter do not invalidate the picture.
static bool
draw_overlays (const OdlDecoderInput *input,
               Kept *kept,
               const OdlDicomHeader *header,
               const OdlDicomSamples *samples,
               OdlPicture *picture)
{
  odl_dicom_shutter_read (&kept->dataset, input->frame, picture);
  odl_dicom_overlays_draw (header, &kept->dataset, file_frame (input, kept), samples,
                           picture);
  return true;
}

// How samples that are not compressed are stored, but not where.
static OdlDicomSamples
plain_samples (const OdlDicomScan *scan, const OdlDicomHeader *header)
{
  OdlDicomSamples samples = {};

  samples.bits_allocated = (int) header->bits_allocated;
  samples.bits_stored = (int) header->bits_stored;
  samples.high_bit = (int) header->high_bit;
  samples.big_endian = scan->pixels_are_big;
  samples.swapped_bytes = scan->pixels_are_big && scan->pixels_are_words;
  samples.by_plane = header->by_plane;
  samples.ycbcr = header->colour == ODL_DICOM_YBR;
  samples.limited = header->limited;
  memcpy (samples.chroma_shift, header->chroma_shift, sizeof samples.chroma_shift);
  if (scan->kind != ODL_DICOM_PIXELS)
    samples.bits_allocated = scan->kind == ODL_DICOM_DOUBLE_PIXELS ? 64 : 32;
  return samples;
}

static bool
decode_native (const OdlDecoderInput *input,
               Kept *kept,
               const OdlDicomHeader *header,
               OdlPicture *picture,
               GError **error)
{
  const OdlDicomScan *scan = &kept->scan;
  OdlDicomSamples samples = plain_samples (scan, header);

  odl_picture_detail (picture, "lossy", "%s", header->lossy ? "yes" : "no");
  samples.floats = scan->kind != ODL_DICOM_PIXELS;
  samples.data = scan->data + scan->pixels.offset;
  samples.size = scan->pixels.size;
  samples.range = range_of (kept, header, &samples, picture);

  size_t frame_bits = odl_dicom_frame_bits (header, &samples);
  const size_t available = count_frames (header, scan->pixels.size, frame_bits);
  set_frames (picture, kept, header, available, available > header->frames);
  if (!check_frame (input, kept, picture, error))
    return false;
  // What is swapped within words begins with a whole one, and ends so.
  const size_t unit = samples.swapped_bytes ? 16 : 8;
  const size_t first_bit = frame_bits * file_frame (input, kept);
  const size_t skipped = MIN (first_bit / unit * (unit / 8), samples.size);
  samples.data += skipped;
  samples.size -= skipped;
  samples.size -= samples.size % (unit / 8);
  samples.first_bit = first_bit % unit;
  if (scan->kind != ODL_DICOM_PIXELS)
    return odl_dicom_floats_convert (header, &samples, picture, error)
           && draw_overlays (input, kept, header, NULL, picture);
  return odl_dicom_pixels_convert (header, &samples, 0, picture, error)
         && draw_overlays (input, kept, header, &samples, picture);
}

// A frame that is alone in its fragment.
static bool
decode_framed (const OdlDecoderInput *input,
               Kept *kept,
               const OdlDicomCompressed *frame,
               OdlPicture *picture,
               GError **error)
{
  OdlDicomSamples samples = plain_samples (&kept->scan, frame->header);

  odl_picture_detail (picture, "lossy", "%s", frame->header->lossy ? "yes" : "no");
  samples.data = frame->data;
  samples.size = frame->size;
  return odl_dicom_pixels_convert (frame->header, &samples, 0, picture, error)
         && draw_overlays (input, kept, frame->header, &samples, picture);
}

static bool
decompress (const OdlDecoderInput *input,
            Kept *kept,
            const OdlDicomCompressed *compressed,
            OdlPicture *picture,
            GError **error)
{
  const OdlDicomHeader *header = compressed->header;
  OdlDicomFrame frame;
  OdlDicomSamples samples = {};
  OdlPictureShape probe = { header->columns, header->rows, 1, ODL_SAMPLE_U8 };

  if (!odl_dicom_codec_measure (compressed, &frame, error))
    return false;
  odl_picture_detail (picture, "lossy", "%s",
                      header->lossy || frame.lossy ? "yes" : "no");
  if (frame.doubt != NULL)
    odl_picture_warn (picture, "%s", _ (frame.doubt));
  if (frame.size > picture->memory / 2 || frame.working > picture->memory - frame.size) {
    // The same message as for a picture that is too large.
    return odl_picture_allocate (picture, &probe, picture->memory, error) != NULL;
  }
  bool done = odl_dicom_codec_decode (compressed, &frame, error);
  if (done) {
    samples.data = frame.samples;
    samples.size = frame.size;
    samples.bits_allocated = frame.packed ? 1 : frame.sample_bytes * 8;
    samples.bits_stored = MIN ((int) header->bits_stored, samples.bits_allocated);
    samples.high_bit = MIN ((int) header->high_bit, samples.bits_allocated - 1);
    samples.big_endian = G_BYTE_ORDER == G_BIG_ENDIAN;
    samples.ycbcr = frame.ycbcr;
    samples.limited = frame.limited;
    done = odl_dicom_pixels_convert (header, &samples, frame.size, picture, error)
           && draw_overlays (input, kept, header, &samples, picture);
  }
  if (done && frame.filled)
    odl_picture_incomplete (picture,
                            _ ("the compressed pixels are damaged or end too early"));
  g_free (frame.samples);
  return done;
}

static bool
decode_encapsulated (const OdlDecoderInput *input,
                     Kept *kept,
                     const OdlDicomHeader *header,
                     OdlPicture *picture,
                     GError **error)
{
  g_autoptr (GByteArray) joined = g_byte_array_new ();
  OdlDicomFrames *frames = &kept->frames;
  OdlDicomCompressed compressed = {};

  if (frames->starts == NULL) {
    odl_dicom_frames_find (frames, &kept->scan, header);
    kept->promised = frames->n;
  }
  const uint32_t wanted = file_frame (input, kept);
  odl_dicom_frames_reach (frames, &kept->scan, header, wanted);
  const uint32_t n = frames->n;
  if (n == 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("it contains no image: its pixel data is empty"));
  // The last frame of a truncated file is incomplete.
  set_frames (picture, kept, header, frames->last_is_cut && n > 1 ? n - 1 : n,
              frames->has_more);
  if (input->frame >= picture->reply.n_frames && input->frame < kept->promised)
    return odl_error_set (error, ODL_ERROR_END,
                          _ ("the file declares %u frames but holds %u"), header->frames,
                          picture->reply.n_frames);
  if (!check_frame (input, kept, picture, error))
    return false;
  compressed.header = header;
  compressed.syntax = kept->scan.syntax;
  compressed.data = odl_dicom_frames_get (frames, &kept->scan, header, wanted, joined,
                                          &compressed.size);
  compressed.cut_short = frames->last_is_cut && wanted + 1 == n;
  if (kept->scan.syntax->codec == ODL_DICOM_FRAMED)
    return decode_framed (input, kept, &compressed, picture, error);
  return decompress (input, kept, &compressed, picture, error);
}

static bool
prepare (const OdlDecoderInput *input, Kept *kept, GError **error)
{
  if (kept->parsed)
    return true;
  kept->parsed
      = odl_dicom_scan (&kept->scan, input->data, input->size, input->memory, error)
        && odl_dicom_header_parse (kept->dataset, &kept->scan, error);
  if (kept->parsed) {
    odl_dicom_attributes_settle (kept->dataset);
    odl_dicom_space_find (&kept->space, &kept->dataset);
  } else {
    odl_dicom_scan_clear (&kept->scan);
    kept->dataset.clear ();
  }
  return kept->parsed;
}

static bool
describe (const OdlDecoderInput *,
          Kept *kept,
          OdlDicomHeader *header,
          OdlPicture *picture,
          GError **error)
{
  const OdlPictureShape shape = { 1, 1, 1, ODL_SAMPLE_U8 };

  if (!odl_dicom_header_read (header, &kept->scan, kept->dataset, 0, picture, error))
    return false;
  // They would lie beyond the picture.
  odl_picture_drop_regions (picture);
  if (odl_picture_allocate (picture, &shape, 0, error) == NULL)
    return false;
  odl_picture_detail (picture, "lossy", "%s", header->lossy ? "yes" : "no");
  set_frames (picture, kept, header, header->frames, false);
  return true;
}

// A picture of one sample, for what an object says that is none.
static bool
tell_object (const OdlDecoderInput *,
             Kept *kept,
             OdlDicomHeader *,
             OdlPicture *picture,
             GError **error)
{
  const OdlPictureShape shape = { 1, 1, 1, ODL_SAMPLE_U8 };

  return odl_dicom_object_read (kept->dataset, picture, error)
         && odl_picture_allocate (picture, &shape, 0, error) != NULL;
}

static bool
dump (const OdlDecoderInput *,
      Kept *kept,
      OdlDicomHeader *,
      OdlPicture *picture,
      GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  odl_dicom_dump (&kept->dataset, text);
  if (text->len == 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT, _ ("its header is empty"));
  const gsize rows = text->len / TEXT_COLUMNS + 1;
  const OdlPictureShape shape = { TEXT_COLUMNS, (uint32_t) rows, 1, ODL_SAMPLE_U8 };
  void *samples = odl_picture_allocate (picture, &shape, text->len, error);
  if (samples != NULL)
    memcpy (samples, text->str, text->len);
  return samples != NULL;
}

// The header, of which the picture that it describes is not wanted.
static bool
read_header (const OdlDecoderInput *input,
             Kept *kept,
             OdlDicomHeader *header,
             GError **error)
{
  OdlPicture described;

  odl_picture_init (&described, input->memory);
  const bool done
      = odl_dicom_header_read (header, &kept->scan, kept->dataset, 0, &described, error);
  odl_picture_clear (&described);
  return done;
}

// The answer is a picture of bytes.
static bool
answer_bytes (const GByteArray *bytes, OdlPicture *picture, GError **error)
{
  const uint64_t size = bytes->len;
  const size_t all = bytes->len + sizeof size;
  const OdlPictureShape shape
      = { TEXT_COLUMNS, (uint32_t) (all / TEXT_COLUMNS + 1), 1, ODL_SAMPLE_U8 };
  char *samples
      = static_cast<char *> (odl_picture_allocate (picture, &shape, all, error));

  if (samples != NULL) {
    memcpy (samples, &size, sizeof size);
    memcpy (samples + sizeof size, bytes->data, bytes->len);
  }
  return samples != NULL;
}

static bool
derive (const OdlDecoderInput *input,
        Kept *kept,
        OdlDicomHeader *header,
        OdlPicture *picture,
        GError **error)
{
  g_autoptr (GByteArray) bytes = NULL;

  if (read_header (input, kept, header, error))
    bytes = odl_dicom_derive (header, &kept->scan, kept->dataset, error);
  return bytes != NULL && answer_bytes (bytes, picture, error);
}

// A structure set has no picture that its header could describe.
static bool
tell_segments (const OdlDecoderInput *input,
               Kept *kept,
               OdlDicomHeader *header,
               OdlPicture *picture,
               GError **error)
{
  const bool has_pixels
      = odl_item_text (&kept->dataset, DCM_SOPClassUID) != UID_RTStructureSetStorage;
  g_autoptr (GByteArray) bytes = NULL;

  if (!has_pixels || read_header (input, kept, header, error))
    bytes = odl_dicom_segments (header, kept->dataset, error);
  return bytes != NULL && answer_bytes (bytes, picture, error);
}

// An object that says something of the picture.
template <OdlSay *make>
static bool
say (const OdlDecoderInput *input,
     Kept *kept,
     OdlDicomHeader *header,
     OdlPicture *picture,
     GError **error)
{
  g_autoptr (GByteArray) bytes = NULL;

  if (read_header (input, kept, header, error))
    bytes = make (header, &kept->space, kept->dataset, error);
  return bytes != NULL && answer_bytes (bytes, picture, error);
}

static bool
check_storage (const OdlDicomScan *scan, GError **error)
{
  if (scan->encapsulated == (scan->syntax->codec != ODL_DICOM_NATIVE))
    return true;
  return odl_error_set (error, ODL_ERROR_CORRUPT,
                        _ ("its pixels are not stored as its transfer syntax says (%s)"),
                        scan->syntax->name);
}

template <bool implicit>
static bool
unpack (const OdlDecoderInput *input,
        Kept *kept,
        OdlDicomHeader *header,
        OdlPicture *picture,
        GError **error)
{
  const bool pixels = kept->scan.kind != ODL_DICOM_NO_PIXELS;
  g_autoptr (GByteArray) bytes = NULL;

  if (!pixels
      || (read_header (input, kept, header, error) && check_storage (&kept->scan, error)))
    bytes = odl_dicom_plain (pixels ? header : NULL, &kept->scan, kept->dataset, implicit,
                             input->memory, error);
  return bytes != NULL && answer_bytes (bytes, picture, error);
}

static bool
write_spans (const GArray *spans,
             const OdlDicomHeader *header,
             OdlPicture *picture,
             GError **error)
{
  const uint64_t n = spans->len;
  const size_t all = sizeof n + n * sizeof (OdlDecoderSpan);
  const size_t rows = MAX ((size_t) header->rows, all / header->columns + 1);
  const OdlPictureShape shape = { header->columns, (uint32_t) rows, 1, ODL_SAMPLE_U8 };
  char *samples
      = static_cast<char *> (odl_picture_allocate (picture, &shape, all, error));

  if (samples == NULL)
    return false;
  memcpy (samples, &n, sizeof n);
  for (guint i = 0; i < spans->len; i++) {
    const OdlDicomSpan *from = &g_array_index (spans, OdlDicomSpan, i);
    const OdlDecoderSpan span = { from->offset, from->size };
    memcpy (samples + sizeof n + i * sizeof span, &span, sizeof span);
  }
  return true;
}

static bool
locate_stream (const OdlDecoderInput *,
               Kept *kept,
               OdlDicomHeader *header,
               OdlPicture *picture,
               GError **error)
{
  const OdlDicomScan *scan = &kept->scan;
  bool cut = false;

  if (scan->syntax->codec != ODL_DICOM_VIDEO)
    return odl_error_set (error, ODL_ERROR_UNSUPPORTED, _ ("it is no video"));
  if (!odl_dicom_header_read (header, scan, kept->dataset, 0, picture, error)
      || !check_storage (scan, error))
    return false;
  g_autoptr (GArray) spans = odl_dicom_fragments (scan, &cut);
  if (spans->len == 0)
    return odl_error_set (error, ODL_ERROR_CORRUPT,
                          _ ("it contains no image: its pixel data is empty"));
  if (!write_spans (spans, header, picture, error))
    return false;
  odl_picture_detail (picture, "lossy", "yes");
  set_frames (picture, kept, header, header->frames, false);
  if (cut)
    odl_picture_warn (picture, _ ("the file ends within its video"));
  return true;
}

static bool
decode_read (const OdlDecoderInput *input,
             Kept *kept,
             OdlDicomHeader *header,
             OdlPicture *picture,
             GError **error)
{
  const OdlDicomScan *scan = &kept->scan;

  if (!check_storage (scan, error))
    return false;
  if (scan->syntax->codec == ODL_DICOM_VIDEO)
    return odl_error_set (
        error, ODL_ERROR_UNSUPPORTED,
        _ ("it is a video (%s), which cannot be a picture among others"),
        scan->syntax->name);
  if (scan->syntax->codec != ODL_DICOM_NATIVE)
    return decode_encapsulated (input, kept, header, picture, error);
  return decode_native (input, kept, header, picture, error);
}

static bool
decode (const OdlDecoderInput *input,
        Kept *kept,
        OdlDicomHeader *header,
        OdlPicture *picture,
        GError **error)
{
  return odl_dicom_header_read (header, &kept->scan, kept->dataset, input->frame, picture,
                                error)
         && decode_read (input, kept, header, picture, error);
}

// Samples that are numbers of segments stay these: two may have one colour.
static bool
decode_labels (const OdlDecoderInput *input,
               Kept *kept,
               OdlDicomHeader *header,
               OdlPicture *picture,
               GError **error)
{
  if (!odl_dicom_header_read (header, &kept->scan, kept->dataset, input->frame, picture,
                              error))
    return false;
  if (header->colour == ODL_DICOM_PALETTE)
    header->colour = ODL_DICOM_GREY;
  return decode_read (input, kept, header, picture, error);
}

static bool
run (const OdlDecoderInput *input,
     bool (*work) (const OdlDecoderInput *input,
                   Kept *kept,
                   OdlDicomHeader *header,
                   OdlPicture *picture,
                   GError **error),
     OdlPicture *picture,
     GError **error)
{
  OdlDicomHeader header = {};
  bool done = false;

  try {
    if (*input->kept == NULL) {
      *input->kept = new Kept;
      *input->free_kept = free_kept;
    }
    Kept *kept = static_cast<Kept *> (*input->kept);
    done = prepare (input, kept, error) && work (input, kept, &header, picture, error);
  } catch (const std::bad_alloc &) {
    g_clear_error (error);
    g_set_error_literal (error, ODL_ERROR, ODL_ERROR_TOO_LARGE,
                         _ ("decoding it needs more memory than it may take"));
  }
  odl_dicom_header_clear (&header);
  return done;
}

bool
odl_decode_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  return run (input, decode, picture, error);
}

bool
odl_labels_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  return run (input, decode_labels, picture, error);
}

bool
odl_describe_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  return run (input, describe, picture, error);
}

bool
odl_object_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  return run (input, tell_object, picture, error);
}

bool
odl_dump_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  return run (input, dump, picture, error);
}

bool
odl_locate_dicom_stream (const OdlDecoderInput *input,
                         OdlPicture *picture,
                         GError **error)
{
  return run (input, locate_stream, picture, error);
}

bool
odl_derive_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  return run (input, derive, picture, error);
}

bool
odl_report_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  return run (input, say<odl_dicom_report>, picture, error);
}

bool
odl_state_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  return run (input, say<odl_dicom_state>, picture, error);
}

bool
odl_keys_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  return run (input, say<odl_dicom_keys>, picture, error);
}

bool
odl_segments_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  return run (input, tell_segments, picture, error);
}

bool
odl_explicit_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  return run (input, unpack<false>, picture, error);
}

bool
odl_implicit_dicom (const OdlDecoderInput *input, OdlPicture *picture, GError **error)
{
  return run (input, unpack<true>, picture, error);
}
