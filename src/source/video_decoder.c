// SPDX-License-Identifier: MIT
#include "config.h"

#include "source/video_decoder.h"

#include <gst/pbutils/pbutils.h>

// ---- Streams ----

static GstStream *
first_video (GstStreamCollection *streams)
{
  for (guint i = 0; i < gst_stream_collection_get_size (streams); i++) {
    GstStream *stream = gst_stream_collection_get_stream (streams, i);
    if ((gst_stream_get_stream_type (stream) & GST_STREAM_TYPE_VIDEO) != 0)
      return stream;
  }
  return NULL;
}

// Called for each stream there is: 1 takes it, 0 leaves it undecoded.
static gint
select_stream_cb (GstElement *decoder,
                  GstStreamCollection *all,
                  GstStream *stream,
                  OdlVideoStreams *streams)
{
  GstStream *first = first_video (all);

  if (first != NULL)
    g_atomic_int_set (&streams->have_video, TRUE);
  g_atomic_int_set (&streams->are_known, TRUE);
  return stream == first;
}

static void
pad_added_cb (GstElement *decoder, GstPad *pad, GstElement *next)
{
  g_autoptr (GstPad) sink = gst_element_get_static_pad (next, "sink");

  if (!gst_pad_is_linked (sink))
    gst_pad_link (pad, sink);
}

GstElement *
odl_video_decoder_new (const char *uri, GstElement *next, OdlVideoStreams *streams)
{
  GstElement *decoder = gst_element_factory_make ("uridecodebin3", NULL);

  if (decoder == NULL)
    return NULL;
  g_object_set (decoder, "uri", uri, NULL);
  g_signal_connect (decoder, "select-stream", G_CALLBACK (select_stream_cb), streams);
  g_signal_connect (decoder, "pad-added", G_CALLBACK (pad_added_cb), next);
  return decoder;
}

// ---- Starting ----

static void
pause_cb (const GValue *item, gpointer data)
{
  GstElement *element = g_value_get_object (item);
  GstElementFactory *factory = gst_element_get_factory (element);

  if (factory != NULL && g_str_equal (GST_OBJECT_NAME (factory), "decodebin3"))
    gst_element_set_state (element, GST_STATE_PAUSED);
}

// On its way to PAUSED uridecodebin3 (1.22) starts what reads before what decodes. Data
// that come in between are refused, and the reading thread ends without a word: seven of
// a thousand short files on a busy machine. So what decodes is started first.
bool
odl_video_decoder_play (GstElement *pipeline)
{
  if (gst_element_set_state (pipeline, GST_STATE_READY) == GST_STATE_CHANGE_FAILURE)
    return false;
  GstIterator *elements = gst_bin_iterate_recurse (GST_BIN (pipeline));
  while (gst_iterator_foreach (elements, pause_cb, NULL) == GST_ITERATOR_RESYNC)
    gst_iterator_resync (elements);
  gst_iterator_free (elements);
  return gst_element_set_state (pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE;
}

// ---- Names ----

typedef char *(*NameOf) (GstElement *element, GstElementFactory *factory);

typedef struct {
  NameOf name_of;
  char *name; // of the first element that has one
} Search;

static char *
name_by_caps (const GstCaps *caps, GstPbUtilsCapsDescriptionFlags flags)
{
  if (caps == NULL || (gst_pb_utils_get_caps_description_flags (caps) & flags) == 0)
    return NULL;
  return gst_pb_utils_get_codec_description (caps);
}

static char *
codec_of (GstElement *element, GstElementFactory *factory)
{
  if (!gst_element_factory_list_is_type (factory, GST_ELEMENT_FACTORY_TYPE_DECODER))
    return NULL;
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  g_autoptr (GstCaps) caps = pad != NULL ? gst_pad_get_current_caps (pad) : NULL;
  if (caps != NULL
      && gst_structure_has_name (gst_caps_get_structure (caps, 0), "video/x-raw"))
    return NULL;
  return name_by_caps (caps, GST_PBUTILS_CAPS_DESCRIPTION_FLAG_VIDEO
                                 | GST_PBUTILS_CAPS_DESCRIPTION_FLAG_IMAGE);
}

// What takes a file apart reads it by itself, and has no caps; what looked at it before
// has.
static char *
container_of (GstElement *element, GstElementFactory *factory)
{
  g_autoptr (GstCaps) caps = NULL;

  if (!g_str_equal (GST_OBJECT_NAME (factory), "typefind"))
    return NULL;
  g_object_get (element, "caps", &caps, NULL);
  return name_by_caps (caps, GST_PBUTILS_CAPS_DESCRIPTION_FLAG_CONTAINER);
}

static void
search_cb (const GValue *item, gpointer data)
{
  GstElement *element = g_value_get_object (item);
  GstElementFactory *factory = gst_element_get_factory (element);
  Search *search = data;

  if (search->name == NULL && factory != NULL)
    search->name = search->name_of (element, factory);
}

static char *
find_name (GstElement *pipeline, NameOf name_of)
{
  Search search = { name_of, NULL };
  GstIterator *elements = gst_bin_iterate_recurse (GST_BIN (pipeline));

  while (gst_iterator_foreach (elements, search_cb, &search) == GST_ITERATOR_RESYNC)
    gst_iterator_resync (elements);
  gst_iterator_free (elements);
  return search.name;
}

char *
odl_video_decoder_codec (GstElement *pipeline)
{
  return find_name (pipeline, codec_of);
}

char *
odl_video_decoder_container (GstElement *pipeline)
{
  return find_name (pipeline, container_of);
}

// ---- What is missing ----

bool
odl_video_decoder_lacks (GstMessage *message)
{
  if (!gst_is_missing_plugin_message (message))
    return false;
  g_autoptr (GstCaps) caps = NULL;
  if (!gst_structure_get (gst_message_get_structure (message), "detail", GST_TYPE_CAPS,
                          &caps, NULL))
    return true;
  return (gst_pb_utils_get_caps_description_flags (caps)
          & (GST_PBUTILS_CAPS_DESCRIPTION_FLAG_AUDIO
             | GST_PBUTILS_CAPS_DESCRIPTION_FLAG_SUBTITLE))
         == 0;
}
