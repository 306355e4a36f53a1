// SPDX-License-Identifier: MIT
// NRRD headers and samples, real and mutilated, in the process of the test.
#include <bzlib.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.h"
#include "decoder/exchange.h"
#include "decoder/formats.h"
#include "decoder/nrrd/header.h"

// Of a picture, and of all that decoding may take.
#define MEMORY ((size_t) 64 << 20)
#define MUTATIONS 12000
#define BESIDE_BYTES 4096

// ---- in the place of the parent ------------------------------------------------------

static int n_asked;

// Every file is there, with as many bytes.
int
odl_decoder_ask_file (const char *name, uint64_t *size, GError **error)
{
  const int fd = memfd_create ("beside", MFD_CLOEXEC);

  g_assert_null (strchr (name, '/'));
  (void) error;
  g_assert_no_errno (ftruncate (fd, BESIDE_BYTES));
  *size = BESIDE_BYTES;
  n_asked++;
  return fd;
}

bool
odl_decoder_file_size (int fd, uint64_t *size)
{
  (void) fd;
  *size = 0;
  return false;
}

static void
place_file (int wanted, const void *data, size_t size)
{
  const int fd = memfd_create ("file", 0);

  g_assert_no_errno (ftruncate (fd, (off_t) size));
  if (data != NULL)
    g_assert_cmpint (pwrite (fd, data, size, 0), ==, (gssize) size);
  if (fd != wanted) {
    dup2 (fd, wanted);
    close (fd);
  }
}

// Decodes a frame as the helper does. The picture is the caller's to clear.
static bool
decode (const void *data,
        size_t size,
        uint32_t frame,
        OdlPicture *picture,
        GError **error)
{
  void *kept = NULL;
  GDestroyNotify free_kept = NULL;
  const OdlDecoderInput input = { .data = data,
                                  .size = size,
                                  .frame = frame,
                                  .memory = MEMORY,
                                  .kept = &kept,
                                  .free_kept = &free_kept };

  place_file (ODL_HELPER_FILE_FD, data, size);
  place_file (ODL_DECODER_PICTURE_FD, NULL, MEMORY);
  odl_picture_init (picture, MEMORY);
  const bool done = odl_decode_nrrd (&input, picture, error);
  g_assert_true (done == (*error == NULL));
  if (free_kept != NULL)
    free_kept (kept);
  return done;
}

// ---- headers -------------------------------------------------------------------------

typedef struct {
  const char *name;
  const char *text;
  const char *refusal; // part of it; NULL: it is read
} HeaderCase;

#define HEAD "NRRD0004\ntype: uchar\nencoding: raw\n"
#define SMALL HEAD "dimension: 2\nsizes: 3 2\n"

