#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""DICOM files of several frames as volumes, and as volumes over time: every corner of every frame lies
where pydicom reads that its own functional groups put it, in the NIfTI file as nibabel reads it.

usage: multiframe.py ONDELETTE_CLI
"""
import itertools
import json
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "helpers"))
import tap  # noqa: E402
from command_line import run, run_cases, shared  # noqa: E402

try:
    import nibabel as nib
    import pydicom
    from pydicom.dataset import Dataset, FileMetaDataset
except ImportError:
    nib = None

RANDOM = np.random.default_rng(23)
ROWS, COLUMNS = 5, 7
WAYS = {
    "axial": ([1, 0, 0], [0, 1, 0]),
    "from above": ([1, 0, 0], [0, -1, 0]),
    "sagittal": ([0, 1, 0], [0, 0, -1]),
    "oblique": ([0.8, 0.6, 0], [-0.36, 0.48, 0.8]),
    "mirrored": ([-0.8, 0.6, 0], [0.36, 0.48, 0.8]),
}


def of(**values):
    one = Dataset()
    for name, value in values.items():
        setattr(one, name, value)
    return one


def numbers(values):
    return [f"{x:.10g}"[:16] for x in values]


def write(path, way, places, times=None, shuffled=True, ways=None, slope=None):
    """A frame for each place and time, in any order; `ways`: directions of each frame."""
    frames = list(itertools.product(range(len(times or [0])), range(len(places))))
    order = RANDOM.permutation(len(frames)) if shuffled else range(len(frames))
    one = of(SOPClassUID="1.2.840.10008.5.1.4.1.1.4.1", SOPInstanceUID="1.2.3.4", Modality="MR",
             StudyInstanceUID="1.2", SeriesInstanceUID="1.2.3", PatientID="A", Rows=ROWS, Columns=COLUMNS,
             SamplesPerPixel=1, PhotometricInterpretation="MONOCHROME2", BitsAllocated=16, BitsStored=16,
             HighBit=15, PixelRepresentation=0, NumberOfFrames=len(frames))
    per_frame = []
    for k in order:
        time, place = frames[k]
        group = of(FrameContentSequence=[of(StackID="1", InStackPositionNumber=place + 1)],
                   PlanePositionSequence=[of(ImagePositionPatient=numbers(places[place]))],
                   PlaneOrientationSequence=[of(ImageOrientationPatient=numbers(
                       np.concatenate(ways[place] if ways else way)))],
                   PixelValueTransformationSequence=[of(RescaleIntercept=0, RescaleType="US",
                                                        RescaleSlope=slope[place] if slope else 1)])
        if times is not None and times[0] is not None:
            group.TemporalPositionSequence = [of(TemporalPositionTimeOffset=float(times[time]))]
        per_frame.append(group)
    one.PerFrameFunctionalGroupsSequence = per_frame
    one.SharedFunctionalGroupsSequence = [of(PixelMeasuresSequence=[of(PixelSpacing=[0.8, 0.5],
                                                                       SliceThickness=77)])]
    one.PixelData = RANDOM.integers(0, 4096, (len(frames), ROWS, COLUMNS)).astype("<u2").tobytes()
    one.file_meta = FileMetaDataset()
    one.file_meta.TransferSyntaxUID = "1.2.840.10008.1.2.1"
    one.file_meta.MediaStorageSOPClassUID = one.SOPClassUID
    one.file_meta.MediaStorageSOPInstanceUID = one.SOPInstanceUID
    one.is_little_endian, one.is_implicit_VR = True, False
    one.save_as(path, write_like_original=False)


def line(way, n, step, aside=0.0, start=(-31.25, 17.5, 90.125)):
    normal = np.cross(*way)
    return [np.add(start, i * step * normal + i * aside * np.asarray(way[1])) for i in range(n)]


def info_of(path):
    return json.loads(run("info", path, "--json").stdout)


def check(path, volumes=1):
    """As pydicom reads the file, frame by frame."""
    run("process", path, "-o", "out.nii", "--force")
    image, one = nib.load("out.nii"), pydicom.dcmread(path)
    data, inverse = image.get_fdata().reshape(image.shape[:3] + (-1,)), np.linalg.inv(image.affine)
    common = one.SharedFunctionalGroupsSequence[0]
    down, across = map(float, common.PixelMeasuresSequence[0].PixelSpacing)
    assert data.size == one.pixel_array.size and data.shape[3] == volumes, data.shape
    times = sorted({float(group.TemporalPositionSequence[0].TemporalPositionTimeOffset)
                    for group in one.PerFrameFunctionalGroupsSequence
                    if "TemporalPositionSequence" in group})
    for k, group in enumerate(one.PerFrameFunctionalGroupsSequence):
        place = np.array(group.PlanePositionSequence[0].ImagePositionPatient, float)
        way = np.array((group if "PlaneOrientationSequence" in group else common)
                       .PlaneOrientationSequence[0].ImageOrientationPatient, float)
        slope = (float(group.PixelValueTransformationSequence[0].RescaleSlope)
                 if "PixelValueTransformationSequence" in group else 1)
        t = (times.index(float(group.TemporalPositionSequence[0].TemporalPositionTimeOffset))
             if times else 0)
        for row, column in itertools.product((0, ROWS - 1), (0, COLUMNS - 1)):
            ras = (place + way[:3] * across * column + way[3:] * down * row) * [-1, -1, 1]
            voxel = np.rint(inverse @ [*ras, 1])[:3].astype(int)
            assert (voxel >= 0).all() and (voxel < data.shape[:3]).all(), (ras, voxel)
            off = np.abs((image.affine @ [*voxel, 1])[:3] - ras).max()
            assert off <= 1e-3, f"frame {k}: {off} mm off"
            here, wanted = data[(*voxel, t)], slope * one.pixel_array[k, row, column]
            assert abs(here - wanted) <= 1e-3 * max(slope, 1), f"frame {k} at {voxel}: {here}, not {wanted}"


def orientations():
    for name, way in WAYS.items():
        write("in.dcm", way, line(way, 6, 2.5))
        source = info_of("in.dcm")
        assert source["slices"] == 6, (name, source)
        check("in.dcm")


def tilted():
    write("in.dcm", WAYS["axial"], line(WAYS["axial"], 5, 3, aside=0.8))
    assert "gantry tilt of 14.9°" in info_of("in.dcm")["warning"]
    check("in.dcm")


def over_time():
    write("in.dcm", WAYS["oblique"], line(WAYS["oblique"], 4, 2), times=[0, 0.5, 1, 1.5, 2])
    check("in.dcm", 5)
    image = nib.load("out.nii")
    assert abs(image.header.get_zooms()[3] - 0.5) < 1e-6, image.header.get_zooms()
    write("in.dcm", WAYS["axial"], line(WAYS["axial"], 4, 2), times=[0, 0.5, 1.5, 2])
    assert "equal times" in info_of("in.dcm")["warning"]
    write("in.dcm", WAYS["axial"], line(WAYS["axial"], 4, 2), times=[None, None], shuffled=False)
    assert "in the order of the file" in info_of("in.dcm")["warning"]


def by_the_clock():
    """Where frames have numbers of their times alone, the clock says how far these are apart: past midnight, too,
    and not where one is missing."""
    for clock, wanted in ((("20200131235959.5", "20200201000000.25", "20200201000001"), "0.75"),
                          (("20200131120000", "20200131120000.04", "20200131120000.080"), "0.04"),
                          (("20200131120000", "20200131120001", "20200131120003"), None), (("2020", "20200131", ""), None)):
        write("in.dcm", WAYS["axial"], line(WAYS["axial"], 4, 2), times=[0, 1, 2])
        one = pydicom.dcmread("in.dcm")
        for group in one.PerFrameFunctionalGroupsSequence:
            time = int(group.TemporalPositionSequence[0].TemporalPositionTimeOffset)
            del group.TemporalPositionSequence
            group.FrameContentSequence[0].TemporalPositionIndex = time + 1
            group.FrameContentSequence[0].FrameAcquisitionDateTime = clock[time]
        one.save_as("in.dcm")
        told = info_of("in.dcm")
        assert told["slices"] == 4 and told["frames"] == 12, told
        assert told["details"].get("volume-interval-s") == wanted, (clock, told["details"])


def own_values():
    """Frames whose stored numbers mean different values."""
    write("in.dcm", WAYS["axial"], line(WAYS["axial"], 4, 2), slope=[1, 0.5, 2.25, 1.75])
    check("in.dcm")


def no_volume():
    """What is odd is said, and frames are shown one by one."""
    axial = WAYS["axial"]
    regular = line(axial, 6, 2)
    cases = {
        "not equally far apart": dict(places=regular[:2] + regular[3:]),
        "more frames at some places": dict(places=regular + regular[:1]),
        "shifted sideways": dict(places=[np.add(p, [4.0 * (i == 3), 0, 0]) for i, p in enumerate(regular)]),
        "not turned alike": dict(places=regular, ways=[axial] * 5 + [WAYS["sagittal"]]),
    }
    for words, arguments in cases.items():
        write("in.dcm", axial, **arguments)
        source = info_of("in.dcm")
        assert words in source["warning"] and source["slices"] == 0, (words, source)
        assert source["frames"] == len(arguments["places"]), source
    one = write("in.dcm", axial, regular) or pydicom.dcmread("in.dcm")
    one.PixelData = one.PixelData[:len(one.PixelData) // 2]
    one.save_as("cut.dcm")
    assert "missing at its end" in info_of("cut.dcm")["warning"]
    # Numbers that are none.
    one = pydicom.dcmread("in.dcm")
    del one.PerFrameFunctionalGroupsSequence[2].PlanePositionSequence
    one.save_as("none.dcm")
    assert info_of("none.dcm")["slices"] == 0 and "where its frames lie" in info_of("none.dcm")["warning"]
    one.PixelData = one.PixelData[:len(one.PixelData) // 2]
    one.save_as("cut.dcm")
    for frames, status in (("1-2", 0), ("1-99", 3)):
        run("process", "cut.dcm", "-o", "cut-%d.png", "--frames", frames, "--force", status=status)
    # An enhanced MR whose functional groups were taken away is one where that is asked for.
    name = shared("pydicom-data/emri_small.dcm")
    told, asked = info_of(name), info_of(f"volume:{name}")
    assert told["slices"] == 0 and "functional groups" in told["warning"], told
    assert asked["slices"] == 10 and "how far apart" in asked["warning"], asked
    assert "no volume" not in asked["warning"], asked
    run("process", f"volume:{name}", "-o", "asked.nii", "--force")
    # It stays derivable from, as what it is.
    run("process", f"volume:{name}", "-o", "asked.dcm", "--force")
    assert np.array_equal(pydicom.dcmread("asked.dcm").pixel_array, pydicom.dcmread(name).pixel_array)
    # It says no times of its frames: that they play at some speed all the same is told.
    lacks = "no speed is given"
    assert lacks in run("info", name).stdout and lacks not in run("info", f"volume:{name}").stdout
    assert lacks in run("process", name, "-o", "asked.mkv", "--force").stderr
    timed = pydicom.dcmread(name)
    timed.FrameTime, timed.FrameIncrementPointer = 40, 0x00181063
    timed.save_as("timed.dcm")
    assert lacks not in run("info", "timed.dcm").stdout and info_of("timed.dcm")["frame_rate"] == 25
    wanted = pydicom.dcmread(name).pixel_array
    assert np.array_equal(nib.load("asked.nii").get_fdata()[..., :].T, wanted)


def parts_and_cines():
    """The stack of a series that has no single pictures is what its file is: a part of a concatenation, or a cine alone."""
    axial = WAYS["axial"]
    for folder, concatenation in (("parts", True), ("cines", False)):
        pathlib.Path(folder).mkdir()
        for part in range(2):
            write("one.dcm", axial, line(axial, 3, 2), shuffled=False)
            one = pydicom.dcmread("one.dcm")
            one.SOPInstanceUID = one.file_meta.MediaStorageSOPInstanceUID = f"1.2.3.4.{part}"
            if concatenation:
                one.ConcatenationUID, one.InConcatenationNumber, one.InConcatenationTotalNumber = "1.2.9", part + 1, 2
            one.save_as(f"{folder}/{part}.dcm")
        for location in (f"series:{folder}/1.dcm", f"series:{folder}"):
            done = run("process", location, "-o", "out.npy", "--force", "--frame", "2")
            assert ("part " in done.stderr and "concatenation" in done.stderr) == concatenation, done.stderr
            assert "without 1 other picture" in done.stderr, done.stderr
            of_file = int(location.endswith("1.dcm"))
            wanted = pydicom.dcmread(f"{folder}/{of_file}.dcm").pixel_array[1]
            assert np.array_equal(np.load("out.npy").squeeze(), wanted), location
            assert info_of(location)["frames"] == 3


def listed(path, sop_class, n, vectors, places, way=WAYS["axial"], **tags):
    """A file whose header lists places of its frames; it lies where `places` says, from the header's rules."""
    one = of(SOPClassUID=sop_class, SOPInstanceUID="1.2.3.4", Modality="OT", StudyInstanceUID="1.2",
             SeriesInstanceUID="1.2.3", PatientID="A", Rows=ROWS, Columns=COLUMNS, PixelSpacing=[0.8, 0.5],
             SamplesPerPixel=1, PhotometricInterpretation="MONOCHROME2", BitsAllocated=16, BitsStored=16,
             HighBit=15, PixelRepresentation=0, NumberOfFrames=n, **vectors, **tags)
    one.PixelData = RANDOM.integers(0, 4096, (n, ROWS, COLUMNS)).astype("<u2").tobytes()
    one.file_meta = FileMetaDataset()
    one.file_meta.TransferSyntaxUID = "1.2.840.10008.1.2.1"
    one.file_meta.MediaStorageSOPClassUID, one.file_meta.MediaStorageSOPInstanceUID = sop_class, "1.2.3.4"
    one.is_little_endian, one.is_implicit_VR = True, False
    one.save_as(path, write_like_original=False)
    if places is None:
        return
    run("process", path, "-o", "out.nii", "--force")
    image = nib.load("out.nii")
    slices = info_of(path)["slices"]
    assert slices == len({tuple(place) for place in places}), (vectors, slices)
    data = image.get_fdata().reshape(image.shape[:3] + (-1,))
    assert data.shape[2:] == (slices, n // slices), data.shape
    for k, place in enumerate(places):
        corner = np.add(place, np.multiply(way[0], 0.5 * (COLUMNS - 1)) + np.multiply(way[1], 0.8 * (ROWS - 1)))
        voxel = np.linalg.inv(image.affine) @ [*(corner * [-1, -1, 1]), 1]
        assert np.abs(voxel[:3] - np.rint(voxel[:3])).max() < 1e-3, (vectors, k, voxel)
        here = data[(*np.rint(voxel[:3]).astype(int), k // slices)]
        assert abs(here - one.pixel_array[k, -1, -1]) < 1e-2, (vectors, k, voxel, here)


def doses():
    """Grids whose offsets rise, fall, or are places; in all directions (PS3.3 C.8.8.3.2)."""
    sop_class, start = "1.2.840.10008.5.1.4.1.1.481.2", np.array([-31.25, 17.5, 90.125])
    for way in WAYS.values():
        for step in (2.5, -2.5):
            offsets = [step * i for i in range(4)]
            listed("in.dcm", sop_class, 4, {"GridFrameOffsetVector": offsets},
                   [start + offset * np.cross(*way) for offset in offsets], way,
                   ImagePositionPatient=list(start), ImageOrientationPatient=numbers(np.concatenate(way)))
    for way in (WAYS["axial"], WAYS["from above"]):
        for step in (2.5, -2.5):
            heights = [start[2] + step * i for i in range(4)]
            listed("in.dcm", sop_class, 4, {"GridFrameOffsetVector": heights}, [[*start[:2], z] for z in heights], way,
                   ImagePositionPatient=list(start), ImageOrientationPatient=numbers(np.concatenate(way)))
    odd = {"neither rise nor fall": [0, 5, 2.5, 7.5], "not equally far apart": [0, 2.5, 6, 7.5],
           "more frames at some places": [0, 2.5, 2.5, 5], "places of 3 frames and declares 4": [0, 2.5, 5],
           "Grid Frame Offset Vector does not say": [4, 6.5, 9, 11.5]}
    for words, offsets in odd.items():
        listed("odd.dcm", sop_class, 4, {"GridFrameOffsetVector": offsets}, None, ImagePositionPatient=list(start),
               ImageOrientationPatient=[1, 0, 0, 0, 1, 0])
        told = info_of("odd.dcm")
        assert told["slices"] == 0 and words in (told["warning"] or ""), (words, told)


def nuclear():
    """Slices behind the first one or, at a negative distance, before it (PS3.3 C.8.4.15); beats of the heart."""
    sop_class, start, way = "1.2.840.10008.5.1.4.1.1.20", np.array([-31.25, 17.5, 90.125]), WAYS["oblique"]
    tags = {"ImageType": ["ORIGINAL", "PRIMARY", "RECON TOMO", "EMISSION"],
            "DetectorInformationSequence": [of(ImagePositionPatient=list(start),
                                               ImageOrientationPatient=numbers(np.concatenate(way)))]}
    for spacing in (4.5, -4.5):
        places = [start + spacing * i * np.cross(*way) for i in range(5)]
        listed("in.dcm", sop_class, 5, {"SliceVector": [1, 2, 3, 4, 5]}, places, way,
               SpacingBetweenSlices=spacing, **tags)
        listed("in.dcm", sop_class, 5, {}, places, way, SpacingBetweenSlices=spacing, **tags)
        listed("in.dcm", sop_class, 15, {"SliceVector": [1, 2, 3, 4, 5] * 3, "RRIntervalVector": [1] * 15,
                                         "TimeSlotVector": [1] * 5 + [2] * 5 + [3] * 5}, places * 3, way,
               SpacingBetweenSlices=spacing, GatedInformationSequence=[of(DataInformationSequence=[of(FrameTime=40)])],
               **tags)
        assert abs(nib.load("out.nii").header["pixdim"][4] - 0.04) < 1e-6
    listed("odd.dcm", sop_class, 5, {"SliceVector": [1, 2, 3, 4, 5]}, None, **tags)
    told = info_of("odd.dcm")
    assert told["slices"] == 0 and "Spacing Between Slices does not say" in told["warning"], told
    # Without a place in the patient, distances hold.
    del tags["DetectorInformationSequence"]
    listed("own.dcm", sop_class, 5, {"SliceVector": [1, 2, 3, 4, 5]}, None, SpacingBetweenSlices=4.5, **tags)
    told = info_of("own.dcm")
    assert told["slices"] == 5 and told["image"]["spacing_mm"][2] == 4.5, told
    assert "slice-step" not in told["details"], told


def ultrasound(path, frames, how="offset", dimension=None):
    """An Enhanced US Volume: frames (time, place) lie by Image Position (Volume)."""
    one = of(SOPClassUID="1.2.840.10008.5.1.4.1.1.6.2", SOPInstanceUID="1.2.3.4", Modality="US",
             StudyInstanceUID="1.2", SeriesInstanceUID="1.2.3", Rows=ROWS, Columns=COLUMNS, SamplesPerPixel=1,
             PhotometricInterpretation="MONOCHROME2", BitsAllocated=8, BitsStored=8, HighBit=7,
             PixelRepresentation=0, NumberOfFrames=len(frames))
    one.PerFrameFunctionalGroupsSequence = []
    for time, place in frames:
        group = of(FrameContentSequence=[of(TemporalPositionIndex=time + 1)],
                   PlanePositionVolumeSequence=[of(ImagePositionVolume=[0, 0, 1.5 * place])])
        if how == "offset":
            group.TemporalPositionSequence = [of(TemporalPositionTimeOffset=0.04 * time)]
        elif how == "beat":  # later in the heart's phase, but triggered before
            group.CardiacSynchronizationSequence = [of(NominalCardiacTriggerDelayTime=300.0 - 40 * time,
                                                       NominalPercentageOfCardiacPhase=10.0 * time)]
        one.PerFrameFunctionalGroupsSequence.append(group)
    if dimension:
        one.DimensionIndexSequence = [of(DimensionIndexPointer=dimension)]
    one.SharedFunctionalGroupsSequence = [of(
        PixelMeasuresSequence=[of(PixelSpacing=[0.8, 0.5])],
        PlaneOrientationVolumeSequence=[of(ImageOrientationVolume=[1, 0, 0, 0, 1, 0])])]
    one.PixelData = np.array([np.full((ROWS, COLUMNS), 100 * time + 10 * place) for time, place in frames],
                             "u1").tobytes() + b"\0" * (len(frames) % 2)
    one.file_meta = FileMetaDataset()
    one.file_meta.TransferSyntaxUID = "1.2.840.10008.1.2.1"
    one.file_meta.MediaStorageSOPClassUID, one.file_meta.MediaStorageSOPInstanceUID = one.SOPClassUID, "1.2.3.4"
    one.is_little_endian, one.is_implicit_VR = True, False
    one.save_as(path, write_like_original=False)


def ultrasound_volumes():
    both = list(itertools.product(range(2), range(3)))
    cases = [([(0, 2), (0, 0), (0, 3), (0, 1)], {}, [[0, 10, 20, 30]], 0),
             (both, {}, [[0, 10, 20], [100, 110, 120]], 0.04),
             ([both[i] for i in (5, 1, 3, 0, 4, 2)], {}, [[0, 10, 20], [100, 110, 120]], 0.04),
             (both, {"how": "index"}, [[0, 10, 20], [100, 110, 120]], 0),
             (both, {"how": "beat"}, [[100, 110, 120], [0, 10, 20]], 0.04),
             (both, {"how": "beat", "dimension": 0x00209241}, [[0, 10, 20], [100, 110, 120]], 0)]
    for frames, arguments, wanted, interval in cases:
        ultrasound("us.dcm", frames, **arguments)
        told = info_of("us.dcm")
        assert told["slices"] == len(wanted[0]) and told["image"]["spacing_mm"][2] == 1.5, (frames, told)
        # These places are no patient's.
        assert "slice-step" not in told["details"] and told["warning"] is None, told
        run("process", "us.dcm", "-o", "us.nii", "--force")
        image = nib.load("us.nii")
        data = image.get_fdata().reshape(image.shape[:3] + (-1,))
        assert np.abs(data[0, 0].T - wanted).max() < 1e-2, (frames, data[0, 0].T)
        assert abs(image.header["pixdim"][4] - interval) < 1e-6 or len(wanted) == 1, image.header["pixdim"]
    ultrasound("us.dcm", [(0, 0), (0, 1), (0, 3)])
    assert info_of("us.dcm")["slices"] == 0 and "not equally far apart" in info_of("us.dcm")["warning"]
    one = pydicom.dcmread("us.dcm")
    one.ConcatenationUID, one.InConcatenationNumber, one.InConcatenationTotalNumber = "1.2.7", 2, 3
    one.TotalPixelMatrixColumns = 2 * COLUMNS
    one.save_as("part.dcm")
    for words in ("part 2 of 3", "tiles of a larger picture"):
        assert words in info_of("part.dcm")["warning"], info_of("part.dcm")["warning"]


def real_files():
    assert info_of(shared("pydicom-data/liver_j2k.dcm"))["slices"] == 3
    dose = pydicom.dcmread(shared("pydicom/rtdose.dcm"))
    run("process", shared("pydicom/rtdose.dcm"), "-o", "dose.nii", "--force")
    image = nib.load("dose.nii")
    assert image.shape == (dose.Columns, dose.Rows, len(dose.GridFrameOffsetVector)), image.shape
    first = np.array(dose.ImagePositionPatient, float)
    last = first + [0, 0, float(dose.GridFrameOffsetVector[-1])]
    inverse = np.linalg.inv(image.affine)
    for place, frame in ((first, 0), (last, -1)):
        voxel = inverse @ [*(place * [-1, -1, 1]), 1]
        assert np.abs(voxel[:3] - np.rint(voxel[:3])).max() < 1e-3, voxel
        here = image.get_fdata()[tuple(np.rint(voxel[:3]).astype(int))]
        wanted = float(dose.DoseGridScaling) * int(dose.pixel_array[frame, 0, 0])
        assert abs(here - wanted) <= 1e-6 * max(1, abs(wanted)), (here, wanted)


def where_possible(case):
    if nib is None:
        raise tap.Skip("python3-nibabel or python3-pydicom is not here")
    case()


CASES = {
    "frames of every orientation are the slices of a volume": orientations,
    "a tilted gantry is told": tilted,
    "frames at several times are volumes over time": over_time,
    "the clock says how far these are apart": by_the_clock,
    "frames have values of their own": own_values,
    "what is no volume is told, and shown frame by frame": no_volume,
    "parts of a concatenation, and cines alone, are shown by themselves": parts_and_cines,
    "grids of doses whose offsets rise or fall": doses,
    "slices of nuclear medicine, one way or the other": nuclear,
    "frames in the space of a transducer": ultrasound_volumes,
    "files of others": real_files,
}
sys.exit(run_cases({name: lambda case=case: where_possible(case) for name, case in CASES.items()}))
