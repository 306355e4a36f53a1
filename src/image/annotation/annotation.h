// SPDX-License-Identifier: MIT
// What people draw over a picture to measure or to point at something: in coordinates of
// its samples, before the view turns or mirrors it. No part of a recipe: engines never
// see it. Any thread.
#pragma once

#include "image/annotation/measurement.h"
#include "image/annotation/on_plane.h"

#define ODL_ANNOTATION_MAX_POINTS 128
#define ODL_ANNOTATION_MAX_OUTLINE 129
#define ODL_ANNOTATION_MAX_MEASURES 9
#define ODL_ANNOTATION_MAX_WORDS 512 // bytes of UTF-8, with the end

// Of a source without an end, whose frames do not come back.
#define ODL_EVERY_FRAME INT64_C (-1)

typedef struct _OdlAnnotationKind OdlAnnotationKind;

typedef struct {
  const OdlAnnotationKind *kind;
  unsigned id; // in its set, from 1; 0: in none yet
  int64_t frame; // frame or slice on which it lies, or ODL_EVERY_FRAME; on a plane of a
                 // volume the first slice of that
  OdlOnPlane on; // zero: it lies on the frame
  int n_points; // at least those of its kind
  OdlPoint points[ODL_ANNOTATION_MAX_POINTS]; // (0, 0): corner of the first sample, or of
                                              // the plane
  char words[ODL_ANNOTATION_MAX_WORDS]; // of a kind with words; see
                                        // odl_annotation_set_words
} OdlAnnotation;

// What of an annotation lies at a place: one of its points from 0 on, or one of these.
#define ODL_PART_LINE (-1)
#define ODL_PART_NONE (-2)

// Where the words of a kind come from.
typedef enum {
  ODL_WORDS_NONE, // it has none
  ODL_WORDS_TYPED, // somebody says them
  ODL_WORDS_FIXED, // they are always the same
  ODL_WORDS_COUNTED, // the number after the highest one of its set
  ODL_N_WORDS
} OdlWordsOrigin;

// A kind as a row. What draws, picks, moves, keeps, lists, reads and writes annotations
// works with it.
struct _OdlAnnotationKind {
  const char *name; // of its tool, its option, its icon and in what is written
  const char *title; // marked for translation
  const char *hint; // how it is drawn by pointer; marked for translation
  const char *numbers; // that describe one in text: "X1,Y1,X2,Y2", for people
  int n_points; // which all can be moved; of `many` at least
  int n_placed; // of these, the first ones, which are placed one after the other
  bool many; // it has as many points as are placed
  bool freehand; // which a drag places one after the other
  bool sized; // text gives width and height in the place of the second point
  bool samples; // its measures are also those of samples
  bool pointed; // its last point is the tip of an arrow
  OdlWordsOrigin origin; // of its words, which stand at its only point, or of two beside
                         // its line
  const char *words; // of ODL_WORDS_FIXED
  // Whether its words say what they have to; NULL: they may be any.
  bool (*has_sense) (const OdlAnnotation *annotation);
  bool scaled; // its measures need to know how large a pixel is
  // Puts the points that are not placed where they belong after `part` was moved; NULL:
  // there are none.
  void (*settle) (OdlAnnotation *annotation, int part);
  // Its lines, as one through all these points, at most ODL_ANNOTATION_MAX_OUTLINE;
  // returns how many. NULL: they lead through its points.
  int (*outline) (const OdlAnnotation *annotation, OdlPoint *line);
  // Values of its pixels, as odl_values_of has them; NULL: it has no samples. Transfer
  // full.
  GArray *(*values) (const OdlAnnotation *annotation,
                     const OdlImage *image,
                     const OdlImage *scaled);
  // Its measured values, at most ODL_ANNOTATION_MAX_MEASURES; returns how many. NULL: it
  // is drawn to point at something.
  int (*measure) (const OdlAnnotation *annotation,
                  const OdlSubject *subject,
                  OdlMeasurement *measures);
};

// One kind each, in a file of its own; two kinds of closed lines in one, and those that
// are words; that of calibration.h.
extern const OdlAnnotationKind odl_annotation_length;
extern const OdlAnnotationKind odl_annotation_angle;
extern const OdlAnnotationKind odl_annotation_ellipse;
extern const OdlAnnotationKind odl_annotation_polygon;
extern const OdlAnnotationKind odl_annotation_freehand;
extern const OdlAnnotationKind odl_annotation_profile;
extern const OdlAnnotationKind odl_annotation_point; // point_width.c
extern const OdlAnnotationKind odl_annotation_arrow;
extern const OdlAnnotationKind odl_annotation_text;
extern const OdlAnnotationKind odl_annotation_right;
extern const OdlAnnotationKind odl_annotation_left;
extern const OdlAnnotationKind odl_annotation_number;

