// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <glib/gi18n-lib.h>

#include "decoder/dicom/space.hpp"
#include "decoder/place.h"
#include "image/volume/directions.h"

// Where single frames of a file lie, before they are a volume.
struct OdlDicomFramePlace {
  uint32_t index; // in the file
  double place[3];
  double along; // the normal, in whole steps of what is one place
  double time; // in its unit; NaN: none
  double taken_s; // since some day; NaN: unknown
};

using Frame = OdlDicomFramePlace;

// Places that differ by less are the same (mm).
#define ODL_DICOM_SAME_PLACE 1e-3

// Places of frames that stand in vectors of the header. The standard wants them to rise
// or to fall from frame to frame; whether they do is found in space.cpp.

// The first `n` numbers of an element; false unless all are there, and places could be
// made of them.
static bool
odl_dicom_read_places (DcmItem *item, const DcmTagKey &tag, unsigned n, double *values)
{
  for (unsigned i = 0; i < n; i++)
    if (!odl_item_number (item, tag, i, values[i]) || !(fabs (values[i]) < 1e9))
      return false;
  return true;
}

// All numbers of an element, in one go where they are text. Empty: there are none, or
// they are no places.
static std::vector<double>
read_vector (DcmItem *dataset, const DcmTagKey &tag)
{
  DcmElement *element = NULL;
  std::vector<double> values;
  OFVector<Float64> decimals;
  double value = 0;

  if (dataset->findAndGetElement (tag, element).bad ())
    return values;
  DcmDecimalString *text = dynamic_cast<DcmDecimalString *> (element);
  if (text == NULL)
    for (unsigned i = 0; odl_item_number (dataset, tag, i, value); i++)
      values.push_back (value);
  else if (text->getFloat64Vector (decimals).good ())
    values.assign (decimals.begin (), decimals.end ());
  for (double each : values)
    if (!(fabs (each) < 1e9))
      return {};
  return values;
}

// Position and orientation of the first frame; without them, or with half of them, a
// space of its own, in which only distances are known.
static void
read_first (OdlDicomSpace *space, DcmItem *item, double first[3])
{
  static const double nowhere[3] = { 0, 0, 0 }, plain[6] = { 1, 0, 0, 0, 1, 0 };
  double normal[3];

  space->in_patient
      = odl_dicom_read_places (item, DCM_ImagePositionPatient, 3, first)
        && odl_dicom_read_places (item, DCM_ImageOrientationPatient, 6, space->direction)
        && odl_stack_normal (space->direction, normal);
  if (space->in_patient)
    return;
  memcpy (first, nowhere, sizeof nowhere);
  memcpy (space->direction, plain, sizeof plain);
}

static void
add_frames (const OdlDicomSpace *space,
            const double first[3],
            const std::vector<double> &offsets,
            std::vector<Frame> &frames)
{
  double normal[3] = { 0, 0, 1 };

  odl_stack_normal (space->direction, normal);
  for (double offset : offsets) {
    Frame frame = { (uint32_t) frames.size (), {}, 0, NAN, NAN };
    for (int k = 0; k < 3; k++)
      frame.place[k] = first[k] + offset * normal[k];
    frames.push_back (frame);
  }
}

// A grid of doses (PS3.3 C.8.8.3.2): offsets along the normal from the first plane, or in
// a picture across the body the places themselves.
static bool
read_grid (OdlDicomSpace *space, DcmItem *dataset, std::vector<Frame> &frames)
{
  std::vector<double> offsets = read_vector (dataset, DCM_GridFrameOffsetVector);
  double normal[3], first[3];

  if (offsets.empty ())
    return false;
  read_first (space, dataset, first);
  const double start = offsets[0];
  odl_stack_normal (space->direction, normal);
  if (start != 0 && space->in_patient
      && (fabs (start - first[2]) > ODL_DICOM_SAME_PLACE || fabs (normal[2]) < 0.999)) {
    space->not_understood = "Grid Frame Offset Vector";
    return true;
  }
  // Places grow to the head, offsets along the normal.
  const double sign = start != 0 && normal[2] < 0 ? -1 : 1;
  for (double &offset : offsets)
    offset = sign * (offset - start);
  add_frames (space, first, offsets, frames);
  return true;
}

