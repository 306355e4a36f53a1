// SPDX-License-Identifier: MIT
#include "cli/process/options.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "cli/shard.h"

#define MAX_DURATION_S (366.0 * 24 * 3600)

// Where the value of an option goes, within OdlProcessOptions.
#define FIELD(name) GSIZE_TO_POINTER (G_STRUCT_OFFSET (OdlProcessOptions, name))

static const GOptionEntry entries[] = {
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, FIELD (out),
    N_ ("File or folder to write; its extension says the format: .png, .jpg, .webp, "
        ".tif, .exr, .npy, .jp2, .j2k, .obj; .mha, .nii, .nii.gz, .nrrd, .h5, "
        ".stack.tif, .ome.tif, .stack.npy take whole volumes; .dcm, .mkv, .mp4 and names "
        "with %05d all frames; - is standard output, with --format; {stem} (of the "
        "input), {filter} and {number} in it are replaced"),
    N_ ("OUT") },
  { "filter", 'f', 0, G_OPTION_ARG_STRING_ARRAY, FIELD (filters),
    N_ ("Append a filter; “list filters” names them"), "NAME:KEY=VALUE,…" },
  { "recipe", 'r', 0, G_OPTION_ARG_FILENAME, FIELD (recipe),
    N_ ("Start from a recipe in a file, or one of “list presets”"), N_ ("FILE") },
  { "preset", 'p', 0, G_OPTION_ARG_STRING, FIELD (preset),
    N_ ("Start from one of “list presets”: those of the program, and your own"),
    N_ ("NAME") },
  { "trust-code", 0, 0, G_OPTION_ARG_NONE, FIELD (trust_code),
    N_ ("Run code of your own, which “glsl”, “python” or a recipe names; look at the "
        "file first"),
    NULL },
  { "strength", 0, 0, G_OPTION_ARG_STRING, FIELD (strength),
    N_ ("How much the filters do: 0 nothing, 1 as written (default), 4 at most"),
    N_ ("NUMBER") },
  { "reference", 0, 0, G_OPTION_ARG_FILENAME, FIELD (reference),
    N_ ("A clean picture of the same size: say PSNR and SSIM of the result against it, "
        "and of the picture as it came"),
    N_ ("FILE") },
  { "noise", 0, 0, G_OPTION_ARG_STRING, FIELD (noise),
    N_ ("Add noise before the filters: gaussian:SIGMA, speckle:SIGMA (shares of full "
        "scale, such as 0.1 or 25/255), poisson:PEAK (events at full scale) or "
        "salt-pepper:P; the same for each SEED (default: 0)"),
    N_ ("KIND:AMOUNT[,SEED]") },
  { "sigma-from", 0, 0, G_OPTION_ARG_STRING, FIELD (sigma_from),
    N_ ("Where filters measure the noise: a part of the picture that is the same "
        "everywhere but for noise"),
    N_ ("X,Y,WIDTH,HEIGHT") },
  { "mask-output", 0, 0, G_OPTION_ARG_FILENAME, FIELD (mask_output),
    N_ ("Write what the contours surround, as a PNG: 255 inside, else 0"), "FILE.png" },
  { "contour-output", 0, 0, G_OPTION_ARG_FILENAME, FIELD (contour_output),
    N_ ("Write the contours, in millimetres where the size of pixels is known"),
    "FILE.svg|.csv" },
  { "mesh-output", 0, 0, G_OPTION_ARG_FILENAME, FIELD (mesh_output),
    N_ ("Of a grid of control points: write its surface as a mesh"), "FILE.obj" },
  { "deidentify", 0, 0, G_OPTION_ARG_NONE, FIELD (deidentify),
    N_ ("Of a DICOM file: remove who the patient is (PS3.15, Basic Profile); for what is "
        "written in the pixels add --blank"),
    NULL },
  { "blank", 0, 0, G_OPTION_ARG_STRING_ARRAY, FIELD (blanks),
    N_ ("Make a rectangle of a DICOM file black, such as one with a name, or what lies "
        "outside its regions of ultrasound or outside the sector that is found in its "
        "first picture; may be repeated"),
    N_ ("X,Y,WIDTH,HEIGHT|regions|sector") },
  { "report", 0, 0, G_OPTION_ARG_NONE, FIELD (report),
    N_ ("Say what a DICOM file that is written still tells in words, and what is known "
        "of writing in its pixels"),
    NULL },
  { "shift-dates", 0, 0, G_OPTION_ARG_STRING, FIELD (shift_dates),
    N_ ("With --deidentify: move dates by so many days instead of removing them"),
    N_ ("DAYS") },
  { "compression", 0, 0, G_OPTION_ARG_STRING, FIELD (compression),
    N_ ("Of a DICOM file that is written, without loss: none (default), rle or jpeg2000"),
    N_ ("KIND") },
  { "view", 0, 0, G_OPTION_ARG_STRING, FIELD (view),
    N_ ("What to show: result (or synthesis, default), of wavelet filters coefficients "
        "(analysis), filtered-coefficients (filtered-analysis) or one band of these, "
        "such as band:2:HL (of a volume band:2:HLH), of the dual tree the magnitudes in "
        "directions 75, 15 and 45 degrees, with falling and filtered-falling in -75, -15 "
        "and -45, or one, such as band:2:-15; level:2 (what the filtered details of one "
        "level make), or residual, what the filters took away"),
    "VIEW" },
  { "rendering", 0, 0, G_OPTION_ARG_STRING, FIELD (rendering),
    N_ ("Write a volume as it is seen from outside, filtered: maximum, ct-bone, ct-soft, "
        "mr or ultrasound, turned by so many degrees to the right and down; a video "
        "makes one turn in 6 seconds or in --duration"),
    N_ ("NAME[,RIGHT[,DOWN]]") },
  { "plane", 0, 0, G_OPTION_ARG_STRING, FIELD (plane),
    N_ ("Take a plane of the volume that the frame is of, after the filters: axial, "
        "coronal or sagittal by the patient's axes, through voxel N, from 0, of the "
        "stored axis that it is across; a thick one by a slab (mean, maximum or minimum, "
        "and how many of the shortest voxel sides)"),
    "NAME:N[:SLAB:N]" },
  { "colour", 0, 0, G_OPTION_ARG_STRING, FIELD (colour),
    N_ ("Filter each colour channel (channels, default), the luma only (luma), or with "
        "bm3d opponent colours together, by the blocks of their luma (opponent)"),
    "MODE" },
  { "inside", 0, 0, G_OPTION_ARG_STRING, FIELD (inside),
    N_ ("Of ultrasound: where filters act, the rest stays as it is: none (everywhere, "
        "default), region (where a DICOM file says that there is a 2D picture) or sector "
        "(which is found in the first picture)"),
    "WHERE" },
  { "engine", 'e', 0, G_OPTION_ARG_STRING, FIELD (engine),
    N_ ("One of “list engines”, with :VARIANT if you like, or auto; default: "
        "ODL_ENGINE, else auto"),
    "ENGINE" },
  { "precision", 0, 0, G_OPTION_ARG_STRING, FIELD (precision),
    N_ ("Bits of intermediate pictures: 32 (default) or 16"), "BITS" },
  { "border", 0, 0, G_OPTION_ARG_STRING, FIELD (border),
    N_ ("Border of wavelet filters: auto (default), symmetric, periodic, zero"),
    "BORDER" },
  { "window", 'w', 0, G_OPTION_ARG_STRING, FIELD (window),
    N_ ("Values to show from black to white in a PNG: file (default), full, or two "
        "numbers"),
    "CENTRE,WIDTH" },
  { "colour-map", 0, 0, G_OPTION_ARG_STRING, FIELD (colour_map),
    N_ ("Colours for a grey picture in a PNG: grey (default), hot-iron, hot-metal-blue, "
        "pet, rainbow, viridis, inferno"),
    "NAME" },
  { "invert", 0, 0, G_OPTION_ARG_NONE, FIELD (invert),
    N_ ("Show black as white; of colours the luma alone"), NULL },
  { "crop", 0, 0, G_OPTION_ARG_STRING, FIELD (crop),
    N_ ("Write a part of the picture; filters see all of it"), N_ ("X,Y,WIDTH,HEIGHT") },
  { "valid", 0, 0, G_OPTION_ARG_NONE, FIELD (valid),
    N_ ("Write the part of the result that depends on no border: of pictures, slices and "
        "times so many less at each end as the filters look"),
    NULL },
  { "orient", 0, 0, G_OPTION_ARG_STRING, FIELD (orient),
    N_ ("Turn what is written: 90, 180 or 270 degrees clockwise, flip-h, flip-v, "
        "transpose or transverse"),
    "HOW" },
  { "wipe", 0, 0, G_OPTION_ARG_STRING, FIELD (wipe),
    N_ ("The original at the left of column X, the result at its right; a number of "
        "pixels, or 50%"),
    "X" },
  { "no-overlays", 0, 0, G_OPTION_ARG_NONE, FIELD (no_overlays),
    N_ ("Leave out what a DICOM file or a presentation state draws over a picture, and "
        "shutters"),
    NULL },
  { "presentation-state", 0, 0, G_OPTION_ARG_FILENAME, FIELD (presentation_state),
    N_ ("Show a DICOM picture as a presentation state says: window, part, turn, drawings "
        "and shutters; --window, --crop and --orient take the place of its own"),
    N_ ("FILE") },
  { "segments", 0, 0, G_OPTION_ARG_FILENAME, FIELD (segments),
    N_ ("Draw what a segmentation (DICOM SEG) or a structure set (RTSTRUCT) outlines on "
        "a picture or a plane"),
    N_ ("FILE") },
  { "show-segments", 0, 0, G_OPTION_ARG_STRING, FIELD (show_segments),
    N_ ("These of them alone, by their place in the file's list, such as 1,3"),
    N_ ("LIST") },
  { "fuse", 0, 0, G_OPTION_ARG_FILENAME, FIELD (fuse),
    N_ ("Lay another volume (DICOM) in colours over a picture or a plane, by their "
        "places "
        "in one frame of reference, such as PET over CT: a folder, a series or a file"),
    N_ ("FILE") },
  { "fuse-colours", 0, 0, G_OPTION_ARG_STRING, FIELD (fuse_colours),
    N_ ("Its colours: hot-iron (default), hot-metal-blue, pet, rainbow, viridis, inferno "
        "or grey"),
    "NAME" },
  { "fuse-share", 0, 0, G_OPTION_ARG_STRING, FIELD (fuse_share),
    N_ ("How much of it is seen, from 0 to 1 (default: 0.5)"), "SHARE" },
  { "fuse-window", 0, 0, G_OPTION_ARG_STRING, FIELD (fuse_window),
    N_ ("The grey levels that its colours stand for: CENTRE,WIDTH in the values of its "
        "file, or file (default)"),
    "CENTRE,WIDTH" },
  { "format", 0, 0, G_OPTION_ARG_STRING, FIELD (format),
    N_ ("png, jpeg, webp, tiff, tiff16, tiff-stack, ome-tiff, exr, npy, npy-stack, jp2, "
        "j2k, obj, mha, nii, nrrd, hdf5, dicom, mkv or mp4, whatever the extension"),
    "FORMAT" },
  { "depth", 0, 0, G_OPTION_ARG_STRING, FIELD (depth),
    N_ ("How samples are written, as far as the format has it: with 8 or 16 bits, "
        "rounded to the nearest whole number, or as floats. Without it pictures as they "
        "are shown have 8 bits if the input has no more, else 16; for values see below"),
    "DEPTH" },
  { "lossless", 0, 0, G_OPTION_ARG_NONE, FIELD (lossless),
    N_ ("Of JPEG 2000: every sample as it is (default)"), NULL },
  { "rate", 0, 0, G_OPTION_ARG_STRING, FIELD (rate),
    N_ ("Of JPEG 2000: the best picture in a file of so many bits for each pixel"),
    N_ ("BITS") },
  { "psnr", 0, 0, G_OPTION_ARG_STRING, FIELD (psnr),
    N_ ("Of JPEG 2000: the smallest file with such a peak signal-to-noise ratio, in dB"),
    "DB" },
  { "frame", 0, 0, G_OPTION_ARG_INT64, FIELD (frame),
    N_ ("Frame of a moving source, from 1"), N_ ("N") },
  { "frames", 0, 0, G_OPTION_ARG_STRING, FIELD (frames),
    N_ ("Frames for a video or numbered files, counted from 1; default: all"),
    "FIRST-LAST" },
  { "pages", 0, 0, G_OPTION_ARG_STRING, FIELD (pages),
    N_ ("The pages of TIFF files: stack (the slices of a volume), sequence or first; "
        "default: what their description says, else a sequence where all are alike, else "
        "the first"),
    N_ ("WAY") },
  { "lead-in", 0, 0, G_OPTION_ARG_STRING, FIELD (lead_in),
    N_ ("Frames before the first one that filters over time see: a number, all, or auto "
        "(default; as many as the filters need)"),
    "N" },
  { "duration", 0, 0, G_OPTION_ARG_DOUBLE, FIELD (duration_s),
    N_ ("Seconds to write of a moving source, such as a camera; default: all"),
    N_ ("SECONDS") },
  { "codec", 0, 0, G_OPTION_ARG_STRING, FIELD (codec),
    N_ ("Codec of a video, one of “list codecs”; default: the best that is installed"),
    N_ ("CODEC") },
  { "quality", 0, 0, G_OPTION_ARG_STRING, FIELD (quality),
    N_ ("Of a video, JPEG or WebP: high (default; no visible loss), lossless, small"),
    "QUALITY" },
  { "no-badge", 0, 0, G_OPTION_ARG_NONE, FIELD (no_badge),
    N_ ("Of a video: no strip below the pictures that says what was done to them; of a "
        "rendering: no letters of the sides"),
    NULL },
  { "recursive", 0, 0, G_OPTION_ARG_NONE, FIELD (recursive),
    N_ ("Of a folder: what lies in the folders below, too; the outputs keep their tree, "
        "or with --deidentify have numbers"),
    NULL },
  { "resume", 0, 0, G_OPTION_ARG_NONE, FIELD (resume),
    N_ ("Of several inputs: only those whose output is not there yet"), NULL },
  { "shard", 0, 0, G_OPTION_ARG_STRING, FIELD (shard),
    N_ ("Of several inputs: every N-th, from the I-th on, so that N runs do all"),
    "I/N" },
  { "log", 0, 0, G_OPTION_ARG_FILENAME, FIELD (log),
    N_ ("Of several inputs: write a row for each, with its output and what was said of "
        "it; with --shard, “merge” joins these. It names the inputs: keep it apart from "
        "files without names"),
    "FILE.csv" },
  { "secret", 0, 0, G_OPTION_ARG_FILENAME, FIELD (secret),
    N_ ("Of DICOM files: a file that is made if it is not there, from which identifiers "
        "are made; runs with the same one fit together. Keep it apart from the files"),
    N_ ("FILE") },
  { "force", 0, 0, G_OPTION_ARG_NONE, FIELD (force),
    N_ ("Replace files that are there already; inputs are never replaced"), NULL },
  { "jobs", 'j', 0, G_OPTION_ARG_STRING, FIELD (jobs),
    N_ ("Pictures that are worked on at the same time; default: one for each processor"),
    "N" },
  { "memory", 0, 0, G_OPTION_ARG_STRING, FIELD (memory),
    N_ ("MiB for pictures between decoding and writing; default: a quarter of what is "
        "free"),
    "MIB" },
  { "progress", 0, 0, G_OPTION_ARG_NONE, FIELD (progress),
    N_ ("Write “progress FRAME TOTAL BYTES” on standard error for each frame"), NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, FIELD (inputs), NULL, NULL },
  { NULL },
};

