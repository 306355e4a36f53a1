// SPDX-License-Identifier: MIT
// ondelette-decoder: decodes frames of one untrusted file. See protocol.h.
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "base/language.h"
#include "decoder/exchange.h"
#include "decoder/formats.h"

#include "decoder/protocol.h"
#include "decoder/sandbox.h"

// The fork server's loop; see source/helper/fork_server.h.

static bool
receive (OdlMessage *message)
{
  const OdlDecoderStart *request = message->parts[0].iov_base;

  return odl_message_receive (ODL_HELPER_SOCKET_FD, message, 0) == sizeof *request
         && request->magic == ODL_DECODER_MAGIC && request->version == ODL_DECODER_VERSION
         && message->n_fds == ODL_DECODER_START_FDS;
}

// Moves the descriptors to their numbers, via copies with high numbers.
static bool
take_places (const int fds[ODL_DECODER_START_FDS])
{
  static const int places[ODL_DECODER_START_FDS]
      = { ODL_HELPER_FILE_FD, ODL_HELPER_SOCKET_FD, ODL_DECODER_PICTURE_FD,
          ODL_HELPER_LIFE_FD };
  int copies[ODL_DECODER_START_FDS];
  bool done = true;

  for (int i = 0; i < ODL_DECODER_START_FDS; i++)
    copies[i] = fcntl (fds[i], F_DUPFD_CLOEXEC, ODL_HELPER_LIFE_FD + 1);
  for (int fd = 3; fd <= ODL_HELPER_LIFE_FD; fd++)
    close (fd);
  for (int i = 0; i < ODL_DECODER_START_FDS; i++)
    done = done && dup2 (copies[i], places[i]) == places[i];
  close_range (ODL_HELPER_LIFE_FD + 1, ~0u, 0);
  return done;
}

// Forks a child per request until the parent has gone. Returns true in each child,
// with the descriptors at their numbers.
static bool
odl_decoder_fork_server_run (OdlDecoderStart *request)
{
  OdlMessage message
      = { .parts = { { request, sizeof *request } }, .n_fds = ODL_DECODER_START_FDS };

  while (receive (&message)) {
    // CLONE_PARENT: the parent of the fork server becomes the child's parent and waits
    // for it.
    const long pid = syscall (SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0)
      return take_places (message.fds);
    OdlDecoderForked born = { ODL_DECODER_MAGIC, ODL_DECODER_VERSION, (int32_t) pid };
    const OdlMessage answer = { .parts = { { &born, sizeof born } } };
    for (int i = 0; i < ODL_DECODER_START_FDS; i++)
      close (message.fds[i]);
    if (!odl_message_send (ODL_HELPER_SOCKET_FD, &answer, 0))
      return false;
  }
  return false;
}

static const struct {
  const char *name;
  void (*prepare) (const char *format); // may be NULL
  OdlDecodeFunc decode;
} formats[] = {
  { "png", NULL, odl_decode_png },
  { "jpeg", NULL, odl_decode_jpeg },
  { "tiff", NULL, odl_decode_tiff },
  { "tiff-first", NULL, odl_decode_tiff_first },
  { "tiff-sequence", NULL, odl_decode_tiff_sequence },
  { "tiff-stack", NULL, odl_decode_tiff_stack },
  { "tiff-level", NULL, odl_decode_tiff_level },
  { "gif", odl_prepare_pixbuf, odl_decode_gif },
  { "bmp", odl_prepare_pixbuf, odl_decode_bmp },
  { "tga", NULL, odl_decode_tga },
  { "webp", odl_prepare_pixbuf, odl_decode_webp },
  { "avif", NULL, odl_decode_avif },
  { "jpeg2000", NULL, odl_decode_jpeg2000 },
  { "npy", NULL, odl_decode_npy },
  { "exr", NULL, odl_decode_exr },
  { "pnm", NULL, odl_decode_pnm },
  { "dicom", odl_prepare_dicom, odl_decode_dicom },
  { "dicom-text", odl_prepare_dicom, odl_dump_dicom },
  { "dicom-header", odl_prepare_dicom, odl_describe_dicom },
  { "dicom-object", odl_prepare_dicom, odl_object_dicom },
  { "dicom-labels", odl_prepare_dicom, odl_labels_dicom },
  { "dicom-stream", odl_prepare_dicom, odl_locate_dicom_stream },
  { "dicom-derive", odl_prepare_dicom, odl_derive_dicom },
  { "dicom-report", odl_prepare_dicom, odl_report_dicom },
  { "dicom-state", odl_prepare_dicom, odl_state_dicom },
  { "dicom-keys", odl_prepare_dicom, odl_keys_dicom },
  { "dicom-segments", odl_prepare_dicom, odl_segments_dicom },
  { "dicom-explicit", odl_prepare_dicom, odl_explicit_dicom },
  { "dicom-implicit", odl_prepare_dicom, odl_implicit_dicom },
  { "metaimage", NULL, odl_decode_metaimage },
  { "metaimage-text", NULL, odl_dump_metaimage },
  { "nifti", NULL, odl_decode_nifti },
  { "nrrd", NULL, odl_decode_nrrd },
  { "nrrd-text", NULL, odl_dump_nrrd },
  { "hdf5", odl_prepare_hdf5, odl_decode_hdf5 },
  { "hdf5-array", odl_prepare_hdf5, odl_decode_hdf5_array },
  { "hdf5-text", odl_prepare_hdf5, odl_dump_hdf5 },
  { "grid", NULL, odl_decode_grid },
  { "kernel", NULL, odl_decode_kernel },
};

