// SPDX-License-Identifier: MIT
#include "cli/process/progress.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/clock.h"

// How often it is shown.
#define SHOW_NS ((int64_t) 200000000)

OdlProcessProgress
odl_process_progress (const OdlProcess *task)
{
  return (OdlProcessProgress){
    .for_programs = task->progress,
    .terminal = isatty (STDERR_FILENO) != 0 && !task->at_once,
    .begin_ns = odl_clock_now_ns (),
  };
}

void
odl_process_progress_show (OdlProcessProgress *progress,
                           int64_t written,
                           int64_t total,
                           int64_t bytes)
{
  const int64_t now_ns = odl_clock_now_ns ();

  if (progress->for_programs) {
    g_printerr ("progress %" PRId64 " %" PRId64 " %" PRId64 "\n", written, total, bytes);
    return;
  }
  if (!progress->terminal || now_ns < progress->shown_ns + SHOW_NS)
    return;
  g_autofree char *size = g_format_size ((guint64) bytes);
  const double seconds = (double) (now_ns - progress->begin_ns) / 1e9;
  progress->shown_ns = now_ns;
  g_printerr ("\r\033[K");
  if (total > 0)
    g_printerr (_ ("frame %" PRId64 " of %" PRId64), written, total);
  else
    g_printerr (_ ("frame %" PRId64), written);
  g_printerr (_ (", %.1f per second"), (double) written / seconds);
  if (bytes > 0)
    g_printerr (", %s", size);
}

void
odl_process_progress_end (const OdlProcessProgress *progress)
{
  if (progress->terminal && !progress->for_programs)
    g_printerr ("\r\033[K");
}
