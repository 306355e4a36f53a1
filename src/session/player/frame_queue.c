// SPDX-License-Identifier: MIT
#include "session/player/frame_queue.h"

OdlFrame *
odl_frame_queue_pop (OdlFrameQueue *queue)
{
  if (queue->n == 0)
    return NULL;
  OdlFrame *oldest = queue->frames[0];
  queue->n--;
  for (int i = 0; i < queue->n; i++)
    queue->frames[i] = queue->frames[i + 1];
  return oldest;
}

void
odl_frame_queue_clear (OdlFrameQueue *queue)
{
  while (queue->n > 0)
    odl_frame_unref (odl_frame_queue_pop (queue));
}

void
odl_frame_queue_push (OdlFrameQueue *queue, OdlFrame *frame)
{
  const OdlFrame *last = queue->n > 0 ? queue->frames[queue->n - 1] : NULL;

  if (last && (last->source_serial != frame->source_serial || frame->asked))
    odl_frame_queue_clear (queue);
  else if (last && last->arrival == frame->arrival)
    odl_frame_unref (queue->frames[--queue->n]);
  else if (queue->n == ODL_FRAME_QUEUE_PLACES)
    odl_frame_unref (odl_frame_queue_pop (queue));
  queue->frames[queue->n++] = frame;
}