// Which slot of which heartbeat each frame is of, where the file has several.
static void
read_beats (DcmItem *dataset, std::vector<Frame> &frames, double *unit_s)
{
  const std::vector<double> slots = read_vector (dataset, DCM_TimeSlotVector);
  const std::vector<double> beats = read_vector (dataset, DCM_RRIntervalVector);
  DcmItem *gated = odl_item_in (dataset, DCM_GatedInformationSequence, 0);
  DcmItem *data
      = gated != NULL ? odl_item_in (gated, DCM_DataInformationSequence, 0) : NULL;
  double most = 0, ms = 0;

  if (slots.size () != frames.size ())
    return;
  for (double slot : slots)
    most = fmax (most, slot);
  for (size_t i = 0; i < frames.size (); i++)
    frames[i].time
        = slots[i] + (beats.size () == frames.size () ? (beats[i] - 1) * most : 0);
  if (data != NULL && odl_item_number (data, DCM_FrameTime, 0, ms) && ms > 0)
    *unit_s = ms / 1000;
}

static bool
is_reconstruction (DcmItem *dataset)
{
  OFString type;

  return odl_item_text (dataset, DCM_SOPClassUID) == UID_NuclearMedicineImageStorage
         && dataset->findAndGetOFString (DCM_ImageType, type, 2).good ()
         && (type == "RECON TOMO" || type == "RECON GATED TOMO");
}

// Slices of nuclear medicine (PS3.3 C.8.4.15): their distance is negative where they are
// stacked against the normal.
static bool
read_nuclear (OdlDicomSpace *space,
              DcmItem *dataset,
              std::vector<Frame> &frames,
              double *unit_s)
{
  std::vector<double> slices = read_vector (dataset, DCM_SliceVector);
  double first[3], spacing = 0, n = 0;

  if (slices.empty () && !is_reconstruction (dataset))
    return false;
  if (slices.empty () && odl_item_number (dataset, DCM_NumberOfFrames, 0, n) && n >= 1
      && n <= ODL_DECODER_MAX_FRAMES)
    for (int i = 0; i < n; i++)
      slices.push_back (i + 1);
  if (slices.size () < 2)
    return false;
  if (!odl_item_number (dataset, DCM_SpacingBetweenSlices, 0, spacing)
      || !(fabs (spacing) > 0 && fabs (spacing) < 1e4)) {
    space->not_understood = "Spacing Between Slices";
    return true;
  }
  DcmItem *detector = odl_item_in (dataset, DCM_DetectorInformationSequence, 0);
  read_first (space, detector != NULL ? detector : dataset, first);
  if (!space->in_patient && detector != NULL)
    read_first (space, dataset, first);
  const double start = slices[0];
  for (double &slice : slices)
    slice = (slice - start) * spacing;
  add_frames (space, first, slices, frames);
  read_beats (dataset, frames, unit_s);
  return true;
}

// Secondary captures of several frames (PS3.3 C.8.6.4): a place along the normal for
// each.
static bool
read_locations (OdlDicomSpace *space, DcmItem *dataset, std::vector<Frame> &frames)
{
  std::vector<double> locations = read_vector (dataset, DCM_SliceLocationVector);
  double first[3];

  if (locations.empty ())
    return false;
  read_first (space, dataset, first);
  const double start = locations[0];
  for (double &location : locations)
    location -= start;
  add_frames (space, first, locations, frames);
  return true;
}

// Frames of a file whose header lists their places in vectors, one number for each:
// doses, reconstructions of nuclear medicine, secondary captures. False: it does not.
// Sets what is known of their space, and the unit of their times in seconds (0: an order
// alone).
static bool
odl_dicom_listed_read (OdlDicomSpace *space,
                       DcmItem *dataset,
                       std::vector<Frame> &frames,
                       double *unit_s)
{
  return read_grid (space, dataset, frames)
         || read_nuclear (space, dataset, frames, unit_s)
         || read_locations (space, dataset, frames);
}

