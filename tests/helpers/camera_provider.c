// SPDX-License-Identifier: MIT
// usage: camera-provider NAME DESCRIPTION PIPELINE
// A camera for PipeWire: PIPELINE, such as "videotestsrc is-live=true ! video/x-raw,…",
// becomes a node of class Video/Source until this program ends. Says "ready" on standard
// output when it runs. Stopped with SIGSTOP it falls silent, killed it is unplugged.
#include <gst/gst.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  // A test that fails must not leave cameras behind.
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  gst_init (NULL, NULL);
  if (argc != 4) {
    g_printerr ("usage: camera-provider NAME DESCRIPTION PIPELINE\n");
    return EXIT_FAILURE;
  }
  g_autofree char *description
      = g_strdup_printf ("%s ! pipewiresink name=camera mode=provide", argv[3]);
  GstElement *pipeline = gst_parse_launch (description, &error);
  if (error != NULL) {
    g_printerr ("camera-provider: %s\n", error->message);
    return EXIT_FAILURE;
  }
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "camera");
  // Buffers that were under way to a program that left come back only when the node is
  // suspended: a weakness of pipewiresink, which devices have not.
  GstStructure *properties = gst_structure_new (
      "properties", "media.class", G_TYPE_STRING, "Video/Source", "node.name",
      G_TYPE_STRING, argv[1], "node.description", G_TYPE_STRING, argv[2],
      "session.suspend-timeout-seconds", G_TYPE_STRING, "0.02", NULL);
  g_object_set (sink, "stream-properties", properties, NULL);
  gst_structure_free (properties);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_print ("ready\n");

  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (
      bus, GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    g_autofree char *details = NULL;
    gst_message_parse_error (message, &error, &details);
    g_printerr ("camera-provider: %s (%s)\n", error->message, details);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  return error != NULL ? EXIT_FAILURE : EXIT_SUCCESS;
}
