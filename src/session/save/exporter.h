// SPDX-License-Identifier: MIT
// Processes all frames of a source, or those of a range, at full size, or what is
// rendered of its volumes, and writes them to a video, to numbered PNG files, to a volume
// or to a derived DICOM file, in threads of its own.
#pragma once

#include "engine/engine.h"
#include "filter/recipe.h"
#include "image/display/display.h"
#include "image/render/render.h"
#include "session/detail_meter.h"
#include "session/save/save_format.h"
#include "work/derived.h"

typedef struct _OdlExporter OdlExporter;

typedef struct {
  const char *location; // opened anew
  const char *path; // of odl_save_format_fit
  OdlSaveFormat format;
  const OdlDerivedChoice *derived; // a DICOM file, whatever the format, is written; NULL:
                                   // none is. Copied with its rectangles
  const OdlRenderScene *rendering; // instead of frames, the rendered view of the volume,
                                   // which turns once, or of volumes over time; NULL:
                                   // frames. Copied
  bool replace; // a file that is there; numbered files are never replaced
  OdlRecipe recipe;
  const char *files_as; // word for second pictures in texts; NULL: their names
  OdlOperands *operands; // its second pictures; NULL: none
  OdlWindow window; // how values are shown
  OdlDetailMeasuring *details; // finds its `reach`; NULL: it has that
  int64_t first; // frame
  int64_t count; // of frames from there; 0: to the end
  double default_rate; // of frames whose source states none; 0: 25
  OdlEngineChoice engine; // where it cannot run, the CPU computes
} OdlExporterParams;

typedef struct {
  int64_t written;
  int64_t total; // 0: not known
  int64_t bytes; // of a video or volume, by now
  int64_t damaged; // frames, marked with a cross; in volumes NaN stands for their values
  double filtering; // 0 … 1: share of the volume that is being filtered; −1: none is
  int64_t limited; // samples that were beyond what a DICOM file can store
} OdlExporterState;

// Called once in the main context that was the thread's default in odl_exporter_new, at
// the end. ODL_ERROR_CANCELLED after odl_exporter_cancel; then and after other errors no
// video or volume is there, and numbered files as far as they were written.
typedef void (*OdlExporterCb) (const char *path, const GError *error, void *data);

OdlExporter *
odl_exporter_new (const OdlExporterParams *params, OdlExporterCb cb, void *data);
OdlExporterState odl_exporter_state (OdlExporter *exporter);
void odl_exporter_cancel (OdlExporter *exporter); // does not wait

// Cancels and waits; the callback is not called again. Accepts NULL.
void odl_exporter_free (OdlExporter *exporter);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OdlExporter, odl_exporter_free)
