// SPDX-License-Identifier: MIT
#include "video_decoder/rest.h"

static gboolean
has_running_task (GstElement *element)
{
  bool running = false;

  GST_OBJECT_LOCK (element);
  for (GList *l = element->pads; l != NULL && !running; l = l->next) {
    GstPad *pad = l->data;
    GST_OBJECT_LOCK (pad);
    GstTask *task = GST_PAD_TASK (pad);
    running = task != NULL && GST_TASK_STATE (task) == GST_TASK_STARTED;
    GST_OBJECT_UNLOCK (pad);
  }
  GST_OBJECT_UNLOCK (element);
  return running;
}

static void
look_cb (const GValue *item, gpointer running)
{
  *(bool *) running |= has_running_task (g_value_get_object (item));
}

bool
odl_pipeline_is_running (GstBin *pipeline)
{
  bool running = false;
  GstIterator *elements = gst_bin_iterate_recurse (pipeline);
  const GstIteratorResult result = gst_iterator_foreach (elements, look_cb, &running);

  gst_iterator_free (elements);
  return running || result != GST_ITERATOR_DONE;
}
