#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How soon a hospital's folder of thousands of DICOM files is listed, and its first series hung: writes
one (patients with studies of several series of CT, 128 x 128; a folder for each series, or with "flat"
one for all), reads all files once so that the page cache is warm, and runs odl-hospital on it, in turns.
Prints a table.

usage: hospital.py ODL_HOSPITAL [FILES [TURNS [flat]]]
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

SLICES = 100  # of a series
SERIES = 5  # of a study
CT = "1.2.840.10008.5.1.4.1.1.2"


def write(folder, n, flat=False):
    import numpy as np
    import pydicom
    from pydicom.dataset import FileDataset, FileMetaDataset
    from pydicom.uid import ExplicitVRLittleEndian
    pixels = np.random.default_rng(1).integers(0, 4096, (128, 128), "<u2").tobytes()
    for i in range(n):
        series, slice_ = divmod(i, SLICES)
        study = series // SERIES
        file = FileDataset("", {}, file_meta=FileMetaDataset(), preamble=b"\0" * 128)
        file.is_little_endian, file.is_implicit_VR = True, False
        file.file_meta.TransferSyntaxUID, file.file_meta.MediaStorageSOPClassUID = ExplicitVRLittleEndian, CT
        file.SOPClassUID, file.SOPInstanceUID = CT, f"1.2.3.{study}.{series}.{slice_}"
        file.file_meta.MediaStorageSOPInstanceUID = file.SOPInstanceUID
        file.PatientName, file.PatientID = f"Muster^Erika {study}", f"P{study}"
        file.PatientBirthDate, file.StudyDate, file.StudyDescription = "19500101", "20240301", "Abdomen"
        file.StudyInstanceUID, file.SeriesInstanceUID = f"1.2.3.{study}", f"1.2.3.{study}.{series}"
        file.Modality, file.SeriesDescription, file.SeriesNumber = "CT", f"Series {series % SERIES}", series % SERIES
        file.FrameOfReferenceUID, file.InstanceNumber = f"1.2.4.{study}", slice_ + 1
        file.ImagePositionPatient, file.ImageOrientationPatient = [-100, -100, 2 * slice_], [1, 0, 0, 0, 1, 0]
        file.PixelSpacing, file.SliceThickness, file.Rows, file.Columns = [1, 1], 2, 128, 128
        file.BitsAllocated, file.BitsStored, file.HighBit, file.PixelRepresentation = 16, 12, 11, 0
        file.SamplesPerPixel, file.PhotometricInterpretation, file.PixelData = 1, "MONOCHROME2", pixels
        target = folder / f"IM{i:05}" if flat else folder / f"P{study:03}" / f"S{series:03}" / f"IM{slice_:05}"
        target.parent.mkdir(parents=True, exist_ok=True)
        file.save_as(target)
    assert pydicom.dcmread(target).Rows == 128


def main():
    program, n = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    turns = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    with tempfile.TemporaryDirectory(prefix="odl-hospital-") as home:
        folder = pathlib.Path(home)
        write(folder, n, sys.argv[4:] == ["flat"])
        for path in folder.rglob("IM*"):
            path.read_bytes()
        rows = [json.loads(subprocess.run([program, str(folder)], capture_output=True, check=True, text=True).stdout)
                for _ in range(turns)]
    print(f"{n} files, {rows[0]['series']} series, {turns} turns: median (least)\n")
    print("| what | median | least |\n| --- | --- | --- |")
    for key in rows[0]:
        if key != "series":
            values = [row[key] for row in rows]
            print(f"| {key} | {statistics.median(values)} | {min(values)} |")


if __name__ == "__main__":
    sys.exit(main())
