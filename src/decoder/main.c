// SPDX-License-Identifier: MIT
// ondelette-decoder: decodes frames of one file that nobody trusts. See protocol.h.
#include "config.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <locale.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "decoder/exchange.h"
#include "decoder/formats.h"
#include "decoder/sandbox.h"

static const struct {
  const char *name;
  void (*prepare) (const char *format); // may be NULL
  OdlDecodeFunc decode;
} formats[] = {
  { "png", NULL, odl_decode_png },
  { "jpeg", NULL, odl_decode_jpeg },
  { "tiff", NULL, odl_decode_tiff },
  { "gif", odl_prepare_pixbuf, odl_decode_gif },
  { "bmp", odl_prepare_pixbuf, odl_decode_bmp },
  { "dicom", odl_prepare_dicom, odl_decode_dicom },
  { "metaimage", NULL, odl_decode_metaimage },
};

static bool
map_input (OdlDecoderInput *input, size_t memory, GError **error)
{
  struct stat status;

  if (fstat (ODL_DECODER_FILE_FD, &status) == 0 && S_ISREG (status.st_mode)
      && status.st_size > 0) {
    void *data = mmap (NULL, (size_t) status.st_size, PROT_READ, MAP_PRIVATE,
                       ODL_DECODER_FILE_FD, 0);
    if (data != MAP_FAILED) {
      input->data = data;
      input->size = (size_t) status.st_size;
      // A quarter stays for the libraries' own needs.
      input->memory = memory - MIN (memory, input->size);
      input->memory -= input->memory / 4;
      return true;
    }
  }
  g_set_error_literal (error, ODL_ERROR, ODL_ERROR_IO, _ ("it cannot be read"));
  return false;
}

static void
forget (const OdlDecoderInput *input)
{
  if (*input->free_kept != NULL)
    (*input->free_kept) (*input->kept);
  *input->kept = NULL;
  *input->free_kept = NULL;
}

// The next file of a sequence takes the place of the last one.
static bool
replace_input (OdlDecoderInput *input, int fd, size_t memory, GError **error)
{
  forget (input);
  if (input->data != NULL)
    munmap ((void *) input->data, input->size);
  input->data = NULL;
  dup3 (fd, ODL_DECODER_FILE_FD, O_CLOEXEC);
  close (fd);
  return map_input (input, memory, error);
}

// The catalogue must be open before the process is walled in.
static void
set_up_language (void)
{
  setlocale (LC_CTYPE, "");
  setlocale (LC_MESSAGES, "");
  bindtextdomain (GETTEXT_PACKAGE, ODL_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  dgettext (GETTEXT_PACKAGE, "it cannot be read");
}

// Decodes and sends one frame; with `decode` NULL sends `failure`. The times of frames
// travel with the first picture only. False: the parent is gone.
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
  bool sent = odl_picture_send (&picture, ODL_DECODER_SOCKET_FD, failure);
  odl_picture_clear (&picture);
  return sent;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  OdlDecoderInput input = { 0 };
  void *kept = NULL;
  GDestroyNotify free_kept = NULL;
  size_t i = 0;

  if (argc != 5) {
    g_printerr ("ondelette-decoder is started by Ondelette; it is of no use alone.\n");
    return 2;
  }
  while (i < G_N_ELEMENTS (formats) && strcmp (formats[i].name, argv[1]) != 0)
    i++;
  if (i == G_N_ELEMENTS (formats))
    return 2;
  input.frame = (uint32_t) g_ascii_strtoull (argv[2], NULL, 10);
  const size_t memory = (size_t) g_ascii_strtoull (argv[3], NULL, 10);
  input.kept = &kept;
  input.free_kept = &free_kept;

  set_up_language ();
  if (formats[i].prepare != NULL)
    formats[i].prepare (formats[i].name);
  unsigned cpu_seconds = (unsigned) g_ascii_strtoull (argv[4], NULL, 10);
  odl_sandbox_enter (memory, cpu_seconds);

  bool mapped = map_input (&input, memory, &error);
  bool times_sent = false;
  bool going = answer (&input, mapped ? formats[i].decode : NULL, &times_sent, error);
  int fd = -1;
  while (going && odl_decoder_take_order (&input.frame, &fd)) {
    g_clear_error (&error);
    if (fd >= 0)
      mapped = replace_input (&input, fd, memory, &error);
    going = answer (&input, mapped ? formats[i].decode : NULL, &times_sent, error);
  }
  forget (&input);
  return going ? 0 : 1;
}
