/* SPDX-License-Identifier: MIT */
#include "mutate.h"

#include <string.h>

static size_t below(crd_rng *rng, size_t bound)
{
    return bound == 0 ? 0 : (size_t)(crd_rng_next(rng) % bound);
}

static void flip_bit(crd_fuzz_input *input, crd_rng *rng)
{
    if (input->size > 0) input->data[below(rng, input->size)] ^= (uint8_t)(1u << below(rng, 8));
}

static void set_byte(crd_fuzz_input *input, crd_rng *rng)
{
    if (input->size > 0) input->data[below(rng, input->size)] = (uint8_t)crd_rng_next(rng);
}

/* Sets numbers that break sizes, counts and offsets, in either byte order. */
static void set_integer(crd_fuzz_input *input, crd_rng *rng)
{
    static const int64_t interesting[] = {0,
                                          1,
                                          -1,
                                          2,
                                          127,
                                          128,
                                          255,
                                          256,
                                          32767,
                                          32768,
                                          65535,
                                          65536,
                                          INT32_MAX,
                                          INT32_MIN,
                                          UINT32_MAX,
                                          (int64_t)1 << 32,
                                          INT64_MAX,
                                          INT64_MIN,
                                          INT64_MAX / 8 + 1};
    size_t width = (size_t)1 << below(rng, 4);
    if (input->size < width) return;
    uint64_t value = (uint64_t)interesting[below(rng, sizeof interesting / sizeof *interesting)];
    size_t at = below(rng, input->size - width + 1);
    bool big = crd_rng_next(rng) & 1;
    for (size_t i = 0; i < width; i++) input->data[at + (big ? width - 1 - i : i)] = (uint8_t)(value >> (8 * i));
}

static void truncate_end(crd_fuzz_input *input, crd_rng *rng)
{
    input->size = below(rng, input->size + 1);
}

static void remove_part(crd_fuzz_input *input, crd_rng *rng)
{
    if (input->size == 0) return;
    size_t from = below(rng, input->size);
    size_t count = 1 + below(rng, input->size - from < 16 ? input->size - from : 16);
    memmove(input->data + from, input->data + from + count, input->size - from - count);
    input->size -= count;
}

static bool make_room(crd_fuzz_input *input, size_t room, size_t at, size_t count)
{
    if (count > room - input->size) return false;
    memmove(input->data + at + count, input->data + at, input->size - at);
    input->size += count;
    return true;
}

static void insert_bytes(crd_fuzz_input *input, size_t room, crd_rng *rng)
{
    size_t at = below(rng, input->size + 1), count = 1 + below(rng, 8);
    if (!make_room(input, room, at, count)) return;
    bool repeat = crd_rng_next(rng) & 1;
    uint8_t byte = (uint8_t)crd_rng_next(rng);
    for (size_t i = 0; i < count; i++) input->data[at + i] = repeat ? byte : (uint8_t)crd_rng_next(rng);
}

/* Inserts what text and header parsers stumble over. */
static void insert_token(crd_fuzz_input *input, size_t room, crd_rng *rng)
{
    static const char *const tokens[] = {"nan",
                                         "inf",
                                         "-1",
                                         "-0",
                                         "1e999",
                                         "9223372036854775808",
                                         "99999999999999999999",
                                         "4294967296",
                                         "2147483648",
                                         "0x10",
                                         ",",
                                         ",,",
                                         "\"",
                                         "\"\"",
                                         "\n",
                                         "\r\n",
                                         "\r",
                                         "\t",
                                         ";",
                                         ":",
                                         "#",
                                         "%",
                                         "[",
                                         "]",
                                         "{",
                                         "}",
                                         "(",
                                         ")",
                                         "'",
                                         "null",
                                         "0",
                                         "1:",
                                         ".",
                                         "\xff",
                                         "\xef\xbb\xbf",
                                         "\xed\xa0\x80",
                                         "<f8",
                                         ">i4",
                                         "|O",
                                         "<U5",
                                         "True",
                                         "False",
                                         "PK\x03\x04",
                                         "PK\x01\x02",
                                         "PK\x05\x06",
                                         "PK\x06\x06",
                                         "PK\x06\x07"};
    const char *token = tokens[below(rng, sizeof tokens / sizeof *tokens)];
    size_t at = below(rng, input->size + 1), count = strlen(token);
    if (make_room(input, room, at, count)) memcpy(input->data + at, token, count);
}

static void duplicate_part(crd_fuzz_input *input, size_t room, crd_rng *rng)
{
    if (input->size == 0) return;
    size_t from = below(rng, input->size), count = 1 + below(rng, input->size - from);
    if (!make_room(input, room, from, count)) return;
    memcpy(input->data + from, input->data + from + count, count);
}

static void splice(crd_fuzz_input *input, size_t room, const crd_fuzz_input *other, crd_rng *rng)
{
    if (other->size == 0) return;
    size_t keep = below(rng, input->size + 1), from = below(rng, other->size);
    size_t count = other->size - from;
    if (count > room - keep) count = room - keep;
    memcpy(input->data + keep, other->data + from, count);
    input->size = keep + count;
}

/* Changes one digit of a number in text: a count, an index or a shape. */
static void tweak_digit(crd_fuzz_input *input, crd_rng *rng)
{
    if (input->size == 0) return;
    size_t at = below(rng, input->size);
    for (size_t looked = 0; looked < input->size; looked++, at = (at + 1) % input->size)
        if (input->data[at] >= '0' && input->data[at] <= '9') {
            input->data[at] = (uint8_t) "0123456789-.e,"[below(rng, 14)];
            return;
        }
}

void crd_fuzz_mutate(crd_fuzz_input *input, size_t room, const crd_fuzz_input *other, crd_rng *rng)
{
    switch (below(rng, 10)) {
    case 0:
        flip_bit(input, rng);
        break;
    case 1:
        set_byte(input, rng);
        break;
    case 2:
        set_integer(input, rng);
        break;
    case 3:
        truncate_end(input, rng);
        break;
    case 4:
        remove_part(input, rng);
        break;
    case 5:
        insert_bytes(input, room, rng);
        break;
    case 6:
        insert_token(input, room, rng);
        break;
    case 7:
        duplicate_part(input, room, rng);
        break;
    case 8:
        splice(input, room, other, rng);
        break;
    default:
        tweak_digit(input, rng);
        break;
    }
}