// Directions that differ by less are the same (cosines); pixels (share).
#define SAME_DIRECTION 1e-4
#define SAME_SPACING 1e-4
// Times between volumes may be off their mean by this share; those of a clock by more.
#define SAME_INTERVAL 0.02
#define SAME_INTERVAL_TAKEN 0.1
// From which times are counted, so that they keep their fractions: the first of 2000.
#define A_DAY 730120

static DcmItem *
macro_of (DcmItem *frame, DcmItem *shared, const DcmTagKey &macro)
{
  DcmItem *item = odl_item_in (frame, macro, 0);

  return item != NULL || shared == NULL ? item : odl_item_in (shared, macro, 0);
}

// What tells frames of one place apart in time.
static const struct {
  const DcmTagKey &macro, &tag;
  double unit_s; // 0: an order alone
} times[] = {
  { DCM_TemporalPositionSequence, DCM_TemporalPositionTimeOffset, 1 },
  { DCM_CardiacSynchronizationSequence, DCM_NominalCardiacTriggerDelayTime, 1e-3 },
  { DCM_CardiacSynchronizationSequence, DCM_ActualCardiacTriggerDelayTime, 1e-3 },
  { DCM_RespiratorySynchronizationSequence, DCM_NominalRespiratoryTriggerDelayTime,
    1e-3 },
  { DCM_CardiacSynchronizationSequence, DCM_NominalPercentageOfCardiacPhase, 0 },
  { DCM_RespiratorySynchronizationSequence, DCM_NominalPercentageOfRespiratoryPhase, 0 },
  { DCM_FrameContentSequence, DCM_TemporalPositionIndex, 0 },
};

static bool
read_time (DcmItem *frame, int way, double *value)
{
  DcmItem *item = odl_item_in (frame, times[way].macro, 0);

  return item != NULL && odl_dicom_read_places (item, times[way].tag, 1, value);
}

static bool
is_dimension (DcmItem *dataset, const DcmTagKey &tag)
{
  DcmTagKey pointed;
  DcmItem *item;

  for (unsigned i = 0;
       (item = odl_item_in (dataset, DCM_DimensionIndexSequence, i)) != NULL; i++) {
    DcmElement *element = NULL;
    if (item->findAndGetElement (DCM_DimensionIndexPointer, element).good ()
        && element->getTagVal (pointed, 0).good () && pointed == tag)
      return true;
  }
  return false;
}

// Which of them orders the frames: one that the file names as a dimension, else the first
// that the first frame has. −1: none.
static int
find_time (DcmItem *dataset, DcmItem *first)
{
  const int n = (int) G_N_ELEMENTS (times);
  double value;

  for (int i = 0; i < n; i++)
    if (read_time (first, i, &value) && is_dimension (dataset, times[i].tag))
      return i;
  for (int i = 0; i < n; i++)
    if (read_time (first, i, &value))
      return i;
  return -1;
}

// A date and time of the frame (DT: YYYYMMDDHHMMSS and a fraction), in seconds.
static double
taken_s (DcmItem *frame)
{
  static const DcmTagKey tags[]
      = { DCM_FrameReferenceDateTime, DCM_FrameAcquisitionDateTime };
  DcmItem *content = odl_item_in (frame, DCM_FrameContentSequence, 0);
  int year, month, day, hour, minute;
  char seconds[16];

  for (const DcmTagKey &tag : tags) {
    if (content == NULL
        || sscanf (odl_item_text (content, tag).c_str (), "%4d%2d%2d%2d%2d%9[0-9.]",
                   &year, &month, &day, &hour, &minute, seconds)
               != 6
        || !g_date_valid_dmy ((GDateDay) CLAMP (day, 0, 99),
                              (GDateMonth) CLAMP (month, 0, 99),
                              (GDateYear) CLAMP (year, 0, 9999)))
      continue;
    GDate date;
    g_date_clear (&date, 1);
    g_date_set_dmy (&date, (GDateDay) day, (GDateMonth) month, (GDateYear) year);
    return 86400.0 * ((double) g_date_get_julian (&date) - A_DAY) + 3600 * hour
           + 60 * minute + g_ascii_strtod (seconds, NULL);
  }
  return NAN;
}

