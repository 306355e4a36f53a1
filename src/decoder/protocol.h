// SPDX-License-Identifier: MIT
// Protocol between the decoder helper and its parent. For each frame the helper sends one
// message with a fixed header, text, and the pixels in an attached memory file. The first
// frame is given on the command line; the parent orders further ones. An order may attach
// another file of the same format, which replaces the input (the next file of a
// sequence). If the samples are in files next to the input, the helper requests each by
// its plain name before it answers, or as "*.img", the name of the input with another
// ending; the parent replies with an order, with or without the
// file. The helper ends when the parent closes the socket.
//
// The parent provides a memory file per frame, of the largest allowed size and sealed
// against growing; the helper cannot create any, so that it cannot accumulate memory in
// them. The helper shrinks the file to the size of the frame, seals it completely and
// sends it back.
//
// Command line: `ondelette-decoder FORMAT FRAME MEMORY CPU SANDBOX`, with the descriptors
// of base/helper.h, and the first memory file as ODL_DECODER_PICTURE_FD. MEMORY is the
// additional address space in bytes, CPU the processor time in seconds for the first
// frame. Both programs come from one build: byte order and layout are native, and
// `version` detects a stale helper.
#pragma once

#include <stdint.h>

#include "base/helper.h"
#include "image/beams.h"

#define ODL_DECODER_MAGIC 0x4f444c31u // "ODL1"
#define ODL_DECODER_VERSION 13u

#define ODL_DECODER_PICTURE_FD 5

// The detail "person" begins so where it tells who is one person
// (decoder/dicom/person.h).
#define ODL_PERSON_KNOWN "="

#define ODL_DECODER_MAX_TEXT 32768u
#define ODL_DECODER_MAX_DETAILS 64u
#define ODL_DECODER_MAX_FRAMES 16777216u

// As `ondelette-decoder fork-server`, with socket and life pipe only, the program
// initialises all formats and forks a helper for each OdlDecoderStart, which has the
// helper's descriptors attached in the order of their numbers; it answers with
// OdlDecoderForked. The helper is a child of the parent, not of the fork server.
#define ODL_DECODER_FORK_SERVER "fork-server"
#define ODL_DECODER_START_FDS 4

typedef struct {
  uint32_t magic;
  uint32_t version;
  char format[16];
  uint32_t frame;
  uint32_t cpu_seconds;
  uint64_t memory;
  uint32_t sandbox_is_optional;
  uint32_t reserved;
} OdlDecoderStart;

typedef struct {
  uint32_t magic;
  uint32_t version;
  int32_t pid; // −1: failed
} OdlDecoderForked;

// OdlDecoderReply.status if there is a picture; else an OdlErrorCode.
#define ODL_DECODER_OK (-1)
// Or: the text is the NUL-terminated name of a requested file.
#define ODL_DECODER_WANTS_FILE (-2)
#define ODL_DECODER_MAX_NAME 256u

// The text block holds NUL-terminated UTF-8 strings in this order, followed by
// `n_details` pairs of key and value.
enum {
  ODL_DECODER_TEXT_MESSAGE, // error message
  ODL_DECODER_TEXT_FORMAT, // such as "PNG, 16 bit"
  ODL_DECODER_TEXT_MARK, // short text for the picture; may be empty
  ODL_DECODER_TEXT_WARNING, // sentences; may be empty
  ODL_DECODER_TEXT_UNIT,
  ODL_DECODER_TEXT_TIMING, // origin of the frame rate or times; may be empty
  ODL_DECODER_N_TEXTS,
};

// The parent's order: decode another frame, or the reply to a file request. `files`
// tells which descriptors are attached, in this order.
enum {
  ODL_DECODER_BRINGS_PICTURE = 1 << 0, // memory file for the frame
  ODL_DECODER_BRINGS_FILE
  = 1 << 1, // an input file; absent if a requested file is not available
};
#define ODL_DECODER_MAX_BROUGHT 2

typedef struct {
  uint32_t magic;
  uint32_t version;
  uint32_t frame;
  uint32_t files;
} OdlDecoderOrder;

// The numbers of a file that do not fit the samples begin in the memory file at a
// multiple of this, so that they can be mapped by themselves.
#define ODL_DECODER_NUMBERS_ALIGNMENT 65536u

