// SPDX-License-Identifier: MIT
#include "engine/prices.h"

#include "config.h"
#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/cache_file.h"

#define MOST_KEYS 16
#define MOST_BYTES (64 * 1024)

// Smaller kernels go by products everywhere.
#define LEAST_COEFFICIENTS 25

static const OdlPrices shipped = { 1, 1, false };

bool
odl_prices_are_asked (const char *word)
{
  return g_strcmp0 (g_getenv ("ODL_PRICES"), word) == 0;
}

// ---- what is kept --------------------------------------------------------------------

// A group of the file is one key:
//   [digest of the key]
//   key=…
//   measured=SECONDS   since 1970
//   attempts=NUMBER    that were begun
//   pictures=NUMBER    times as dear as shipped
//   volumes=NUMBER
static char *
key_of (const char *device)
{
  return g_strdup_printf ("%s; %s", device, ODL_VERSION);
}

char *
odl_prices_path (void)
{
  return odl_cache_file_path ("prices.ini");
}

char *
odl_prices_device (const char *gpu)
{
  const size_t length = strcspn (gpu, ";");
  const char *driver = gpu + length + (gpu[length] != '\0');
  const char *const left_out[] = { " ", "OpenGL ES ", NULL };

  for (int i = 0; left_out[i] != NULL; i++)
    if (g_str_has_prefix (driver, left_out[i]))
      driver += strlen (left_out[i]);
  driver += strcspn (driver, " ");
  const char *profile = strstr (driver, "Profile) ");
  if (profile != NULL)
    driver = profile + strlen ("Profile)");
  return g_strdup_printf ("%.*s;%s", (int) length, gpu, driver);
}

static bool
read_price (GKeyFile *file, const char *group, const char *name, double *price)
{
  *price = g_key_file_get_double (file, group, name, NULL);
  return isfinite (*price) && *price >= 1 / ODL_PRICES_MOST && *price <= ODL_PRICES_MOST;
}

bool
odl_prices_load (const char *path, const char *device, OdlPrices *prices)
{
  g_autoptr (GKeyFile) file = odl_cache_file_open (path, MOST_BYTES);
  g_autofree char *key = key_of (device);
  g_autofree char *group = odl_cache_file_group (key);
  OdlPrices kept = { .is_measured = true };

  *prices = shipped;
  if (!odl_cache_file_knows (file, group, key)
      || !read_price (file, group, "pictures", &kept.pictures)
      || !read_price (file, group, "volumes", &kept.volumes))
    return false;
  *prices = kept;
  return true;
}

// NULL: changes the number of attempts, unless there are `most`.
static bool
write_prices (const char *path,
              const char *device,
              const OdlPrices *prices,
              int change,
              int most,
              GError **error)
{
  g_autoptr (GKeyFile) file = odl_cache_file_open (path, MOST_BYTES);
  g_autofree char *key = key_of (device);
  g_autofree char *group = odl_cache_file_group (key);
  const int attempts = odl_cache_file_knows (file, group, key)
                           ? g_key_file_get_integer (file, group, "attempts", NULL)
                           : 0;

  if (attempts >= most)
    return false;
  odl_cache_file_begin_group (file, group, key, MOST_KEYS);
  g_key_file_set_int64 (file, group, "measured", g_get_real_time () / G_USEC_PER_SEC);
  g_key_file_set_integer (file, group, "attempts",
                          prices != NULL ? 0 : MAX (attempts, 0) + change);
  if (prices != NULL) {
    g_key_file_set_double (file, group, "pictures", prices->pictures);
    g_key_file_set_double (file, group, "volumes", prices->volumes);
  }
  return odl_cache_file_save (file, path,
                              _ ("what convolutions cost here cannot be kept"), error);
}

bool
odl_prices_begin (const char *path, const char *device, int most, GError **error)
{
  return write_prices (path, device, NULL, 1, most, error);
}

bool
odl_prices_withdraw (const char *path, const char *device, GError **error)
{
  return write_prices (path, device, NULL, -1, G_MAXINT, error);
}

bool
odl_prices_save (const char *path,
                 const char *device,
                 const OdlPrices *prices,
                 GError **error)
{
  return write_prices (path, device, prices, 0, G_MAXINT, error);
}

// ---- what they decide ----------------------------------------------------------------

void
odl_prices_take (OdlEngine *engine)
{
  g_autofree char *path = odl_prices_path ();

  engine->prices = shipped;
  if (engine->device != NULL && !engine->is_variant && !odl_prices_are_asked ("shipped"))
    odl_prices_load (path, engine->device, &engine->prices);
}

bool
odl_prices_favour_fourier (const OdlPrices *prices, double gain, bool deep)
{
  return gain > (deep ? prices->volumes : prices->pictures);
}

bool
odl_prices_matter (const OdlPlan *plan)
{
  for (int i = 0; i < plan->n_steps; i++) {
    const OdlStep *step = &plan->steps[i];
    if (step->kernel_width * step->kernel_height * step->kernel_depth
        >= LEAST_COEFFICIENTS)
      return true;
  }
  return false;
}