static const HeaderCase headers[] = {
  { "plain", SMALL "\nabcdef", NULL },
  { "no-magic", "NRRD\n" SMALL, "does not begin" },
  { "future", "NRRD0007\n", "not known" },
  { "no-type", "NRRD0004\nencoding: raw\ndimension: 1\nsizes: 3\n\n", "(type)" },
  { "block", "NRRD0004\ntype: block\nencoding: raw\n\n", "“block”" },
  { "no-encoding", "NRRD0004\ntype: uchar\ndimension: 1\nsizes: 3\n\n", "(encoding)" },
  { "zrl", "NRRD0004\ntype: uchar\nencoding: zrl\n\n", "“zrl”" },
  { "no-endian", "NRRD0004\ntype: short\nencoding: raw\n\n", "(endian)" },
  { "no-sizes", HEAD "dimension: 2\n\n", "(dimension, sizes)" },
  { "few-sizes", HEAD "dimension: 2\nsizes: 4\n\n", "(dimension, sizes)" },
  { "many-axes", HEAD "dimension: 17\nsizes: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n\n",
    "(dimension, sizes)" },
  { "zero", HEAD "dimension: 2\nsizes: 0 3\n\n", "above 0" },
  { "negative", HEAD "dimension: 2\nsizes: -1 3\n\n", "above 0" },
  { "fraction", HEAD "dimension: 2\nsizes: 1.5 3\n\n", "above 0" },
  { "overflow", HEAD "dimension: 3\nsizes: 4294967296 4294967296 4294967296\n\n",
    "too large" },
  { "long-number", HEAD "dimension: 1\nsizes: 99999999999999999999999\n\n", "above 0" },
  { "many-frames",
    HEAD "dimension: 3\nsizes: 1 1 16777217\nkinds: domain domain list\n\n",
    "more frames" },
  { "no-pixels", HEAD "dimension: 2\nsizes: 2 3\nkinds: list vector\n\n",
    "names no axis" },
  { "all-none",
    HEAD "dimension: 2\nsizes: 2 3\nspace: LPS\nspace directions: none none\n\n",
    "names no axis" },
  { "no-colon", HEAD "what is this\n\n", "line 4" },
  { "no-end", SMALL, "empty line" },
  { "no-samples", SMALL "\n", "samples are missing" },
  { "line-skip", SMALL "line skip: 9\n\nabc\ndef\n", "samples are missing" },
  { "byte-skip", SMALL "byte skip: 99\n\nabcdef", "samples are missing" },
  { "bad-skip", SMALL "byte skip: x\n\nabcdef", "line skip, byte skip" },
  { "from-end", SMALL "byte skip: -1\n\nabc", "samples are missing" },
  { "folder", SMALL "data file: ../other.raw\n", "another folder" },
  { "absolute", SMALL "data file: /etc/passwd\n", "another folder" },
  { "listed-folder", SMALL "data file: LIST\na.raw\nsub/b.raw\n", "another folder" },
  { "pattern-folder", SMALL "data file: sub/%d.raw 1 2 1\n", "another folder" },
  { "empty-list", SMALL "data file: LIST\n", "list of files is empty" },
  { "odd-files", SMALL "data file: %d.raw 0 3 1\n", "files of one size" },
  { "many-files", SMALL "data file: %d.raw 0 99999 1\n", "pattern" },
  { "back-files", SMALL "data file: %d.raw 3 1 1\n", "pattern" },
};

static void
test_header (const void *data)
{
  const HeaderCase *row = data;
  g_autoptr (GError) error = NULL;
  OdlPicture picture;

  decode (row->text, strlen (row->text), 0, &picture, &error);
  if (row->refusal == NULL) {
    g_assert_no_error (error);
    g_assert_cmpmem (picture.pixels, 6, "abcdef", 6);
  } else {
    g_assert_nonnull (error);
    g_test_message ("%s", error->message);
    g_assert_nonnull (strstr (error->message, row->refusal));
  }
  odl_picture_clear (&picture);
}

// What is invalid but not needed is ignored, and said.
static void
test_ignored (void)
{
  static const struct {
    const char *lines;
    const char *field;
  } rows[] = {
    { "spacings: 0 1 1\n", "spacings" },
    { "spacings: 1 1\n", "spacings" },
    { "spacings: x 1 1\n", "spacings" },
    { "space: nowhere\n", "space" },
    { "space dimension: 9\n", "space dimension" },
    { "space: LPS\nspace directions: (1,0,0) (2,0,0) (0,0,1)\n", "space directions" },
    { "space: LPS\nspace directions: (0,0,0) (0,1,0) (0,0,1)\n", "space directions" },
    { "space: LPS\nspace directions: (1,0,0) (0,1 (0,0,1)\n", "space directions" },
    { "space: LPS\nspace directions: (1e300,0,0) (0,1,0) (0,0,1)\n", "space directions" },
    { "space: LPS\nspace directions: (nan,0,0) (0,1,0) (0,0,1)\n", "space directions" },
    { "space: LPS\nspace origin: (1,2)\n", "space origin" },
    { "space: LPS\nspace origin: (1,2,inf)\n", "space origin" },
    { "space: LPS\nspace units: \"mm\"\n", "space units" },
    { "kinds: domain\n", "kinds" },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *text = g_strconcat (HEAD "dimension: 3\nsizes: 3 2 2\n",
                                         rows[i].lines, "\nabcdefghijkl", NULL);
    g_autofree char *said
        = g_strdup_printf ("its %s is invalid and is ignored", rows[i].field);
    g_autoptr (GError) error = NULL;
    OdlPicture picture;
    decode (text, strlen (text), 0, &picture, &error);
    g_test_message ("%s: %s", rows[i].lines, picture.warning->str);
    g_assert_no_error (error);
    g_assert_nonnull (strstr (picture.warning->str, said));
    odl_picture_clear (&picture);
  }
}