// The options as a table for GLib.
static GOptionEntry *
bind_entries (OdlProcessOptions *self)
{
  GOptionEntry *bound = g_memdup2 (entries, sizeof entries);

  for (GOptionEntry *entry = bound; entry->long_name != NULL; entry++)
    entry->arg_data = G_STRUCT_MEMBER_P (self, GPOINTER_TO_SIZE (entry->arg_data));
  return bound;
}

void
odl_process_options_take (OdlProcessOptions *self,
                          const char *const *names,
                          GOptionEntry *to)
{
  g_autofree GOptionEntry *bound = bind_entries (self);

  for (const GOptionEntry *entry = bound; entry->long_name != NULL; entry++)
    if (g_strv_contains (names, entry->long_name))
      *to++ = *entry;
}

bool
odl_process_options_parse (OdlProcessOptions *self,
                           const OdlVerb *verb,
                           int argc,
                           char **argv)
{
  g_autofree GOptionEntry *bound = bind_entries (self);
  const char *description = _ (
      "Several inputs, or a folder, go into the folder OUT. An input can be "
      "phantom:WIDTHxHEIGHT[,seed=N][,rate=FPS][,clean], phantom:xray, phantom:beams, "
      "phantom:face or "
      "webcam[:NAME], and - is standard input. PNG, JPEG and WebP hold the picture as it "
      "is shown, rounded to whole numbers of 8 or 16 bits; TIFF, OpenEXR and NPY hold "
      "32-bit floats in the unit of the input, or without filters its own numbers, JPEG "
      "2000 (.jp2, .j2k) the numbers that the input stores, OBJ the control points of a "
      "surface. The frames of a moving source go into a video (-o out.mkv) or into "
      "numbered files (-o frame-%05d.png), volumes into MetaImage, NIfTI (-o "
      "out.nii.gz), NRRD, HDF5, a TIFF stack (-o out.stack.tif) or an array of NumPy "
      "(-o out.stack.npy), the last four "
      "frames, "
      "too, "
      "DICOM into a derived DICOM file of all frames (-o out.dcm). Exit status 3: done, "
      "but frames were damaged and are marked, or the "
      "file is cut off and holds fewer than it declares.");

  self->frame = ODL_FRAME_UNSAID;
  if (!odl_verb_parse (verb, bound, description, argc, argv))
    return false;
  if (self->inputs == NULL || self->inputs[0] == NULL)
    odl_report_usage (_ ("Name an input: a picture, a folder, or phantom:512x512."));
  else if (self->out == NULL || *self->out == '\0')
    odl_report_usage (_ ("Name the output with -o, such as -o out.png."));
  else if (self->frame < 1 && self->frame != ODL_FRAME_UNSAID)
    odl_report_usage (_ ("Frames are counted from 1; there is no frame %" PRId64 "."),
                      self->frame);
  else if (!(self->duration_s >= 0 && self->duration_s <= MAX_DURATION_S))
    odl_report_usage (_ ("--duration is in seconds, from 0 to a year."));
  else
    return true;
  return false;
}

char **
odl_process_options_words (OdlProcessOptions *self)
{
  static const char *const own[]
      = { "shard", "log", "resume", "force", "jobs", "memory", "progress", NULL };
  g_autofree GOptionEntry *bound = bind_entries (self);
  GOptionEntry *to = bound;

  for (const GOptionEntry *entry = bound; entry->long_name != NULL; entry++)
    if (!g_strv_contains (own, entry->long_name))
      *to++ = *entry;
  *to = (GOptionEntry){ NULL };
  return odl_shard_words (bound);
}

void
odl_process_options_clear (OdlProcessOptions *self)
{
  g_autofree GOptionEntry *bound = bind_entries (self);

  for (const GOptionEntry *entry = bound; entry->long_name != NULL; entry++)
    switch (entry->arg) {
    case G_OPTION_ARG_STRING:
    case G_OPTION_ARG_FILENAME:
      g_clear_pointer ((char **) entry->arg_data, g_free);
      break;
    case G_OPTION_ARG_STRING_ARRAY:
    case G_OPTION_ARG_FILENAME_ARRAY:
      g_clear_pointer ((GStrv *) entry->arg_data, g_strfreev);
      break;
    default: // numbers and switches own nothing
      break;
    }
}
