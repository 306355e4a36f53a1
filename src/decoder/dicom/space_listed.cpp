// SPDX-License-Identifier: MIT
// Places of frames that stand in vectors of the header. The standard wants them to rise
// or to fall from frame to frame; whether they do is found in space.cpp.
#include <cmath>
#include <cstring>

#include "decoder/dicom/space_frames.hpp"

using Frame = OdlDicomFramePlace;

bool
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

bool
odl_dicom_listed_read (OdlDicomSpace *space,
                       DcmItem *dataset,
                       std::vector<Frame> &frames,
                       double *unit_s)
{
  return read_grid (space, dataset, frames)
         || read_nuclear (space, dataset, frames, unit_s)
         || read_locations (space, dataset, frames);
}