// ---- mutilated -----------------------------------------------------------------------

static const char *const words[] = { "0",
                                     "-1",
                                     "1",
                                     "2",
                                     "3",
                                     "17",
                                     "65536",
                                     "1000000000",
                                     "4294967296",
                                     "1e300",
                                     "1e-300",
                                     "nan",
                                     "inf",
                                     "-0",
                                     "none",
                                     "list",
                                     "domain",
                                     "time",
                                     "vector",
                                     "RGB-color",
                                     "(0,0,0)",
                                     "(1,2",
                                     "LPS",
                                     "LIST",
                                     "raw",
                                     "gzip",
                                     "bzip2",
                                     "hex",
                                     "text",
                                     "float",
                                     "uint64",
                                     "big",
                                     "%d.raw 0 9 1",
                                     "999999999999999999999" };

static GByteArray *
make_seed (int number)
{
  static const char *const encodings[] = { "raw", "gzip", "hex", "text", "bzip2" };
  const bool beside = number % 7 == 3;
  const char *encoding = encodings[number % 5];
  GByteArray *seed = g_byte_array_new ();
  uint8_t samples[3 * 4 * 5 * 2], packed[512];
  g_autofree char *head = g_strdup_printf (
      "NRRD0005\n# seed\ntype: %s\ndimension: 4\nsizes: %s\nencoding: %s\nendian: big\n"
      "space: %s\nspace directions: %s\nkinds: %s\nspace origin: (1,2,3)\n"
      "space units: \"mm\" \"mm\" \"mm\"\nunits: \"\" \"\" \"\" \"s\"\n"
      "axis 3 index values:=0 0.5\nSeq_Frame0001_Timestamp:=2.5\n%s",
      number % 3 == 0   ? "uchar"
      : number % 3 == 1 ? "short"
                        : "float",
      number % 2 == 0 ? "3 4 5 2" : "2 3 4 5", encoding,
      number % 2 == 0 ? "left-anterior-superior" : "3D-right-handed",
      number % 2 == 0 ? "(0,1,0) (1,0,0) (0,0,2) none" : "none (1,0,0) (0,1,0) (0,0,1)",
      number % 2 == 0 ? "domain domain domain list" : "list domain domain domain",
      beside ? "data file: %d.raw 1 2 1\n" : "\n");
  uLongf size = sizeof packed;

  for (size_t i = 0; i < sizeof samples; i++)
    samples[i] = (uint8_t) (i * 37);
  g_byte_array_append (seed, (const uint8_t *) head, (guint) strlen (head));
  z_stream stream = { .next_in = samples,
                      .avail_in = sizeof samples,
                      .next_out = packed,
                      .avail_out = sizeof packed };
  g_assert_cmpint (deflateInit2 (&stream, 6, Z_DEFLATED, 15 + 16, 8, 0), ==, Z_OK);
  g_assert_cmpint (deflate (&stream, Z_FINISH), ==, Z_STREAM_END);
  size = stream.total_out;
  deflateEnd (&stream);
  for (size_t i = 0; i < sizeof samples && (number % 5 == 2 || number % 5 == 3); i++) {
    g_autofree char *word
        = g_strdup_printf (number % 5 == 2 ? "%02x" : "%d ", samples[i]);
    g_byte_array_append (seed, (const uint8_t *) word, (guint) strlen (word));
  }
  if (number % 5 == 0)
    g_byte_array_append (seed, samples, sizeof samples);
  if (number % 5 == 1)
    g_byte_array_append (seed, packed, (guint) size);
  unsigned shorter = sizeof packed;
  g_assert_cmpint (BZ2_bzBuffToBuffCompress ((char *) packed, &shorter, (char *) samples,
                                             sizeof samples, 1, 0, 0),
                   ==, BZ_OK);
  if (number % 5 == 4)
    g_byte_array_append (seed, packed, shorter);
  return seed;
}