// Samples, and numbers if there are any, are interleaved without row padding, in native
// byte order.
typedef struct {
  uint32_t magic;
  uint32_t version;
  int32_t status;
  uint32_t text_bytes; // that follow the header
  uint32_t n_details;
  uint32_t width;
  uint32_t height;
  uint32_t channels; // 1, 3, 4
  uint32_t sample_type; // OdlSampleType
  uint32_t has_window; // 0, 1
  uint32_t inverse; // 0, 1
  uint32_t n_frames; // available
  uint32_t declared_frames; // according to the file
  uint32_t voi_function; // OdlVoiFunction
  uint32_t n_levels; // of the VOI LUT: 0, or 2 … ODL_CURVE_MAX_LEVELS
  uint32_t has_overlay; // 0, 1
  uint32_t n_times; // 0, or n_frames + 1 times in ns (int64_t) after the samples
  uint64_t data_bytes; // of the samples
  double stored_min;
  double stored_max;
  double slope;
  double intercept;
  double window_centre;
  double window_width;
  double levels_first; // values of the first and last level
  double levels_last;
  uint32_t n_slices; // of each volume if the frames are these, n_frames / n_slices
                     // volumes one after the other; else 0
  uint32_t spacing_place; // OdlSpacingPlace
  double spacing_mm[3]; // x, y, and z between slices; 0: unknown
  double pixel_aspect; // width / height
  double frame_rate; // per second; 0: none
  uint32_t surface_degree[2]; // along columns and rows; 0: no surface
  uint32_t surface_is_rational; // 0, 1
  uint32_t n_windows; // of the file's further windows and tables
  uint32_t n_window_levels; // of these tables together
  uint32_t n_regions;
  uint32_t has_shutter; // 0, 1
  uint32_t number_type; // OdlNumberType of the file; UNKNOWN: as the samples
  double shutter_level; // grey of what the shutter covers, 0 … 1
  uint64_t number_bytes; // of numbers of that type beside the samples; 0: none
  uint32_t has_padding; // 0, 1
  uint32_t has_found; // 0, 1
  double padding[2]; // first and last stored number of it
  double found[2]; // smallest and largest stored number of all frames, without fill
  OdlBeams beams; // where beams of ultrasound lie; all 0: they are pixels
} OdlDecoderReply;

// Offset of the numbers in the memory file.
static inline uint64_t
odl_decoder_numbers_offset (const OdlDecoderReply *reply)
{
  return (reply->data_bytes + ODL_DECODER_NUMBERS_ALIGNMENT - 1)
         / ODL_DECODER_NUMBERS_ALIGNMENT * ODL_DECODER_NUMBERS_ALIGNMENT;
}

// Offset of what follows samples and numbers: frame times, or the numbers of a surface
// (double, as in odl_surface_new), which has neither times nor levels nor overlay.
static inline uint64_t
odl_decoder_times_offset (const OdlDecoderReply *reply)
{
  const uint64_t end = reply->number_bytes > 0
                           ? odl_decoder_numbers_offset (reply) + reply->number_bytes
                           : reply->data_bytes;

  return (end + 7) / 8 * 8;
}

// Offset of the VOI LUT (float), then of the overlay bits (as OdlOverlay), after the
// times.
static inline uint64_t
odl_decoder_levels_offset (const OdlDecoderReply *reply)
{
  return odl_decoder_times_offset (reply) + (uint64_t) reply->n_times * 8;
}

// ---- What is chosen in a file ----
//
// Some formats are those of a part of a file, which the helper requests from the parent
// as the file ODL_DECODER_CHOICE: "hdf5-array" of an array by its name, such as
// "/data/image", "tiff-level" of a level of a pyramid by the way that pages are taken in
// and its number, such as "stack 2", or "itself 0" where the description says the way.
#define ODL_DECODER_CHOICE "choice"

// ---- Room ----
//
// What is too much for memory when it is unpacked goes into a file that the parent lends:
// requested by this name, which no file beside the input can have, followed by the number
// of bytes that are expected, it is empty and has no name. How long it becomes is limited
// as memory is; how long it is shows the parent how far the unpacking is. A source lends
// only a few.
#define ODL_DECODER_ROOM "/room "
#define ODL_DECODER_MOST_ROOMS 2

