// SPDX-License-Identifier: MIT
// Volumes whose plan takes more memory than an engine has, or larger pictures than it can
// reach, are filtered section by section: some of their slices, with as many before and
// behind as the result depends on. All sections have as many slices, so that they share
// one structure; their own slices equal those of the whole volume.
#pragma once

#include "engine/engine.h"

typedef struct {
  int whole; // slices of the volume
  int depth; // of each section; `whole`: there is one
  int more; // slices before and behind that the result depends on, within the volume
  int unit; // what `more` and where a section begins are multiples of
  int count;
  double slice_bytes; // that a slice's pictures take
} OdlSections;

// Slices from … from + depth − 1 of the volume, of whose result first … end − 1 are
// right.
typedef struct {
  int from, first, end;
} OdlSection;

// How to cut, so that the pictures of `plan` take at most `bytes`, and each of them at
// most `block` (0: no limit). `shared`: pictures take memory only until they were read
// for the last time, as those of the CPU do (OdlEngineClass.shares_memory). One section
// where there is enough, and for plans whose result depends on all slices, or on too
// many. Any thread, as for all of these.
OdlSections
odl_sections_of (const OdlPlan *plan, double bytes, double block, bool shared);

// Whether a section fits where sections are to take so many bytes (0: no limit). False:
// ODL_ERROR_TOO_LARGE.
bool odl_sections_fit (const OdlSections *sections, double bytes, GError **error);

OdlSection odl_sections_at (const OdlSections *sections, int index);

// “3 sections of 160 slices, 150 of them their own, 12.1 GB each”, translated. Transfer
// full.
char *odl_sections_to_text (const OdlSections *sections);

// Some slices of a volume, whose samples they share; NULL: it has not so many.
OdlImage *odl_section_of_volume (OdlImage *volume, int from, int depth);

// How a picture or volume is processed in one piece, as odl_engine_process does it.
typedef OdlImage *(*OdlProcessWhole) (OdlEngine *engine,
                                      const OdlPlan *plan,
                                      OdlImage *input,
                                      GError **error);

// `input` processed by `whole` where memory suffices, else in sections by `recipe`, whose
// plan it is; sets *cut to these (odl_sections_to_text, transfer full), which it leaves
// otherwise. Without a recipe nothing is cut. ODL_ERROR_TOO_LARGE where not even a
// section fits; ODL_ERROR_CANCELLED by engine->progress.
OdlImage *odl_engine_process_fitting (OdlEngine *engine,
                                      const OdlRecipe *recipe,
                                      const OdlPlan *plan,
                                      OdlImage *input,
                                      OdlProcessWhole whole,
                                      char **cut,
                                      GError **error);

// The volume filtered by `recipe` in these sections, as odl_engine_process has it.
// `geometry` is that of the volume.
OdlImage *odl_engine_process_sections (OdlEngine *engine,
                                       const OdlRecipe *recipe,
                                       const OdlGeometry *geometry,
                                       const OdlSections *sections,
                                       OdlImage *volume,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
