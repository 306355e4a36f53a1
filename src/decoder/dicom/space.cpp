// SPDX-License-Identifier: MIT
#include "decoder/dicom/space.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glib/gi18n-lib.h>

#include "decoder/place.h"
#include "image/volume/directions.h"

// Places that differ by less are the same (mm); directions (cosines); pixels (share).
#define SAME_PLACE 1e-3
#define SAME_DIRECTION 1e-4
#define SAME_SPACING 1e-4
// Times between volumes may be off their mean by this share; those of a clock by more.
#define SAME_INTERVAL 0.02
#define SAME_INTERVAL_TAKEN 0.1
// From which times are counted, so that they keep their fractions: the first of 2000.
#define A_DAY 730120

namespace {

struct Frame {
  uint32_t index; // in the file
  double place[3];
  double along; // the normal, in whole steps of SAME_PLACE
  double time; // in its unit; NaN: none
  double taken_s; // since some day; NaN: unknown
};

}

static bool
read_numbers (DcmItem *item, const DcmTagKey &tag, unsigned n, double *values)
{
  for (unsigned i = 0; i < n; i++)
    if (!odl_item_number (item, tag, i, values[i]) || !(fabs (values[i]) < 1e9))
      return false;
  return true;
}

static DcmItem *
macro_of (DcmItem *frame, DcmItem *shared, const DcmTagKey &macro)
{
  DcmItem *item = odl_item_in (frame, macro, 0);

  return item != NULL || shared == NULL ? item : odl_item_in (shared, macro, 0);
}

