/* SPDX-License-Identifier: MIT */
/* SHA-256 against the examples of FIPS 180-4 and of NIST's test vectors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/sha256.h"

static const struct {
    const char *text, *digest;
} known[] = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"\xd3", "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"},
    {"\xb4\x19\x0e", "dff2e73091f6c05e528896c4c831b9448653dc2ff043528f6769437bc7b975c2"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
     "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
};

static void examples(void **state)
{
    (void)state;
    char hex[CRD_SHA256_HEX];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        crd_sha256 hash;
        crd_sha256_start(&hash);
        crd_sha256_add(&hash, known[i].text, strlen(known[i].text));
        crd_sha256_end_hex(&hash, hex);
        assert_string_equal(hex, known[i].digest);
    }
}

/* However the bytes are cut. */
static void in_parts(void **state)
{
    (void)state;
    const char *text = known[5].text;
    char hex[CRD_SHA256_HEX];
    for (size_t a = 0; a <= strlen(text); a++)
        for (size_t b = a; b <= strlen(text); b += 7) {
            crd_sha256 hash;
            crd_sha256_start(&hash);
            crd_sha256_add(&hash, text, a);
            crd_sha256_add(&hash, text + a, b - a);
            crd_sha256_add(&hash, text + b, strlen(text) - b);
            crd_sha256_end_hex(&hash, hex);
            assert_string_equal(hex, known[5].digest);
        }
}

static void a_million(void **state)
{
    (void)state;
    char many[1000], hex[CRD_SHA256_HEX];
    crd_sha256 hash;
    memset(many, 'a', sizeof many);
    crd_sha256_start(&hash);
    for (int i = 0; i < 1000; i++) crd_sha256_add(&hash, many, sizeof many);
    crd_sha256_end_hex(&hash, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* The length decides where the padding goes: so many zeros. */
static void around_a_block(void **state)
{
    (void)state;
    static const struct {
        size_t zeros;
        const char *digest;
    } blocks[] = {{55, "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7"},
                  {56, "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb"},
                  {64, "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"},
                  {1000, "541b3e9daa09b20bf85fa273e5cbd3e80185aa4ec298e765db87742b70138a53"}};
    static const uint8_t zeros[1000];
    char hex[CRD_SHA256_HEX];
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        crd_sha256 hash;
        crd_sha256_start(&hash);
        crd_sha256_add(&hash, zeros, blocks[i].zeros);
        crd_sha256_end_hex(&hash, hex);
        assert_string_equal(hex, blocks[i].digest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples), cmocka_unit_test(in_parts),
                                       cmocka_unit_test(a_million), cmocka_unit_test(around_a_block)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
