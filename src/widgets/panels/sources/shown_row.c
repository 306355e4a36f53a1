// SPDX-License-Identifier: MIT
#include "widgets/panels/sources/shown_row.h"

#include "base/text.h"
#include "session/browse/cameras.h"
#include "session/browse/folder.h"
#include "widgets/panels/sources/source_cameras.h"
#include "widgets/panels/sources/source_item.h"
#include "widgets/panels/sources/study_rows.h"

// A stack is one of the series; where files are listed, that of which it was made.
static const char *
row_of_series (OdlSession *session, const char *file, const GPtrArray *studies)
{
  return file && studies ? odl_study_rows_find (
             studies, file, odl_session_detail (session, "series-instance"))
                         : file;
}

char *
odl_shown_file (const char *location)
{
  const size_t inner
      = g_file_test (location, G_FILE_TEST_EXISTS) ? 0 : odl_text_before_inner (location);
  return inner > 0 ? g_strndup (location, inner) : g_strdup (location);
}

// What is in a file stands in the list as that file.
static guint
find_file (GListModel *rows, const char *location)
{
  const guint index = odl_source_item_find (rows, location);
  if (index != GTK_INVALID_LIST_POSITION || !location)
    return index;
  g_autofree char *file = odl_shown_file (location);
  return odl_source_item_find (rows, file);
}

guint
odl_shown_row (GListModel *rows,
               OdlSession *session,
               const char *failed,
               const GPtrArray *studies)
{
  if (failed)
    return odl_camera_is_location (failed) ? odl_source_cameras_find_row (rows, failed)
                                           : find_file (rows, failed);
  const char *shown = odl_session_info (session)->location;
  if (odl_session_info (session)->capture) {
    g_autofree char *camera
        = odl_camera_location (odl_session_detail (session, "camera"), NULL);
    return odl_source_item_find (rows, camera);
  }
  if (shown && g_str_has_prefix (shown, "volume:")) // its frames, taken for slices
    shown += strlen ("volume:");
  const guint index = find_file (rows, shown);
  const char *file = shown ? odl_folder_file_of_series (shown) : NULL;
  return index != GTK_INVALID_LIST_POSITION
             ? index
             : odl_source_item_find (rows, row_of_series (session, file, studies));
}