static bool
is_alike (const double *a, const double *b, int n, double slack)
{
  for (int i = 0; i < n; i++)
    if (!(fabs (a[i] - b[i]) <= slack))
      return false;
  return true;
}

// Where functional groups say that frames lie: in the patient, else in a space that the
// transducer spans (PS3.3 C.7.6.16.2.21).
static const struct {
  const DcmTagKey &place, &position, &plane, &orientation;
  bool in_patient;
} spaces[] = {
  { DCM_PlanePositionSequence, DCM_ImagePositionPatient, DCM_PlaneOrientationSequence,
    DCM_ImageOrientationPatient, true },
  { DCM_PlanePositionVolumeSequence, DCM_ImagePositionVolume,
    DCM_PlaneOrientationVolumeSequence, DCM_ImageOrientationVolume, false },
};

// Positions that frames have each; false where one lacks it.
static bool
read_enhanced (OdlDicomSpace *space,
               DcmItem *dataset,
               DcmSequenceOfItems *groups,
               std::vector<Frame> &frames,
               double *unit_s)
{
  DcmItem *shared = odl_item_in (dataset, DCM_SharedFunctionalGroupsSequence, 0);
  DcmItem *first = odl_item_in (dataset, DCM_PerFrameFunctionalGroupsSequence, 0);
  double spacing[2] = { 0, 0 };

  if (first == NULL)
    return false;
  const auto &in = spaces[macro_of (first, shared, spaces[0].place) == NULL
                          && macro_of (first, shared, spaces[1].place) != NULL];
  const int way = find_time (dataset, first);
  space->in_patient = in.in_patient;
  *unit_s = way < 0 ? 0 : times[way].unit_s;
  for (DcmObject *at = groups->nextInContainer (NULL); at != NULL;
       at = groups->nextInContainer (at)) {
    DcmItem *group = dynamic_cast<DcmItem *> (at);
    Frame frame = { (uint32_t) frames.size (), {}, 0, NAN, taken_s (group) };
    double direction[6], own[2] = { 0, 0 };
    DcmItem *place = macro_of (group, shared, in.place);
    DcmItem *turned = macro_of (group, shared, in.plane);
    DcmItem *measures = macro_of (group, shared, DCM_PixelMeasuresSequence);
    if (place == NULL || turned == NULL
        || !odl_dicom_read_places (place, in.position, 3, frame.place)
        || !odl_dicom_read_places (turned, in.orientation, 6, direction))
      return false;
    if (measures != NULL)
      odl_dicom_read_places (measures, DCM_PixelSpacing, 2, own);
    if (frames.empty ()) {
      memcpy (space->direction, direction, sizeof direction);
      memcpy (spacing, own, sizeof own);
    }
    space->unlike = space->unlike
                    || !is_alike (direction, space->direction, 6, SAME_DIRECTION)
                    || !is_alike (own, spacing, 2, SAME_SPACING * fabs (spacing[0]));
    if (way < 0 || !read_time (group, way, &frame.time))
      frame.time = NAN;
    frames.push_back (frame);
  }
  return true;
}

static bool
is_before (const Frame &a, const Frame &b)
{
  if (a.along != b.along)
    return a.along < b.along;
  if (a.time != b.time && !std::isnan (a.time) && !std::isnan (b.time))
    return a.time < b.time;
  return a.index < b.index;
}

// Puts frames that are sorted by place in the order of volumes. False: there are not as
// many at each place.
static bool
sort_volumes (OdlDicomSpace *space, std::vector<Frame> &frames)
{
  size_t n = 0;

  while (n < frames.size () && frames[n].along == frames[0].along)
    n++;
  if (frames.size () % n != 0)
    return false;
  for (size_t i = 0; i < frames.size (); i++)
    if (frames[i].along != frames[i / n * n].along
        || (i >= n && i % n == 0 && frames[i].along == frames[i - n].along))
      return false;
  const std::vector<Frame> by_place = frames;
  const size_t places = frames.size () / n;
  for (size_t i = 0; i < frames.size (); i++)
    frames[i % n * places + i / n] = by_place[i];
  space->volumes = (uint32_t) n;
  space->slices = (uint32_t) places;
  return true;
}