// ---- Videos in DICOM files ----
//
// The format "dicom-stream" tells where the stream of a video lies in the file. Its
// answer describes the frames, and is a grey picture as wide as they are and at least as
// high, whose bytes, row by row, are the number of spans (uint64_t), and these, in order.
typedef struct {
  uint64_t offset;
  uint64_t bytes;
} OdlDecoderSpan;

// ---- Derived DICOM files ----
//
// The format "dicom-derive" makes the beginning of a DICOM file whose pixels were made
// from those of the input: everything up to the value of its pixel data, which the parent
// appends (explicit little endian; plain, or compressed without loss as items). The
// helper requests the file ODL_DECODER_DERIVE from the parent, which is an
// OdlDecoderDerive followed by the recipe (UTF-8, `recipe_bytes`, not terminated). It
// answers with a grey picture of bytes, row by row: their number (uint64_t, without
// itself), the bytes, zeros.
#define ODL_DECODER_DERIVE "derive"
#define ODL_DECODER_DERIVE_MAX_RECIPE 65536u

enum {
  ODL_DERIVE_FILTERED = 1 << 0, // the pixels differ from those of the input
  ODL_DERIVE_LOSSY = 1 << 1, // they were compressed with losses at some time
  ODL_DERIVE_DEIDENTIFY
  = 1 << 2, // PS3.15, Basic Application Level Confidentiality Profile
  ODL_DERIVE_BLANKED = 1 << 3, // what is written in them was made black
  ODL_DERIVE_REPORT = 1 << 4, // the bytes of the answer are the new header as text, in
                              // the lines of the format "dicom-text"
};

// How the parent will store the pixels.
enum {
  ODL_DERIVE_PLAIN,
  ODL_DERIVE_RLE,
  ODL_DERIVE_JPEG_2000, // lossless; colours went through the reversible transform
  ODL_DERIVE_N_COMPRESSIONS,
};

typedef struct {
  uint32_t magic;
  uint32_t version;
  uint32_t flags;
  uint32_t compression;
  uint32_t width;
  uint32_t height;
  uint32_t channels; // 1, 3
  uint32_t bits; // stored, 1 … 16; allocated are 8 or 16
  uint32_t is_signed; // 0, 1
  uint32_t first_frame; // of those of the input, from 0
  uint32_t n_frames;
  uint32_t recipe_bytes;
  uint32_t
      has_window; // 0: that of the input; 1: the next two; 2: those, where it has none
  double window_centre;
  double window_width;
  int64_t now_s; // since 1970, UTC
  int32_t zone_minutes; // of the parent, east of Greenwich
  int32_t days; // by which dates are moved if the patient's are to be hidden; 0: removed
  uint8_t secret[32]; // of this run: identifiers that are made depend on it
  char instance[65]; // the input's SOP Instance UID, as it was told before; else empty
  char program[48]; // with its version
  char description[1025]; // ASCII
  char reserved[2];
} OdlDecoderDerive;

// ---- What was said of a picture ----
//
// The formats "dicom-report" and "dicom-state" make whole DICOM files that refer to one
// frame of the input: a structured report of what was measured in it (PS3.16, TID 1500),
// a presentation state of how it is looked at and what is drawn over it (PS3.3 A.33.1).
// The helper requests the file ODL_DECODER_SAID from the parent: an OdlDecoderSaid, its
// OdlDecoderMarks, the OdlDecoderMeasured of all of these in their order, all their
// points likewise (two floats: column and row, (0, 0) being the outer corner of the first
// sample), the recipe (ASCII), all words likewise (UTF-8); texts are not terminated. It
// answers as "dicom-derive" does. Of "dicom-keys" each mark is a picture of the input's
// series that is to be looked at: its words are the SOP Instance UID, a blank, and the
// frame from 0.
#define ODL_DECODER_SAID "said"
#define ODL_DECODER_SAID_MAX_MARKS 4096u
#define ODL_DECODER_SAID_MAX_MEASURED 16u // of a mark
#define ODL_DECODER_SAID_MAX_POINTS 256u // of a mark
#define ODL_DECODER_SAID_MAX_WORDS 1024u // bytes of a mark (VR ST)

