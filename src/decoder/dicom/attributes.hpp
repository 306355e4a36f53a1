// SPDX-License-Identifier: MIT
// The types of attributes, where the file does not say them or says what it did not know.
#pragma once

#include <dcmtk/config/osconfig.h>

#include <dcmtk/dcmdata/dctk.h>

// Adds the attributes that are read to DCMTK's dictionary, where it lacks them. Before
// any file is parsed.
void odl_dicom_attributes_init ();

// Gives known attributes of the unknown type (UN) the one of the dictionary (PS3.5
// 6.2.2), also those of private creators and within sequences, and numbers of either
// sign (US or SS) that of the pixels around them. What cannot be read so stays UN.
void odl_dicom_attributes_settle (DcmItem &dataset);