// Whether volumes, of which the first slice stands for all, follow each other at the same
// distance of a number of theirs, but for a share; what that is on average.
static bool
find_step (const OdlDicomSpace *space,
           const std::vector<Frame> &frames,
           double Frame::*number,
           double share,
           double *mean)
{
  const size_t n = space->volumes, slices = space->slices;
  bool even = true;

  *mean = (frames[(n - 1) * slices].*number - frames[0].*number) / (double) (n - 1);
  for (size_t v = 1; v < n; v++) {
    const double gap = frames[v * slices].*number - frames[(v - 1) * slices].*number;
    even = even && fabs (gap - *mean) <= share * fabs (*mean);
  }
  return even;
}

static void
find_interval (OdlDicomSpace *space, const std::vector<Frame> &frames, double unit_s)
{
  double step = 0, seconds = 0;

  space->in_time = space->volumes > 1;
  for (const Frame &frame : frames)
    space->in_time = space->in_time && !std::isnan (frame.time);
  if (!space->in_time)
    return;
  space->uneven_times = !find_step (space, frames, &Frame::time, SAME_INTERVAL, &step);
  // Numbers are no times, but frames may say when they were taken.
  if (unit_s > 0)
    seconds = step * unit_s;
  else if (!find_step (space, frames, &Frame::taken_s, SAME_INTERVAL_TAKEN, &seconds))
    seconds = 0;
  if (!space->uneven_times && seconds > 0)
    space->interval_s = unit_s > 0 ? seconds : rint (seconds * 1e6) / 1e6;
}

static void
find_stack (OdlDicomSpace *space, const std::vector<Frame> &frames)
{
  std::vector<double> places;

  for (uint32_t i = 0; i < space->slices; i++)
    places.insert (places.end (), frames[i].place, frames[i].place + 3);
  for (size_t i = space->slices; i < frames.size (); i++)
    if (!is_alike (frames[i].place, frames[i % space->slices].place, 3,
                   ODL_DICOM_SAME_PLACE))
      space->unlike = true; // aside in the plane
  space->stack = odl_stack_of (places.data (), (int) space->slices, space->direction);
  memcpy (space->place, frames[0].place, sizeof space->place);
}

// The items of frames, in the order that frames are shown in.
static void
reorder (DcmSequenceOfItems *groups, const std::vector<uint32_t> &order)
{
  std::vector<DcmItem *> items;

  while (groups->card () > 0)
    items.push_back (groups->remove ((unsigned long) 0));
  for (uint32_t index : order)
    groups->insert (items[index], DCM_EndOfListIndex);
}

// Pictures of bodies whose frames have functional groups, unless somebody took them away.
static bool
should_have_places (DcmItem *dataset)
{
  static const char *const classes[]
      = { UID_EnhancedMRImageStorage, UID_EnhancedCTImageStorage,
          UID_EnhancedPETImageStorage, UID_EnhancedUSVolumeStorage };
  const OFString sop_class = odl_item_text (dataset, DCM_SOPClassUID);

  for (const char *name : classes)
    if (sop_class == name)
      return true;
  return false;
}

// Parts of one picture that lie beside each other, as those of a microscope's.
static bool
are_tiles (DcmItem *dataset)
{
  double all = 0, own = 0;

  return odl_item_number (dataset, DCM_TotalPixelMatrixColumns, 0, all)
         && odl_item_number (dataset, DCM_Columns, 0, own) && all > own;
}

static void
read_part (OdlDicomSpace *space, DcmItem *dataset)
{
  double part = 0, parts = 0;

  if (odl_item_text (dataset, DCM_ConcatenationUID).empty ()
      || !odl_item_number (dataset, DCM_InConcatenationNumber, 0, part)
      || !(part >= 1 && part <= UINT16_MAX))
    return;
  space->part = (uint32_t) part;
  if (odl_item_number (dataset, DCM_InConcatenationTotalNumber, 0, parts) && parts >= 1
      && parts <= UINT16_MAX)
    space->parts = (uint32_t) parts;
}