// The shape of a mark, as DICOM has them.
enum {
  ODL_MARK_LINE, // through its points
  ODL_MARK_REGION, // that ends where it begins
  ODL_MARK_ELLIPSE, // the ends of its major axis, then those of the minor one
  ODL_MARK_N_FORMS,
};

// A code; ASCII with a NUL.
typedef struct {
  char value[17], scheme[17], meaning[65];
} OdlDecoderCode;

typedef struct {
  double value; // finite
  uint32_t after; // 0; 1: it is that after the recipe
  OdlDecoderCode concept_name, unit;
  OdlDecoderCode derivation; // how it follows from many values; empty: it is one
  char reserved[6];
} OdlDecoderMeasured;

typedef struct {
  uint32_t form, n_points, n_measured;
  uint32_t words_bytes; // that stand beside it in a state
  float anchor[2]; // where they stand, as a point
  char name[64]; // ASCII with a NUL: by which people tell it from the others
} OdlDecoderMark;

typedef struct {
  uint32_t magic;
  uint32_t version;
  uint32_t n_marks, n_measured, n_points; // of all marks
  uint32_t recipe_bytes; // at most ODL_DECODER_DERIVE_MAX_RECIPE
  uint32_t frame; // of the input, from 0
  int32_t zone_minutes; // as in OdlDecoderDerive, with the next four
  int64_t now_s;
  // Of a state.
  double window_centre, window_width; // > 0
  double spacing_mm[2]; // of a column and a row; 0: not known
  double pixel_aspect; // width / height, > 0
  uint32_t function; // 0 LINEAR, 1 LINEAR_EXACT, 2 SIGMOID
  uint32_t use_table; // 0; 1: the first VOI LUT of the input, if it has one
  uint32_t inverse; // 0; 1: the smallest values are white
  uint32_t quarter_turns; // clockwise, 0 … 3
  uint32_t flip; // 0; 1: left to right, after these
  uint32_t words_bytes; // of all marks
  int32_t corners[4]; // column and row, from 1, of the upper left and the lower right
                      // pixel that are seen
  uint8_t secret[32];
  // The stored result of the recipe, which values after it were measured in; "": none.
  uint32_t derived_frame; // from 1; 0: it has only one
  char derived_class[65], derived_instance[65], derived_series[65];
  char instance[65];
  char program[48];
  char reserved[8];
} OdlDecoderSaid;

// ---- What was outlined ----
//
// The format "dicom-segments" tells what a segmentation or a structure set has: an
// OdlDecoderSegments, its OdlDecoderSegment, its OdlDecoderSegmentFrame, which are the
// frames of the file as they are shown, or contours, and the points of all contours in
// their order (three doubles, mm, LPS). It answers as "dicom-derive" does.
#define ODL_DECODER_MAX_SEGMENTS 4096u
#define ODL_DECODER_MAX_SEGMENT_FRAMES 262144u // or contours
#define ODL_DECODER_MAX_SEGMENT_POINTS 4194304u
#define ODL_SEGMENTS_NONE UINT32_MAX // a frame of no segment that there is

enum {
  ODL_SEGMENTS_BINARY, // samples are 0 or not
  ODL_SEGMENTS_FRACTIONAL, // 0 … `full`
  ODL_SEGMENTS_LABELS, // samples are numbers of segments
  ODL_SEGMENTS_CONTOURS, // there are no samples
  ODL_SEGMENTS_N_KINDS,
};

typedef struct {
  uint32_t magic;
  uint32_t version;
  uint32_t kind;
  uint32_t n_segments, n_frames, n_points;
  uint32_t width, height; // of frames; 0 of contours
  uint32_t full; // 1 … 255
  char frame_of_reference[65]; // "": none is named
  char reserved[3];
} OdlDecoderSegments;

typedef struct {
  uint32_t number; // by which frames and samples name it
  uint8_t colour[3]; // sRGB
  uint8_t has_colour; // 0, 1
  char name[128]; // UTF-8 with its NUL
} OdlDecoderSegment;

