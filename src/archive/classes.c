// SPDX-License-Identifier: MIT
#include "archive/classes.h"

#define STORAGE(tail) "1.2.840.10008.5.1.4.1.1." tail

static const struct {
  const char *modalities; // with blanks between
  const char *uid;
  gboolean may_be_video;
} classes[] = {
  { "CT", STORAGE ("2") },
  { "CT", STORAGE ("2.1") }, // enhanced
  { "CT", STORAGE ("2.2") }, // converted
  { "MR", STORAGE ("4") },
  { "MR", STORAGE ("4.1") },
  { "MR", STORAGE ("4.2") }, // spectroscopy
  { "MR", STORAGE ("4.3") }, // colour
  { "MR", STORAGE ("4.4") }, // converted
  { "US IVUS", STORAGE ("6.1") },
  { "US IVUS", STORAGE ("3.1"), TRUE }, // several frames
  { "US", STORAGE ("6.2") }, // volumes
  { "US", STORAGE ("6") }, // retired, as the next one
  { "US", STORAGE ("3") },
  { "CR", STORAGE ("1") },
  { "DX CR", STORAGE ("1.1") },
  { "DX", STORAGE ("1.1.1") },
  { "MG", STORAGE ("1.2") },
  { "MG", STORAGE ("1.2.1") },
  { "MG", STORAGE ("13.1.3") }, // tomosynthesis
  { "IO PX", STORAGE ("1.3") },
  { "IO", STORAGE ("1.3.1") },
  { "XA", STORAGE ("12.1") },
  { "XA", STORAGE ("12.1.1") },
  { "XA", STORAGE ("13.1.1") }, // three dimensions
  { "RF", STORAGE ("12.2") },
  { "RF", STORAGE ("12.2.1") },
  { "NM", STORAGE ("20") },
  { "PT", STORAGE ("128") },
  { "PT", STORAGE ("130") },
  { "PT", STORAGE ("128.1") },
  { "OT SC", STORAGE ("7") },
  { "OT SC", STORAGE ("7.1") },
  { "OT SC", STORAGE ("7.2") },
  { "OT SC", STORAGE ("7.3") },
  { "OT SC", STORAGE ("7.4"), TRUE },
  { "ES", STORAGE ("77.1.1") },
  { "ES", STORAGE ("77.1.1.1"), TRUE }, // video
  { "GM", STORAGE ("77.1.2") },
  { "GM", STORAGE ("77.1.2.1"), TRUE },
  { "SM", STORAGE ("77.1.3") },
  { "SM", STORAGE ("77.1.6") }, // slides
  { "XC", STORAGE ("77.1.4") },
  { "XC", STORAGE ("77.1.4.1"), TRUE },
  { "OP", STORAGE ("77.1.5.1") },
  { "OP", STORAGE ("77.1.5.2") },
  { "OPT", STORAGE ("77.1.5.4") },
  { "SR", STORAGE ("88.11") },
  { "SR", STORAGE ("88.22") },
  { "SR", STORAGE ("88.33") },
  { "SR", STORAGE ("88.34") },
  { "SR", STORAGE ("88.67") }, // dose
  { "KO", STORAGE ("88.59") },
  { "PR", STORAGE ("11.1") },
  { "PR", STORAGE ("11.2") },
  { "PR", STORAGE ("11.3") },
  { "PR", STORAGE ("11.4") },
  { "SEG", STORAGE ("66.4") },
  { "SEG", STORAGE ("66.5") }, // surfaces
  { "REG", STORAGE ("66.1") },
  { "REG", STORAGE ("66.3") },
  { "RTIMAGE", STORAGE ("481.1") },
  { "RTDOSE", STORAGE ("481.2") },
  { "RTSTRUCT", STORAGE ("481.3") },
  { "RTPLAN", STORAGE ("481.5") },
  { "DOC", STORAGE ("104.1") },
  { "ECG", STORAGE ("9.1.1") },
  { "ECG", STORAGE ("9.1.2") },
};

static gboolean
is_usual (const char *modalities, const char *modality)
{
  g_auto (GStrv) words = g_strsplit (modalities, " ", -1);

  return g_strv_contains ((const char *const *) words, modality);
}

const char **
odl_classes_of (const char *modality, gboolean others)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (classes); i++)
    if (is_usual (classes[i].modalities, modality) != others)
      g_ptr_array_add (found, (void *) classes[i].uid);
  g_ptr_array_add (found, NULL);
  return (const char **) g_ptr_array_free (g_steal_pointer (&found), FALSE);
}

gboolean
odl_class_may_be_video (const char *sop_class)
{
  for (gsize i = 0; i < G_N_ELEMENTS (classes); i++)
    if (g_str_equal (classes[i].uid, sop_class))
      return classes[i].may_be_video;
  return TRUE;
}