// A mark of a frame as a whole, a key picture: it has no points and is not drawn, so that
// it is found by its name, but is not in the menu.
extern const OdlAnnotationKind odl_annotation_key;

// Values of the pixels of one with samples, as odl_values_of has them. Transfer full.
GArray *odl_annotation_values (const OdlAnnotation *annotation,
                               const OdlImage *image,
                               const OdlImage *scaled);

// Those that are drawn, in the order of the menu (NULL: beyond the last one); any of them
// by its name (NULL: no such kind).
const OdlAnnotationKind *odl_annotation_kind_at (size_t i);
const OdlAnnotationKind *odl_annotation_kind_find (const char *name);

// One with all placed points at `at`, and the words that its kind always has.
OdlAnnotation
odl_annotation_make (const OdlAnnotationKind *kind, int64_t frame, OdlPoint at);

// One by the numbers of its kind, separated by commas, in the C locale: "1,2,30.5,40";
// after those of a kind whose words differ come these: "1,2,words". False: these are
// others, or not finite, or there are no words.
bool odl_annotation_from_text (const OdlAnnotationKind *kind,
                               const char *text,
                               OdlAnnotation *annotation);

// One by its placed points alone: "x1,y1,x2,y2,…", never a size or words.
bool odl_annotation_from_points (const OdlAnnotationKind *kind,
                                 const char *text,
                                 OdlAnnotation *annotation);

// The numbers that odl_annotation_from_text makes the same from. Transfer full.
char *odl_annotation_to_numbers (const OdlAnnotation *annotation);

// Those of its points that text and files name.
int odl_annotation_placed (const OdlAnnotation *annotation);

// Whether it lies on the frame, or, unless `on` is NULL or zero, on that plane of the
// volume that begins with it.
bool odl_annotation_is_on (const OdlAnnotation *annotation,
                           int64_t frame,
                           const OdlOnPlane *on);

// It is words at a place, not a line.
bool odl_annotation_is_words (const OdlAnnotation *annotation);

// There is nothing to see or to measure: placed points that follow each other are one,
// or, of `many`, all are on one line, or it lacks its words, or they say nothing.
bool odl_annotation_is_empty (const OdlAnnotation *annotation);

// Gives it the words of `text`, which may be of any length and bytes: lines are apart by
// '\n', nothing blank ends them, and what has no room, is no letter or controls something
// is left out. False: some had no room.
bool odl_annotation_set_words (OdlAnnotation *annotation, const char *text);

// All its points and words are the same, whatever its id.
bool odl_annotation_is_same (const OdlAnnotation *a, const OdlAnnotation *b);

// As OdlAnnotationKind.outline.
int odl_annotation_outline (const OdlAnnotation *annotation, OdlPoint *line);

// The pixels of a picture of that size whose middle lies within its outline, by the
// even-odd rule: 1 in a rectangle of area[2] columns and area[3] rows from column area[0]
// and row area[1] on, row by row; NULL: there are none. Transfer full.
uint8_t *
odl_annotation_mask (const OdlAnnotation *annotation, int width, int height, int area[4]);

// As OdlAnnotationKind.measure, with the scale of the place where it lies: the region's,
// if the picture has regions with scales of their own.
int odl_annotation_measure (const OdlAnnotation *annotation,
                            const OdlSubject *subject,
                            OdlMeasurement *measures);

// The scale of the place where it lies, of those of `scale`.
OdlScale odl_annotation_scale (const OdlAnnotation *annotation, const OdlScale *scale);

// What it measures, for people: a line of the first value, then lines of the others; ""
// where it measures nothing; of words these. Transfer full.
char *odl_annotation_to_text (const OdlAnnotation *annotation, const OdlSubject *subject);

// Why its values do not become SUVbw, for people; NULL: they do, or are none of a PET
// picture. Transfer full.
char *odl_annotation_suv_unknown (const OdlAnnotation *annotation,
                                  const OdlSubject *subject);

// What has to be said beside its values; see odl_scale_note.
const char *odl_annotation_note (const OdlAnnotation *annotation, const OdlScale *scale);

// Moves one point to `to`, or, with ODL_PART_LINE, all by as much as leads from `from` to
// `to`; the points stay in a picture of that size, and a whole keeps its shape.
void odl_annotation_move (OdlAnnotation *annotation,
                          int part,
                          OdlPoint from,
                          OdlPoint to,
                          int width,
                          int height);

// What of it lies within `reach` of `at`, by `metric`: points first, the nearest one.
int odl_annotation_part_at (const OdlAnnotation *annotation,
                            OdlPoint at,
                            const OdlScale *metric,
                            double reach);