static bool
map_input (OdlDecoderInput *input, size_t memory, GError **error)
{
  uint64_t size = 0;

  if (odl_decoder_file_size (ODL_HELPER_FILE_FD, &size) && size > 0) {
    void *data
        = mmap (NULL, (size_t) size, PROT_READ, MAP_PRIVATE, ODL_HELPER_FILE_FD, 0);
    if (data != MAP_FAILED) {
      input->data = data;
      input->size = (size_t) size;
      // A quarter is reserved for the libraries.
      input->memory = memory - MIN (memory, input->size);
      input->memory -= input->memory / 4;
      return true;
    }
    if (errno == ENOMEM)
      return odl_error_set (error, ODL_ERROR_TOO_LARGE,
                            _ ("its %.1f GB are more than a decoder may reach at once"),
                            (double) size / 1e9);
  }
  return odl_error_set (error, ODL_ERROR_IO, _ ("it cannot be read"));
}

static void
forget (const OdlDecoderInput *input)
{
  if (*input->free_kept != NULL)
    (*input->free_kept) (*input->kept);
  *input->kept = NULL;
  *input->free_kept = NULL;
}

// Replaces the input with the next file of a sequence.
static bool
replace_input (OdlDecoderInput *input, int fd, size_t memory, GError **error)
{
  forget (input);
  if (input->data != NULL)
    munmap ((void *) input->data, input->size);
  input->data = NULL;
  dup3 (fd, ODL_HELPER_FILE_FD, O_CLOEXEC);
  close (fd);
  return map_input (input, memory, error);
}

// Decodes and sends one frame; with `decode` NULL sends `failure`. Frame times are
// only sent with the first picture. False: the parent has gone.
static bool
answer (const OdlDecoderInput *input,
        OdlDecodeFunc decode,
        bool *times_sent,
        const GError *failure)
{
  g_autoptr (GError) error = NULL;
  OdlPicture picture;

  odl_picture_init (&picture, input->memory);
  if (decode != NULL && decode (input, &picture, &error))
    failure = NULL;
  else if (error != NULL)
    failure = error;
  if (*times_sent)
    odl_picture_set_times (&picture, NULL, 0);
  *times_sent = *times_sent || failure == NULL;
  bool sent = odl_picture_send (&picture, ODL_HELPER_SOCKET_FD, failure);
  odl_picture_clear (&picture);
  return sent;
}

static int
decode_frames (OdlDecoderInput *input, OdlDecodeFunc decode, size_t memory)
{
  g_autoptr (GError) error = NULL;
  void *kept = NULL;
  GDestroyNotify free_kept = NULL;
  bool times_sent = false;
  int fd = -1;

  // forget () uses and clears these before they go out of scope.
  // cppcheck-suppress autoVariables
  input->kept = &kept;
  // cppcheck-suppress autoVariables
  input->free_kept = &free_kept;
  bool mapped = map_input (input, memory, &error);
  bool going = answer (input, mapped ? decode : NULL, &times_sent, error);
  while (going && odl_decoder_take_order (&input->frame, &fd)) {
    g_clear_error (&error);
    if (fd >= 0)
      mapped = replace_input (input, fd, memory, &error);
    going = answer (input, mapped ? decode : NULL, &times_sent, error);
  }
  forget (input);
  return going ? 0 : 1;
}

// Refuses all orders: no sandbox.
static int
refuse_orders (void)
{
  OdlDecoderInput input = { 0 };
  bool times_sent = false;
  g_autoptr (GError) error = NULL;

  odl_helper_set_refused (&error);
  answer (&input, NULL, &times_sent, error);
  return 1;
}

static OdlDecodeFunc
find_format (const char *name, bool prepare)
{
  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++) {
    if (strcmp (formats[i].name, name) != 0)
      continue;
    if (prepare && formats[i].prepare != NULL)
      formats[i].prepare (name);
    return formats[i].decode;
  }
  return NULL;
}

static int
run_helper (const OdlDecoderStart *request, OdlDecodeFunc decode)
{
  OdlDecoderInput input = { .frame = request->frame };

  if (!odl_sandbox_enter (request->memory, request->cpu_seconds)
      && !request->sandbox_is_optional)
    return refuse_orders ();
  return decode_frames (&input, decode, request->memory);
}

// Forks helpers; continues in each of them as if it had been started alone.
static int
run_fork_server (void)
{
  OdlDecoderStart request;

  odl_language_init_helper ();
  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++)
    find_format (formats[i].name, true);
  if (!odl_decoder_fork_server_run (&request))
    return 0;
  request.format[sizeof request.format - 1] = '\0';
  OdlDecodeFunc decode = find_format (request.format, false);
  if (decode == NULL || !odl_sandbox_die_with_parent (ODL_HELPER_LIFE_FD))
    return 2;
  return run_helper (&request, decode);
}

int
main (int argc, char **argv)
{
  const bool fork_server = argc == 2 && strcmp (argv[1], ODL_DECODER_FORK_SERVER) == 0;

  if (argc != 6 && !fork_server) {
    g_printerr ("ondelette-decoder is started by Ondelette; it is of no use alone.\n");
    return 2;
  }
  if (!odl_sandbox_die_with_parent (ODL_HELPER_LIFE_FD))
    return 2;
  odl_sandbox_isolate ();
  if (fork_server)
    return run_fork_server ();

  const OdlDecoderStart request = {
    .frame = (uint32_t) g_ascii_strtoull (argv[2], NULL, 10),
    .memory = g_ascii_strtoull (argv[3], NULL, 10),
    .cpu_seconds = (uint32_t) g_ascii_strtoull (argv[4], NULL, 10),
    .sandbox_is_optional = strcmp (argv[5], ODL_HELPER_SANDBOX_OPTIONAL) == 0,
  };
  odl_language_init_helper ();
  OdlDecodeFunc decode = find_format (argv[1], true);
  return decode != NULL ? run_helper (&request, decode) : 2;
}