// When the frame was taken, beside others of its place, and the unit of that in seconds;
// 0: an order alone. `way`, −1 at first, is that in which the first frame says it.
static double
time_of (DcmItem *frame, int *way, double *unit_s)
{
  static const struct {
    const DcmTagKey &macro, &tag;
    double unit_s;
  } ways[] = {
    { DCM_TemporalPositionSequence, DCM_TemporalPositionTimeOffset, 1 },
    { DCM_CardiacSynchronizationSequence, DCM_NominalCardiacTriggerDelayTime, 1e-3 },
    { DCM_FrameContentSequence, DCM_TemporalPositionIndex, 0 },
  };
  double value = 0;

  for (int i = 0; i < (int) G_N_ELEMENTS (ways); i++) {
    DcmItem *item = *way < 0 || *way == i ? odl_item_in (frame, ways[i].macro, 0) : NULL;
    if (item == NULL || !read_numbers (item, ways[i].tag, 1, &value))
      continue;
    *way = i;
    *unit_s = ways[i].unit_s;
    return value;
  }
  return NAN;
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

// Positions that frames have each; false where one lacks it.
static bool
read_enhanced (OdlDicomSpace *space,
               DcmSequenceOfItems *groups,
               DcmItem *shared,
               std::vector<Frame> &frames,
               double *unit_s)
{
  double spacing[2] = { 0, 0 };
  int way = -1;

  for (DcmObject *at = groups->nextInContainer (NULL); at != NULL;
       at = groups->nextInContainer (at)) {
    DcmItem *group = dynamic_cast<DcmItem *> (at);
    Frame frame = { (uint32_t) frames.size (), {}, 0, NAN, taken_s (group) };
    double direction[6], own[2] = { 0, 0 };
    DcmItem *place = macro_of (group, shared, DCM_PlanePositionSequence);
    DcmItem *turned = macro_of (group, shared, DCM_PlaneOrientationSequence);
    DcmItem *measures = macro_of (group, shared, DCM_PixelMeasuresSequence);
    if (place == NULL || turned == NULL
        || !read_numbers (place, DCM_ImagePositionPatient, 3, frame.place)
        || !read_numbers (turned, DCM_ImageOrientationPatient, 6, direction))
      return false;
    if (measures != NULL)
      read_numbers (measures, DCM_PixelSpacing, 2, own);
    if (frames.empty ()) {
      memcpy (space->direction, direction, sizeof direction);
      memcpy (spacing, own, sizeof own);
    }
    space->unlike = space->unlike
                    || !is_alike (direction, space->direction, 6, SAME_DIRECTION)
                    || !is_alike (own, spacing, 2, SAME_SPACING * fabs (spacing[0]));
    frame.time = time_of (group, &way, unit_s);
    frames.push_back (frame);
  }
  return true;
}

// A grid of doses: offsets along the normal from the first plane, or in a picture across
// the body the places themselves.
static bool
read_grid (OdlDicomSpace *space, DcmItem *dataset, std::vector<Frame> &frames)
{
  double normal[3], first[3], offset = 0, start = 0;

  if (!read_numbers (dataset, DCM_ImagePositionPatient, 3, first)
      || !read_numbers (dataset, DCM_ImageOrientationPatient, 6, space->direction)
      || !odl_stack_normal (space->direction, normal)
      || !read_numbers (dataset, DCM_GridFrameOffsetVector, 1, &start))
    return false;
  const bool are_places = start != 0;
  if (are_places && (fabs (start - first[2]) > SAME_PLACE || normal[2] < 0.999))
    return false;
  for (unsigned i = 0; odl_item_number (dataset, DCM_GridFrameOffsetVector, i, offset);
       i++) {
    Frame frame = { i, {}, 0, NAN, NAN };
    if (!(fabs (offset) < 1e9))
      return false;
    for (int k = 0; k < 3; k++)
      frame.place[k] = first[k] + (offset - start) * normal[k];
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
    if (!is_alike (frames[i].place, frames[i % space->slices].place, 3, SAME_PLACE))
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
  const OFString sop_class = odl_item_text (dataset, DCM_SOPClassUID);

  return sop_class == UID_EnhancedMRImageStorage
         || sop_class == UID_EnhancedCTImageStorage
         || sop_class == UID_EnhancedPETImageStorage;
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

  if (enhanced ? !read_enhanced (
          space, groups, odl_item_in (dataset, DCM_SharedFunctionalGroupsSequence, 0),
          frames, &unit_s)
               : !read_grid (space, dataset, frames)) {
    space->placeless = should_have_places (dataset);
    return;
  }
  if (frames.size () < 2 || frames.size () > ODL_DECODER_MAX_FRAMES)
    return;
  space->frames = (uint32_t) frames.size ();
  if (space->unlike || !odl_stack_normal (space->direction, normal)) {
    space->unlike = true;
    return;
  }
  for (Frame &frame : frames)
    frame.along = rint ((frame.place[0] * normal[0] + frame.place[1] * normal[1]
                         + frame.place[2] * normal[2])
                        / SAME_PLACE);
  std::stable_sort (frames.begin (), frames.end (), is_before);
  if (!sort_volumes (space, frames)) {
    space->unequal_count = true;
    return;
  }
  find_stack (space, frames);
  find_interval (space, frames, unit_s);
  bool sorted = true;
  std::vector<uint32_t> order;
  for (const Frame &frame : frames) {
    sorted = sorted && frame.index == order.size ();
    order.push_back (frame.index);
  }
  if (sorted || !enhanced) {
    // Offsets of a grid stand in the header in the order of the file.
    space->slices = sorted ? space->slices : 0;
    return;
  }
  reorder (groups, order);
  space->order = order;
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

static void
warn (const OdlDicomSpace *space, OdlPicture *picture)
{
  const OdlStack *stack = &space->stack;

  if (space->placeless && picture->reply.declared_frames > 1)
    odl_picture_warn (picture,
                      _ ("its header does not say where its frames lie (functional "
                         "groups): they are no volume, unless opened as volume:FILE, or "
                         "with “Frames as Slices of a Volume” in the window’s menu"));
  else if (space->unlike)
    odl_picture_warn (picture, _ ("its frames are not turned alike, or their pixels not "
                                  "of one size: they are no volume"));
  else if (space->unequal_count)
    odl_picture_warn (picture, _ ("there are more frames at some places than at others, "
                                  "as if some were missing: they are no volume"));
  else if (stack->flaw == ODL_STACK_UNEVEN)
    odl_picture_warn (picture, _ ("its frames are not equally far apart, as if some were "
                                  "missing: they are no volume"));
  else if (stack->flaw == ODL_STACK_SHIFTED)
    odl_picture_warn (picture, _ ("its frames are shifted sideways against each other: "
                                  "they are no volume"));
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
  char letters[4];
  odl_directions_of_slices (space->direction, space->stack.step_mm, letters);
  odl_picture_detail (picture, "orientation", "%s", letters);
  set_numbers (picture, "image-position", space->place, 3);
  set_numbers (picture, "image-orientation", space->direction, 6);
  set_numbers (picture, "slice-step", space->stack.step_mm, 3);
  if (space->interval_s > 0)
    set_numbers (picture, "volume-interval-s", &space->interval_s, 1);
  // Slices do not follow each other in time.
  reply->frame_rate = 0;
  g_clear_pointer (&picture->timing, g_free);
  odl_picture_set_times (picture, NULL, 0);
  warn_of_volume (space, picture);
}
