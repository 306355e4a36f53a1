// SPDX-License-Identifier: MIT
// usage: camera-provider NAME DESCRIPTION PIPELINE
//        camera-provider --check (exits with 77 without pipewiresink)
// Simulates a camera in PipeWire: PIPELINE, such as "videotestsrc is-live=true !
// video/x-raw,…", is published as a node of class Video/Source until this program ends.
// Prints "ready" when it runs, and again after each restart: pipewiresink sometimes
// crashes, which cameras do not, so the pipeline runs in a child that is restarted; so
// does SIGUSR1 to this program, for one that is stuck. Both are in a process group with
// this program's id: SIGSTOP makes the camera silent, SIGKILL unplugs it.
#include <errno.h>
#include <gst/gst.h>
#include <gst/video/video.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// A pipeline that dies this often is invalid.
#define MAX_DEATHS 20

static volatile sig_atomic_t running; // the child's process id

static void
restart (int number)
{
  (void) number;
  if (running > 0)
    kill ((pid_t) running, SIGKILL);
}

// Cameras must not outlive a failed test.
static void
die_with (pid_t parent)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent)
    _exit (EXIT_FAILURE);
}

static int
check (void)
{
  gst_init (NULL, NULL);
  g_autoptr (GstElementFactory) factory = gst_element_factory_find ("pipewiresink");
  return factory != NULL ? EXIT_SUCCESS : 77;
}

// Bytes of a picture, or more.
static guint
picture_size (GstCaps *caps)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  GstVideoInfo info;
  int width = 0, height = 0;

  if (gst_structure_has_name (structure, "video/x-raw")
      && gst_video_info_from_caps (&info, caps))
    return (guint) info.size;
  gst_structure_get_int (structure, "width", &width);
  gst_structure_get_int (structure, "height", &height);
  return (guint) MAX (width * height * 3, 4096);
}

// Activates pipewiresink's pool before its node exists. Otherwise its first picture would
// do so, with the pool locked and then the loop of PipeWire's thread, while that thread
// locks the loop and then the pool when a client sets the format: a camera that was
// opened just as it was plugged in hung for good.
static GstPadProbeReturn
format_cb (GstPad *pad, GstPadProbeInfo *info, void *data)
{
  GstEvent *event = gst_pad_probe_info_get_event (info);
  GstCaps *caps = NULL;

  if (GST_EVENT_TYPE (event) != GST_EVENT_CAPS)
    return GST_PAD_PROBE_OK;
  gst_event_parse_caps (event, &caps);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  if (gst_pad_query (pad, query) && gst_query_get_n_allocation_pools (query) > 0) {
    g_autoptr (GstBufferPool) pool = NULL;
    guint least, most;
    gst_query_parse_nth_allocation_pool (query, 0, &pool, NULL, &least, &most);
    if (pool != NULL) {
      GstStructure *config = gst_buffer_pool_get_config (pool);
      gst_buffer_pool_config_set_params (config, caps, picture_size (caps), least, most);
      gst_buffer_pool_set_config (pool, config);
      gst_buffer_pool_set_active (pool, TRUE);
    }
  }
  gst_query_unref (query);
  return GST_PAD_PROBE_OK;
}

static int
provide (char **argv)
{
  g_autoptr (GError) error = NULL;

  gst_init (NULL, NULL);
  // The source has a pool of its own: the sink's is active already.
  g_autofree char *description = g_strdup_printf (
      "%s ! identity drop-allocation=true ! pipewiresink name=camera mode=provide",
      argv[3]);
  GstElement *pipeline = gst_parse_launch (description, &error);
  if (error != NULL) {
    g_printerr ("camera-provider: %s\n", error->message);
    return EXIT_FAILURE;
  }
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "camera");
  // pipewiresink gets buffers back from a client that has left only when the node is
  // suspended; real devices do not have this limitation.
  GstStructure *properties = gst_structure_new (
      "properties", "media.class", G_TYPE_STRING, "Video/Source", "node.name",
      G_TYPE_STRING, argv[1], "node.description", G_TYPE_STRING, argv[2],
      "session.suspend-timeout-seconds", G_TYPE_STRING, "0.02", NULL);
  g_object_set (sink, "stream-properties", properties, NULL);
  gst_structure_free (properties);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, format_cb, NULL, NULL);
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

// Returns the child's exit status.
static int
run_child (char **argv)
{
  const pid_t parent = getpid ();
  const pid_t child = fork ();
  int status = 0;

  if (child == 0) {
    signal (SIGUSR1, SIG_DFL);
    die_with (parent);
    exit (provide (argv));
  }
  if (child < 0)
    return EXIT_FAILURE;
  running = child;
  while (waitpid (child, &status, 0) < 0 && errno == EINTR)
    ;
  running = 0;
  return status;
}

int
main (int argc, char **argv)
{
  if (argc == 2 && strcmp (argv[1], "--check") == 0)
    return check ();
  if (argc != 4) {
    g_printerr ("usage: camera-provider NAME DESCRIPTION PIPELINE\n");
    return EXIT_FAILURE;
  }
  die_with (getppid ());
  setpgid (0, 0);
  signal (SIGUSR1, restart);
  for (int deaths = 1; deaths <= MAX_DEATHS; deaths++) {
    const int status = run_child (argv);
    if (status == 0)
      return EXIT_SUCCESS;
    g_printerr ("camera-provider: %s died by itself (%s %d), begun anew\n", argv[1],
                WIFSIGNALED (status) ? "signal" : "status",
                WIFSIGNALED (status) ? WTERMSIG (status) : WEXITSTATUS (status));
    g_usleep (100000);
  }
  g_printerr ("camera-provider: %s died %d times; given up\n", argv[1], MAX_DEATHS);
  return EXIT_FAILURE;
}