// Whether sorted frames are in the order of the file.
static bool
are_in_order (const std::vector<Frame> &frames)
{
  for (size_t i = 0; i < frames.size (); i++)
    if (frames[i].index != i)
      return false;
  return true;
}

// Sorts frames along the normal, or against it. False: there are not as many at each
// place.
static bool
sort_frames (OdlDicomSpace *space, std::vector<Frame> &frames, double sign)
{
  double normal[3];

  odl_stack_normal (space->direction, normal);
  for (Frame &frame : frames)
    frame.along = rint (sign
                        * (frame.place[0] * normal[0] + frame.place[1] * normal[1]
                           + frame.place[2] * normal[2])
                        / ODL_DICOM_SAME_PLACE);
  std::stable_sort (frames.begin (), frames.end (), is_before);
  return sort_volumes (space, frames);
}

// Frames whose places stand in vectors of the header stay in the order of the file, which
// shall be that of their places, one way or the other.
static void
find_listed (OdlDicomSpace *space, std::vector<Frame> &frames)
{
  for (double sign : { 1.0, -1.0 }) {
    std::vector<Frame> sorted = frames;
    space->unequal_count = !sort_frames (space, sorted, sign);
    space->unordered = !are_in_order (sorted);
    if (space->unequal_count || space->unordered)
      continue;
    frames = sorted;
    return;
  }
  space->slices = 0;
}

void
odl_dicom_space_find (OdlDicomSpace *space, DcmItem *dataset)
{
  DcmSequenceOfItems *groups = NULL;
  std::vector<Frame> frames;
  double normal[3], unit_s = 0;
  const bool enhanced
      = dataset->findAndGetSequence (DCM_PerFrameFunctionalGroupsSequence, groups).good ()
        && groups != NULL;

  read_part (space, dataset);
  space->tiles = are_tiles (dataset);
  if (enhanced ? !read_enhanced (space, dataset, groups, frames, &unit_s)
               : !odl_dicom_listed_read (space, dataset, frames, &unit_s)) {
    space->placeless = should_have_places (dataset) || !frames.empty ();
    return;
  }
  if (frames.size () < 2 || frames.size () > ODL_DECODER_MAX_FRAMES)
    return;
  space->frames = (uint32_t) frames.size ();
  if (space->unlike || !odl_stack_normal (space->direction, normal)) {
    space->unlike = true;
    return;
  }
  if (!enhanced)
    find_listed (space, frames);
  else
    space->unequal_count = !sort_frames (space, frames, 1);
  if (space->unequal_count || space->unordered)
    return;
  find_stack (space, frames);
  find_interval (space, frames, unit_s);
  if (are_in_order (frames))
    return;
  for (const Frame &frame : frames)
    space->order.push_back (frame.index);
  reorder (groups, space->order);
}

uint32_t
odl_dicom_space_frame (const OdlDicomSpace *space, uint32_t frame)
{
  return frame < space->order.size () ? space->order[frame] : frame;
}

// In the place of what the frame said.
static void
set_numbers (OdlPicture *picture, const char *key, const double *values, int n)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GPtrArray *details = picture->details;

  for (int i = 0; i < n; i++) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf (text, "%s%s", i > 0 ? "\\" : "",
                            g_ascii_formatd (number, sizeof number, "%.12g", values[i]));
  }
  for (guint i = 0; i + 1 < details->len; i += 2)
    if (strcmp ((const char *) g_ptr_array_index (details, i), key) == 0) {
      g_free (g_ptr_array_index (details, i + 1));
      g_ptr_array_index (details, i + 1) = g_strdup (text->str);
      return;
    }
  odl_picture_detail (picture, key, "%s", text->str);
}

