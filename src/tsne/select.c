#include "tsne/select.h"

static void exchange(uint64_t *a, uint64_t *b)
{
    const uint64_t a_was = *a;
    *a = *b;
    *b = a_was;
}

/* Hoare's. */
void crd_select_smallest(uint64_t *item, int64_t count, int64_t wanted)
{
    int64_t low = 0, high = count - 1;
    while (low < high) {
        const uint64_t a = item[low], b = item[low + (high - low) / 2], c = item[high];
        const uint64_t pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
        int64_t i = low, j = high;
        while (i <= j) {
            while (item[i] < pivot) i++;
            while (item[j] > pivot) j--;
            if (i <= j) exchange(&item[i++], &item[j--]);
        }
        if (wanted - 1 <= j)
            high = j;
        else if (wanted - 1 >= i)
            low = i;
        else
            return;
    }
}
