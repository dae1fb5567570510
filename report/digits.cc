// SPDX-License-Identifier: MIT
// Numbers as text by std::to_chars. By printf() and strtod(), which must try three precisions, a line of a recording
// takes 41,400 instructions from perf's CSV to JSON instead of 7,300, and 10,200 to CSV instead of 5,300. The only file
// in C++, because C has no such function.
#include "report/digits.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace
{

const uint64_t powers[] = {1, 10, 100, 1000};
const char pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748"
    "4950515253545556575859606162636465666768697071727374757677787980818283848586878889909192939495969798"
    "99";

// IEEE 754 binary64
const int fraction_bits = 52, exponent_bias = 1075; // with the fraction as an integer
const uint64_t fraction_mask = (UINT64_C(1) << fraction_bits) - 1;

uint64_t bits_of(double value)
{
    uint64_t bits;

    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
}

// Whether to_chars()'s digits, the shortest that read back, may differ from those of
// printf(): below 2^-1022, where fewer than 15 may suffice, and at a power of two, where a number
// further away than the nearest one with 16 digits may still read back.
bool is_uneven(double value)
{
    const uint64_t bits = bits_of(value);

    return !(bits & fraction_mask) || !(bits >> fraction_bits & 0x7ff);
}

char *by_trial(double value, char *out)
{
    for (int precision = 15;; precision++) {
        const std::to_chars_result end =
            std::to_chars(out, out + TD_DIGITS_SHORTEST, value, std::chars_format::general, precision);
        double again = 0;

        std::from_chars(out, end.ptr, again);
        if (precision == 17 || again == value)
            return end.ptr;
    }
}

char *put(char *out, const char *bytes, int n)
{
    std::memcpy(out, bytes, static_cast<size_t>(n));
    return out + n;
}

char *put_zeros(char *out, int n)
{
    while (n--) // mostly none
        *out++ = '0';
    return out;
}

// Writes n digits, the first of them worth 10^exponent, without an exponent.
char *put_plain(char *out, const char *digit, int n, int exponent)
{
    if (exponent < 0) {
        out = put(out, "0.", 2);
        out = put_zeros(out, -exponent - 1);
        return put(out, digit, n);
    }
    if (exponent >= n - 1)
        return put_zeros(put(out, digit, n), exponent - n + 1);
    out = put(out, digit, exponent + 1);
    *out++ = '.';
    return put(out, digit + exponent + 1, n - exponent - 1);
}

} // namespace

char *td_digits_integer(uint64_t value, char *out)
{
    return std::to_chars(out, out + TD_DIGITS_INTEGER, value).ptr;
}

char *td_digits_padded(uint32_t value, int n, char *out)
{
    size_t left = static_cast<size_t>(n);

    for (; left > 1; left -= 2, value /= 100)
        std::memcpy(out + left - 2, pairs + size_t{2} * (value % 100), 2);
    if (left)
        *out = static_cast<char>('0' + value % 10);
    return out + n;
}

char *td_digits_shortest(double value, char *out)
{
    char text[TD_DIGITS_SHORTEST], *at = text; // d.ddde+dd
    const char *end = std::to_chars(text, text + sizeof(text), std::fabs(value), std::chars_format::scientific).ptr;
    const char *e = end[-4] == 'e' ? end - 4 : end - 5; // two or three digits
    const int n = e - text > 1 ? static_cast<int>(e - text) - 1 : 1;
    int exponent = 0;

    if (is_uneven(value) && (n > 15 || value == 0 || std::fabs(value) < 0x1p-1022))
        return by_trial(value, out);
    for (const char *digit = e + 2; digit < end; digit++)
        exponent = 10 * exponent + (*digit - '0');
    if (e[1] == '-')
        exponent = -exponent;
    if (std::signbit(value))
        *out++ = '-';
    if (exponent < -4 || exponent >= (n > 15 ? n : 15)) // C11 7.21.6.1, %g
        return put(out, text, static_cast<int>(end - text));
    if (n > 1)
        *++at = *text; // skips the point: the digits become contiguous
    return put_plain(out, at, n, exponent);
}

char *td_digits_fixed(double value, int decimals, char *out)
{
    const uint64_t bits = bits_of(value);
    const int shift = exponent_bias - static_cast<int>(bits >> fraction_bits & 0x7ff); // value is a fraction / 2^shift
    uint64_t scaled, whole = 0;

    if (shift < 0 || decimals > 3)
        return std::to_chars(out, out + TD_DIGITS_FIXED, value, std::chars_format::fixed, decimals).ptr;
    scaled = ((bits & fraction_mask) | (fraction_mask + 1)) * powers[decimals]; // below 2^63
    if (shift < 64) { // otherwise it is less than a half
        const uint64_t unit = UINT64_C(1) << shift, rest = scaled & (unit - 1);

        whole = scaled >> shift;
        whole += 2 * rest > unit || (2 * rest == unit && (whole & 1)); // to even, like printf()
    }
    if (std::signbit(value))
        *out++ = '-';
    out = td_digits_integer(whole / powers[decimals], out);
    if (!decimals)
        return out;
    *out++ = '.';
    return td_digits_padded(static_cast<uint32_t>(whole % powers[decimals]), decimals, out);
}