typedef struct {
  uint32_t segment; // of those of the file, from 0; or ODL_SEGMENTS_NONE
  uint32_t is_placed; // 0, 1: the next four are known, of contours their points
  double position[3]; // of the first pixel's middle, mm, LPS
  double orientation[6]; // where rows and columns lead
  double spacing_mm[2]; // of columns and rows
  double thickness_mm; // from slice to slice; 0: unknown
  uint32_t n_points; // of a contour
  uint32_t is_closed; // 0, 1
  uint32_t frame; // of the picture below, from 0
  char instance[65]; // SOP Instance UID of the picture that it is about; "": none
  char reserved[3];
} OdlDecoderSegmentFrame;

// Of what the file says besides. Files with more are cut, which is said.
#define ODL_DECODER_MAX_WINDOWS 32u
#define ODL_DECODER_MAX_TABLES 8u // of the windows
#define ODL_DECODER_MAX_REGIONS 64u
#define ODL_DECODER_NAME_BYTES 128u

// A window of the file, or a table of grey levels.
typedef struct {
  char name[ODL_DECODER_NAME_BYTES]; // UTF-8 with its NUL; may be empty
  uint32_t n_levels; // of a table, which follow; 0: a window
  uint32_t reserved;
  double centre, width; // of a window
  double first, last; // values of the first and last level of a table
} OdlDecoderWindow;

// A part of the picture with a scale of its own; columns and rows from 0, end excluded.
typedef struct {
  uint32_t left, top, right, bottom;
  uint32_t kind; // OdlRegionKind
  uint32_t unit[2]; // OdlRegionUnit, along x and y
  uint32_t has_reference; // 0, 1
  double delta[2]; // of one pixel in that unit; never 0 where the unit is known
  double reference[2]; // pixel from the picture's corner where the value is 0 …
  double value[2]; // … or this one
} OdlDecoderRegion;

// What the file says besides stands last in the memory file, in this order: windows,
// regions, the levels of the tables (float), the bits of the shutter (as OdlOverlay).
static inline uint64_t
odl_decoder_overlay_offset (const OdlDecoderReply *reply)
{
  return odl_decoder_levels_offset (reply) + (uint64_t) reply->n_levels * sizeof (float);
}

static inline uint64_t
odl_decoder_bits_bytes (const OdlDecoderReply *reply)
{
  return (uint64_t) (reply->width + 7) / 8 * reply->height;
}

static inline uint64_t
odl_decoder_windows_offset (const OdlDecoderReply *reply)
{
  const uint64_t overlay = reply->has_overlay ? odl_decoder_bits_bytes (reply) : 0;

  return (odl_decoder_overlay_offset (reply) + overlay + 7) / 8 * 8;
}

static inline uint64_t
odl_decoder_regions_offset (const OdlDecoderReply *reply)
{
  return odl_decoder_windows_offset (reply)
         + (uint64_t) reply->n_windows * sizeof (OdlDecoderWindow);
}

static inline uint64_t
odl_decoder_tables_offset (const OdlDecoderReply *reply)
{
  return odl_decoder_regions_offset (reply)
         + (uint64_t) reply->n_regions * sizeof (OdlDecoderRegion);
}

static inline uint64_t
odl_decoder_shutter_offset (const OdlDecoderReply *reply)
{
  return odl_decoder_tables_offset (reply)
         + (uint64_t) reply->n_window_levels * sizeof (float);
}

static inline uint32_t
odl_decoder_says_more (const OdlDecoderReply *reply)
{
  return reply->n_windows | reply->n_regions | reply->has_shutter;
}

// All of the memory file but that of a surface.
static inline uint64_t
odl_decoder_file_bytes (const OdlDecoderReply *reply)
{
  if (odl_decoder_says_more (reply))
    return odl_decoder_shutter_offset (reply)
           + (reply->has_shutter ? odl_decoder_bits_bytes (reply) : 0);
  if (reply->has_overlay)
    return odl_decoder_overlay_offset (reply) + odl_decoder_bits_bytes (reply);
  if (reply->n_levels > 0 || reply->n_times > 0)
    return odl_decoder_overlay_offset (reply);
  return reply->number_bytes > 0
             ? odl_decoder_numbers_offset (reply) + reply->number_bytes
             : reply->data_bytes;
}
