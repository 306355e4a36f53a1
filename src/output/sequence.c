// SPDX-License-Identifier: MIT
#include "output/sequence.h"

#include <inttypes.h>
#include <string.h>

// Position of the number in a pattern. The pattern is never passed to printf, since
// names may hold any text.
typedef struct {
  const char *begin; // NULL: none
  const char *end;
  int digits;
} Place;

static Place
find_place (const char *path)
{
  const char *slash = strrchr (path, G_DIR_SEPARATOR);

  for (const char *at = strchr (slash != NULL ? slash : path, '%'); at != NULL;
       at = strchr (at + 1, '%')) {
    Place place = { .begin = at, .digits = 1 };
    if (at[1] == 'd')
      place.end = at + 2;
    else if (at[1] == '0' && at[2] >= '1' && at[2] <= '9' && at[3] == 'd')
      place = (Place){ at, at + 4, at[2] - '0' };
    if (place.end != NULL)
      return place;
  }
  return (Place){ 0 };
}

bool
odl_sequence_is_pattern (const char *path)
{
  const Place place = find_place (path);

  return place.begin != NULL && find_place (place.end).begin == NULL;
}

char *
odl_sequence_name (const char *pattern, gint64 index)
{
  const Place place = find_place (pattern);

  g_return_val_if_fail (place.begin != NULL && index >= 0, NULL);
  return g_strdup_printf ("%.*s%0*" PRId64 "%s", (int) (place.begin - pattern), pattern,
                          place.digits, index, place.end);
}