// Why frames are no volume, in the order of what is looked at. NULL: nothing is wrong.
static const char *
why_no_volume (const OdlDicomSpace *space)
{
  const OdlStackFlaw flaw = space->stack.flaw;
  const struct {
    bool is_so;
    const char *words;
  } reasons[] = {
    { space->placeless,
      _ ("its header does not say where its frames lie (functional groups): they are no "
         "volume, unless opened as volume:FILE, or with “Frames as Slices of a Volume” "
         "in the window’s menu") },
    { space->unlike, _ ("its frames are not turned alike, or their pixels not of one "
                        "size: they are no volume") },
    { space->unequal_count,
      _ ("there are more frames at some places than at others, as if some were missing: "
         "they are no volume") },
    { space->unordered, _ ("the places of its frames neither rise nor fall from frame to "
                           "frame: they are no volume") },
    { flaw == ODL_STACK_UNEVEN,
      _ ("its frames are not equally far apart, as if some were "
         "missing: they are no volume") },
    { flaw == ODL_STACK_SHIFTED, _ ("its frames are shifted sideways against each other: "
                                    "they are no volume") },
  };

  for (const auto &reason : reasons)
    if (reason.is_so)
      return reason.words;
  return NULL;
}

static void
warn (const OdlDicomSpace *space, OdlPicture *picture)
{
  const uint32_t declared = picture->reply.declared_frames;
  const char *why = why_no_volume (space);

  if (declared < 2)
    return;
  if (space->part > 0 && space->parts > 0)
    odl_picture_warn (picture,
                      _ ("it is part %u of %u of what is stored in several files (a "
                         "concatenation); the others are not shown with it"),
                      space->part, space->parts);
  else if (space->part > 0)
    odl_picture_warn (picture,
                      _ ("it is part %u of what is stored in several files (a "
                         "concatenation); the others are not shown with it"),
                      space->part);
  if (space->tiles)
    odl_picture_warn (picture, _ ("its frames are tiles of a larger picture, which are "
                                  "shown one by one"));
  else if (space->not_understood != NULL)
    odl_picture_warn (picture,
                      // Translators: the name of an attribute.
                      _ ("its frames are slices, but their %s does not say where they "
                         "lie: they are no volume"),
                      space->not_understood);
  else if (space->frames > 0 && space->frames != declared)
    odl_picture_warn (picture,
                      _ ("its header has places of %u frames and declares %u: they are "
                         "no volume"),
                      space->frames, declared);
  else if (why != NULL)
    odl_picture_warn (picture, "%s", why);
}

static void
warn_of_volume (const OdlDicomSpace *space, OdlPicture *picture)
{
  odl_place_tell_tilt (picture, space->stack.tilt_degrees);
  if (space->volumes > 1 && !space->in_time)
    odl_picture_warn (picture,
                      _ ("each place has %u frames without times: they are shown as %u "
                         "volumes, in the order of the file"),
                      space->volumes, space->volumes);
  if (space->uneven_times)
    odl_picture_warn (picture, _ ("its volumes do not follow each other at equal times, "
                                  "as if some were missing"));
}

static void
describe_places (const OdlDicomSpace *space, OdlPicture *picture)
{
  char letters[4];

  odl_directions_of_slices (space->direction, space->stack.step_mm, letters);
  odl_picture_detail (picture, "orientation", "%s", letters);
  set_numbers (picture, "image-position", space->place, 3);
  set_numbers (picture, "image-orientation", space->direction, 6);
  set_numbers (picture, "slice-step", space->stack.step_mm, 3);
}

void
odl_dicom_space_apply (const OdlDicomSpace *space, OdlPicture *picture)
{
  OdlDecoderReply *reply = &picture->reply;

  warn (space, picture);
  if (space->slices < 2 || space->unlike || space->stack.flaw != ODL_STACK_REGULAR
      || reply->declared_frames != space->frames)
    return;
  // Of a file that ends early the volumes that are whole.
  if (reply->n_frames % space->slices != 0
      || (!space->order.empty () && reply->n_frames != space->frames)) {
    odl_picture_warn (picture, _ ("frames are missing at its end: they are no volume"));
    return;
  }
  reply->n_slices = space->slices;
  reply->spacing_mm[2] = space->stack.spacing_mm;
  if (space->in_patient)
    describe_places (space, picture);
  if (space->interval_s > 0)
    set_numbers (picture, "volume-interval-s", &space->interval_s, 1);
  // Slices do not follow each other in time.
  reply->frame_rate = 0;
  g_clear_pointer (&picture->timing, g_free);
  odl_picture_set_times (picture, NULL, 0);
  warn_of_volume (space, picture);
}
