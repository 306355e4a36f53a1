// SPDX-License-Identifier: MIT
// One entry of the source panel. Main thread.
#pragma once

#include <gdk/gdk.h>
#include <stdbool.h>

#define ODL_TYPE_SOURCE_ITEM (odl_source_item_get_type ())
G_DECLARE_FINAL_TYPE (OdlSourceItem, odl_source_item, ODL, SOURCE_ITEM, GObject)

typedef enum {
  ODL_THUMBNAIL_NONE,
  ODL_THUMBNAIL_REQUESTED,
  ODL_THUMBNAIL_MADE,
  ODL_THUMBNAIL_FAILED,
  ODL_THUMBNAIL_SAVED_LOOK, // no picture, but how others are looked at
  ODL_THUMBNAIL_REPORT, // no picture, but words and numbers
  ODL_THUMBNAIL_KEYS, // no picture, but which ones are key pictures
  ODL_THUMBNAIL_OUTLINES, // no picture, but what was outlined in others
  ODL_THUMBNAIL_CAMERA, // no picture: looking would switch the camera on
  ODL_THUMBNAIL_PATIENT, // heads rows; opens the first series below it
  ODL_THUMBNAIL_STUDY, // so does this one
} OdlThumbnailState;

OdlSourceItem *odl_source_item_new (const char *location, const char *name);
// Of a study: the same with another location of a picture that shows what it is.
OdlSourceItem *
odl_source_item_new_of (const char *location, const char *picture, const char *name);
bool odl_source_item_is_heading (OdlSourceItem *item);
// Whether it says something of pictures, in a list of studies; then the location is that
// of its file.
bool odl_source_item_is_object (OdlSourceItem *item);
// How many headings it stands below: none of a file or patient, one of a study.
int odl_source_item_depth (OdlSourceItem *item);
const char *odl_source_item_picture (OdlSourceItem *item);
// Takes the thumbnail from another location; to be called before the item is shown.
void odl_source_item_set_picture (OdlSourceItem *item, const char *picture);
const char *odl_source_item_location (OdlSourceItem *item);
const char *odl_source_item_name (OdlSourceItem *item);

// Index of a location in a list of items, or GTK_INVALID_LIST_POSITION.
guint odl_source_item_find (GListModel *items, const char *location);
GdkTexture *odl_source_item_thumbnail (OdlSourceItem *item); // may be NULL

// Notifies "state".
OdlThumbnailState odl_source_item_state (OdlSourceItem *item);
void odl_source_item_set_thumbnail (OdlSourceItem *item,
                                    OdlThumbnailState state,
                                    GdkTexture *thumbnail);

// That there is no picture of it: it failed, or is no picture but sound.
void odl_source_item_set_no_picture (OdlSourceItem *item);
// Whether the file of a location, which need not be among the items, cannot be opened.
void odl_source_item_set_broken (GListModel *items, const char *location, bool broken);

// How many key pictures it has. Notifies "state".
int odl_source_item_n_keys (OdlSourceItem *item);
void odl_source_item_set_n_keys (OdlSourceItem *item, int n_keys);

// The end of its name, which says how much it has; "": it has no such end. Notifies
// "state".
const char *odl_source_item_count (OdlSourceItem *item);
void odl_source_item_set_count (OdlSourceItem *item, const char *count);

// Another name for the same; notifies "state", too.
void odl_source_item_set_name (OdlSourceItem *item, const char *name);

// What a search looks through, lines of which one has to have all words, without case and
// accents; its name, at first. Of headings those of all rows below them.
char *odl_source_item_fold (const char *text); // transfer full
const char *odl_source_item_words (OdlSourceItem *item);
void odl_source_item_set_words (OdlSourceItem *item, const char *words);
