// SPDX-License-Identifier: MIT
// Sizes that overflow, aligned memory, and freed memory that goes back to the system.
#include "base/memory.h"

#include "../../helpers/litter.h"

static void
products_that_overflow_are_refused (void)
{
  const size_t fits[] = { 1920, 1080, 4 }, too_much[] = { SIZE_MAX / 2, 3 };
  size_t product = 7;

  g_assert_false (odl_size_product (too_much, G_N_ELEMENTS (too_much), &product));
  g_assert_cmpuint (product, ==, 7);
  g_assert_true (odl_size_product (fits, G_N_ELEMENTS (fits), &product));
  g_assert_cmpuint (product, ==, 1920 * 1080 * 4);
}

static void
memory_is_aligned_and_zeroed (void)
{
  static const size_t sizes[] = { 1, 63, 64, 65, 100000, (size_t) 300 << 10, 5 << 20 };

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (int huge = 0; huge < 2; huge++) {
      unsigned char *data
          = huge ? odl_aligned_alloc_huge (sizes[i]) : odl_aligned_alloc (sizes[i]);
      g_assert_nonnull (data);
      g_assert_cmpuint ((uintptr_t) data % ODL_ALIGNMENT, ==, 0);
      for (size_t k = 0; k < sizes[i]; k++)
        g_assert_cmpuint (data[k], ==, 0);
      memset (data, 1, sizes[i]);
      odl_aligned_free (data);
    }
  g_assert_null (odl_aligned_alloc (SIZE_MAX - 8));
  g_assert_null (odl_aligned_alloc_huge (SIZE_MAX - 8));
}

static void
what_is_freed_can_be_given_back (void)
{
  OdlTestLitter litter;

  if (!ODL_LITTER_COUNTS) {
    g_test_skip ("this allocator keeps what is freed");
    return;
  }
  odl_test_litter_drop (&litter);
  const long kept = odl_test_resident_kb ();
  odl_memory_give_back ();
  const long after = odl_test_resident_kb ();
  g_test_message ("%ld KB before, %ld KB after", kept, after);
  g_assert_cmpint (kept - after, >, 20 * 1024);
  odl_test_litter_clear (&litter);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/memory/products-that-overflow-are-refused",
                   products_that_overflow_are_refused);
  g_test_add_func ("/base/memory/memory-is-aligned-and-zeroed",
                   memory_is_aligned_and_zeroed);
  g_test_add_func ("/base/memory/what-is-freed-can-be-given-back",
                   what_is_freed_can_be_given_back);
  return g_test_run ();
}