// One word of the header as another one.
static void
change_word (GByteArray *file, GRand *chance)
{
  const char *end = memchr (file->data, '\0', file->len);
  const guint size = end != NULL ? (guint) (end - (const char *) file->data) : file->len;
  guint at = (guint) g_rand_int_range (chance, 9, (gint32) MAX (size, 10));
  const char *word = words[g_rand_int_range (chance, 0, (gint32) G_N_ELEMENTS (words))];

  while (at < size && strchr (" :(,", (char) file->data[at]) == NULL)
    at++;
  guint stop = ++at;
  while (stop < size && strchr (" ,)\n", (char) file->data[stop]) == NULL)
    stop++;
  if (stop > size)
    return;
  g_autoptr (GByteArray) whole = g_byte_array_new ();
  g_byte_array_append (whole, file->data, at);
  g_byte_array_append (whole, (const uint8_t *) word, (guint) strlen (word));
  g_byte_array_append (whole, file->data + stop, file->len - stop);
  g_byte_array_set_size (file, 0);
  g_byte_array_append (file, whole->data, whole->len);
}

static void
mutilate (GByteArray *file, GRand *chance)
{
  const int n = g_rand_int_range (chance, 1, 4);

  for (int i = 0; i < n && file->len > 20; i++) {
    const guint at = (guint) g_rand_int_range (chance, 0, (gint32) file->len);
    switch (g_rand_int_range (chance, 0, 8)) {
    case 0:
      file->data[at] = (uint8_t) g_rand_int (chance);
      break;
    case 1:
      g_byte_array_remove_range (file, at, MIN (file->len - at, 9));
      break;
    case 2:
      g_byte_array_set_size (file, MAX (at, 12));
      break;
    default:
      change_word (file, chance);
    }
  }
}

// Every frame of those that open has an answer: a picture or a sentence.
static void
test_mutilated (void)
{
  GRand *chance = g_rand_new_with_seed (37);
  int opened = 0;

  for (int i = 0; i < MUTATIONS; i++) {
    g_autoptr (GByteArray) file = make_seed (i % 210);
    uint32_t n = 1;
    if (i >= 210)
      mutilate (file, chance);
    n_asked = 0;
    for (uint32_t frame = 0; frame < MIN (n, 3); frame++) {
      g_autoptr (GError) error = NULL;
      OdlPicture picture;
      if (decode (file->data, file->len, frame, &picture, &error)) {
        opened++;
        n = picture.reply.n_frames;
        g_assert_cmpuint (picture.reply.data_bytes, <=, MEMORY);
      } else {
        g_assert_cmpuint (strlen (error->message), >, 10);
      }
      odl_picture_clear (&picture);
    }
    g_assert_cmpint (n_asked, <=, 65536);
  }
  g_rand_free (chance);
  g_test_message ("%d frames opened", opened);
  g_assert_cmpint (opened, >, MUTATIONS / 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (headers); i++) {
    g_autofree char *path = g_strdup_printf ("/nrrd/header/%s", headers[i].name);
    g_test_add_data_func (path, &headers[i], test_header);
  }
  g_test_add_func ("/nrrd/what-is-invalid-is-ignored-and-said", test_ignored);
  g_test_add_func ("/nrrd/twelve-thousand-mutilated-files", test_mutilated);
  return g_test_run ();
}
