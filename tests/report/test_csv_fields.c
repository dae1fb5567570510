/* SPDX-License-Identifier: MIT */
/* Fields of CSV (RFC 4180) and texts of XML, whatever bytes they have. */
#include "report/csv_fields.h"
#include "report/xml.h"
#include "tests/support/captured.h"
#include "tests/support/unit.h"

#include <math.h>
#include <string.h>

static void field(const char *separator, const char *text, const char *wanted)
{
    struct captured c;

    td_csv_field(captured_begin(&c), separator, text);
    CU_ASSERT_STRING_EQUAL(captured_text(&c), wanted);
    captured_end(&c);
}

static void fields(void)
{
    struct captured c;

    field(",", "", "");
    field(",", "a b;c", "a b;c");
    field(",", "a,b", "\"a,b\"");
    field(";", "a,b", "a,b");
    field(";", "a;b", "\"a;b\"");
    field(",", "say \"x\"", "\"say \"\"x\"\"\"");
    field(",", "a\nb", "\"a\nb\"");
    field(",", "a\rb", "\"a\rb\"");
    field("::", "a:b", "a:b"); /* of a separator of two characters one alone is none */
    field("::", "a::b", "\"a::b\"");
    td_csv_text(captured_begin(&c), ";", "x");
    CU_ASSERT_STRING_EQUAL(captured_text(&c), "x;");
    captured_end(&c);
    td_csv_text(captured_begin(&c), ";", NULL);
    CU_ASSERT_STRING_EQUAL(captured_text(&c), ";");
    captured_end(&c);
}

/* A field is cut after 1,024 characters. */
static void long_fields(void)
{
    static char text[1100], wanted[1100];

    for (size_t n = 1022; n <= 1026; n++) {
        const size_t kept = n < 1024 ? n : 1024;

        memset(text, 'a', n);
        text[n] = '\0';
        memset(wanted, 'a', kept);
        wanted[kept] = '\0';
        field(",", text, wanted);
        text[0] = ',';
        wanted[0] = '"';
        wanted[1] = ',';
        memset(wanted + 2, 'a', kept - 1);
        strcpy(wanted + kept + 1, "\"");
        field(",", text, wanted);
    }
}

static void number(const char *separator, double value, const char *wanted)
{
    struct captured c;

    td_csv_number(captured_begin(&c), separator, value);
    CU_ASSERT_STRING_EQUAL(captured_text(&c), wanted);
    captured_end(&c);
}

/* The shortest text that is the same number. */
static void numbers(void)
{
    number(",", 0, "0,");
    number(",", 1, "1,");
    number(",", 99999, "99999,");
    number(",", 100000, "100000,");
    number(",", 0.1, "0.1,");
    number(",", -2.5, "-2.5,");
    number(",", 1.5, "1.5,");
    number(",", (double)NAN, ",");
    number(",", (double)INFINITY, ",");
    number(".", 0.5, "\"0.5\"."); /* a separator that is in it */
    number(".", 12, "12.");
    number("-", -2, "\"-2\"-");
    number("1", 31, "\"31\"1");
    number("9", 39, "\"39\"9");
    number("0", 20, "\"20\"0");
    number("e", 1e300, "\"1e+300\"e");
    number("+", 1e300, "\"1e+300\"+");
    number("/", 2.5, "2.5/");
    number(":", 2.5, "2.5:");
}

static void xml(const char *text, const char *wanted)
{
    struct captured c;

    td_xml_put(captured_begin(&c), text);
    CU_ASSERT_STRING_EQUAL(captured_text(&c), wanted);
    captured_end(&c);
}

/* What is no text is shown by its bytes. */
static void xml_texts(void)
{
    xml("", "");
    xml("a b", "a b");
    xml("a<b>&\"c\"\n", "a&lt;b&gt;&amp;&quot;c&quot;&#10;");
    xml("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");
    xml("\x7f\xc2\x80<", "\\x7f\\xc2\\x80&lt;"); /* control characters, of one byte and of two */
    xml("~\xc2\xa0", "~\xc2\xa0");
    xml("\x80<", "\\x80&lt;");
    xml("\xff<", "\\xff&lt;");
    xml("\xc3<", "\\xc3&lt;");
    xml("\xf4\x90\x80\x81<", "\\xf4\\x90\\x80\\x81&lt;"); /* beyond the last character of Unicode */
    xml("\xf8\x80\x80\x80\x80", "\\xf8\\x80\\x80\\x80\\x80");
    xml("\x01", "\\x01");
}

static const CU_TestInfo tests[] = {
    {"fields", fields}, {"long fields", long_fields}, {"numbers", numbers}, {"XML", xml_texts}, CU_TEST_INFO_NULL,
};
UNIT_SUITE("fields of CSV, texts of XML", tests);
