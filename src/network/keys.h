// SPDX-License-Identifier: MIT
// What nodes are asked for (PS3.4 C.6): keys of queries, and of their answers, in the
// order of their tags.
#pragma once

#include <stdint.h>

typedef enum {
  ODL_KEY_SOP_CLASS,
  ODL_KEY_INSTANCE,
  ODL_KEY_DATE, // of the study, as the time
  ODL_KEY_TIME,
  ODL_KEY_ACCESSION,
  ODL_KEY_MODALITY,
  ODL_KEY_MODALITIES, // in the study
  ODL_KEY_STUDY_DESCRIPTION,
  ODL_KEY_SERIES_DESCRIPTION,
  ODL_KEY_PATIENT_NAME,
  ODL_KEY_PATIENT_ID,
  ODL_KEY_BIRTH_DATE,
  ODL_KEY_SEX,
  ODL_KEY_BODY_PART,
  ODL_KEY_STUDY,
  ODL_KEY_SERIES,
  ODL_KEY_SERIES_NUMBER,
  ODL_KEY_INSTANCE_NUMBER,
  ODL_KEY_N_SERIES, // related to the study, as the next one
  ODL_KEY_N_STUDY_INSTANCES,
  ODL_KEY_N_SERIES_INSTANCES,
  ODL_N_KEYS,
} OdlKey;

typedef enum {
  ODL_LEVEL_PATIENT,
  ODL_LEVEL_STUDY,
  ODL_LEVEL_SERIES,
  ODL_LEVEL_IMAGE,
  ODL_N_LEVELS,
} OdlLevel;

typedef struct {
  uint32_t tag;
  OdlLevel level; // it is an attribute of
  const char *name; // for programs
} OdlKeyRow;

extern const OdlKeyRow odl_keys[ODL_N_KEYS];

#define ODL_TAG_CHARACTER_SET 0x00080005u
#define ODL_TAG_LEVEL 0x00080052u
