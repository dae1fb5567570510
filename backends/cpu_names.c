/* SPDX-License-Identifier: MIT */
/* CPUs by the names that they are sold under, as /proc/cpuinfo ("model name"), lscpu and hypervisors print them. */
#include "backends/find_identity.h"

#include "backends/rows.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Patterns of fnmatch(3) for the whole text in small letters, with single blanks, and the row or id that each stands
 * for. The first that fits is taken. No row: such CPUs have no top-down events, or their names alone do not tell which
 * they are. */
static const struct {
    const char *pattern, *row;
} sold[] = {
    {"*xeon* phi* 72[0-9][0-9]*", "knl"},
    {"*xeon* phi*", NULL},
    {"*xeon*cpu [3-9][0-9][0-9][0-9]*", NULL}, /* 5160, 7140M: before Core i7; later ones have Gold and the like */
    {"*xeon* gold 51[0-9][0-9]*", "skx"},
    {"*xeon* 51[0-9][0-9]*", NULL}, /* Gold, or of 2006 */
    {"*xeon* 63[0-9][0-9]p*", NULL}, /* as Core i9-14900 without its E-cores */
    {"*xeon*(skylake*", "skx"},
    {"*xeon*(cascadelake*", "clx"},
    {"*xeon*(icelake*", "icx"},
    {"*xeon*(sapphirerapids*", "spr"},
    {"*xeon*(graniterapids*", "gnr"},
    {"*xeon*(broadwell*", "bdx"},
    {"*xeon*(haswell*", "hsx"},
    {"*xeon*e[57]-[0-9]* v4*", "bdx"},
    {"*xeon*e[57]-[0-9]* v3*", "hsx"},
    {"*xeon*e[57]-[0-9]* v2*", "ivt"},
    {"*xeon*e5-[0-9]*", "jkt"},
    {"*xeon*e3-[0-9]* v[56]*", "skl"},
    {"*xeon*e3-[0-9]* v4*", "bdw"},
    {"*xeon*e3-[0-9]* v3*", "hsw"},
    {"*xeon*e3-[0-9]* v2*", "ivb"},
    {"*xeon*e3-12*", "snb"},
    {"*xeon* d-1[56]*", "bdw-de"},
    {"*xeon* d-21*", "skx"},
    {"*xeon* d-[12][78]*", "icx"},
    {"*xeon* e-2[12]*", "skl"},
    {"*xeon* e-23*", "rkl"},
    {"*xeon* w-[23]1*", "skx"},
    {"*xeon* w-[23]2*", "clx"},
    {"*xeon* w-33*", "icx"},
    {"*xeon* w-12[0-9][0-9]*", "skl"},
    {"*xeon* w-13[0-9][0-9]*", "rkl"},
    {"*xeon* w-10[0-9][0-9][0-9]m*", "skl"},
    {"*xeon* w-11[0-9][0-9][0-9]m*", "tgl"},
    {"*xeon* w[3579]-[23][45]*", "spr"},
    {"*xeon* max* 94[0-9][0-9]*", "spr-hbm"},
    {"*xeon* 6[3579][0-9][0-9]p*", "gnr"},
    {"*xeon* 6[79][0-9][0-9]e*", "srf"},
    {"*xeon* [3468]1[0-9][0-9]*", "skx"},
    {"*xeon* [3-9]2[0-9][0-9]*", "clx"},
    {"*xeon* [3-9]3[0-9][0-9]h*", "clx"},
    {"*xeon* [3-9]3[0-9][0-9]*", "icx"},
    {"*xeon* [3-9]4[0-9][0-9]*", "spr"},
    {"*xeon* [3-9]5[0-9][0-9]*", "emr"},
    {"*core* ultra [3579] 1[0-9][0-9][hu]*", "mtl"},
    {"*core* ultra [3579] 2[0-9][0-9]v*", "lnl"},
    {"*core* ultra [3579] 2[0-9][0-9]*", "arl"},
    {"*core* ultra [3579] 3[0-9][0-9]*", "ptl"},
    {"*core* i[3579]-1[234][0-9][0-9][0-9]*", "adl"},
    {"*core* i[3579]-1[234][0-9][0-9][up]*", "adl"},
    {"*core* i[3579]-11[0-9][0-9]g*", "tgl"},
    {"*core* i[3579]-11[0-9][0-9][0-9]h*", "tgl"},
    {"*core* i[3579]-11[0-9][0-9][0-9]b*", "tgl"},
    {"*core* i9-11[0-9][0-9][0-9]kb*", "tgl"},
    {"*core* i[3579]-11[0-9][0-9][0-9]*", "rkl"},
    {"*core* i[3579]-10[0-9][0-9]g*", "icl"},
    {"*core* i9-10[0-9][0-9]0x*", "clx"},
    {"*core* i[3579]-10[0-9][0-9][0-9]*", "skl"},
    {"*core* i[79]-[79][89][0-9]0x*", "skx"},
    {"*core* i7-5[89][0-9]0[kx]*", "hsx"},
    {"*core* i7-6[89][0-9]0[kx]*", "bdx"},
    {"*core* i7-4[89][0-9]0[kx]*", "ivt"},
    {"*core* i7-3820 *", "jkt"}, /* not 3820QM and 3940XM, of laptops */
    {"*core* i7-3930k*", "jkt"},
    {"*core* i7-39[67]0x*", "jkt"},
    {"*core* i3-8121u*", NULL}, /* Cannon Lake */
    {"*core* i[3579]-[6789][0-9][0-9][0-9]*", "skl"},
    {"*core* i[357]-5[0-9][0-9][0-9]*", "bdw"},
    {"*core* i[357]-4[0-9][0-9][0-9]*", "hsw"},
    {"*core* i[357]-3[0-9][0-9][0-9]*", "ivb"},
    {"*core* i[357]-2[0-9][0-9][0-9]*", "snb"},
    {"*intel(r) n[59]7 *", "adl-n"},
    {"*intel(r) n95 *", "adl-n"},
    {"*intel(r) n[12]00 *", "adl-n"},
    {"*core* i3-n30[05] *", "adl-n"},
    {"*core* 3 n355 *", "adl-n"},
    {"*epyc* 7[0-9][0-9]1*", "zen1"},
    {"*epyc* 7[0-9a-z][0-9a-z]2*", "zen2"},
    {"*epyc* 7[0-9a-z][0-9a-z]3*", "zen3"},
    {"*epyc* [489][0-9a-z][0-9a-z]4*", "zen4"},
    {"*epyc* [489][0-9a-z][0-9a-z]5*", "zen5"},
    {"*ryzen* 9[0-9][0-9]0x*", "zen5"},
    {"*ryzen* 7[5679][0-9]0x*", "zen4"},
    {"*ryzen* 7[0-9]4[0-9][hu]*", "zen4"},
    {"*ryzen* 5[5-9][0-9]0x*", "zen3"},
    {"*ryzen* 3[1-9][0-9]0x*", "zen2"},
    {"* neoverse-n1 *", "neoverse-n1"},
    {"*neoverse-n2 r0p[0-2]*", "neoverse-n2-r0p2"},
    {"*neoverse-n2 r[0-9]p[0-9]*", "neoverse-n2-r0p3"},
    {"* neoverse-n2 *", "neoverse-n2"},
    {"* neoverse-n3 *", "neoverse-n3"},
    {"* neoverse-v1 *", "neoverse-v1"},
    {"* neoverse-v2 *", "neoverse-v2"},
    {"* neoverse-v3 *", "neoverse-v3"},
    {"*graviton2[!0-9]*", "neoverse-n1"},
    {"*graviton3[!0-9]*", "neoverse-v1"},
    {"*graviton4[!0-9]*", "neoverse-v2"},
    {"*ampere* altra *", "neoverse-n1"},
    {"*kunpeng-920*", "hip08"},
};

enum { TEXT = 160 };

/* The number after the word, which a ':' may follow. */
static bool number_after(const char *text, const char *word, unsigned long *out)
{
    for (const char *at = text; (at = strstr(at, word)); at++) {
        const char *value = at + strlen(word);

        value += strspn(value, " \t:");
        if (isdigit((unsigned char)*value)) {
            *out = strtoul(value, NULL, 10);
            return true;
        }
    }
    return false;
}

/* Makes an id of lscpu's "Vendor ID: GenuineIntel, CPU family: 6, Model: 143, Stepping: 8", or of cpuinfo's "vendor_id
 * : GenuineIntel ...". */
static bool by_numbers(const char *text, char *id, size_t size)
{
    const char *vendor = strstr(text, "authenticamd")   ? "AuthenticAMD"
                         : strstr(text, "genuineintel") ? "GenuineIntel"
                                                        : NULL;
    unsigned long family, model, stepping;

    if (!vendor || !number_after(text, "family", &family) || !number_after(text, "model", &model))
        return false;
    if (number_after(text, "stepping", &stepping))
        snprintf(id, size, "%s-%lu-%lX-%lX", vendor, family, model, stepping);
    else
        snprintf(id, size, "%s-%lu-%lX", vendor, family, model);
    return true;
}

bool td_cpu_sold_as(const char *text, char *name, size_t size)
{
    char small[TEXT] = " "; /* words are between blanks, the first and the last one too */
    size_t n = 1;

    for (; *text && n + 2 < sizeof(small); text++) /* "CPU            5120" as with one blank */
        if (*text != ' ' || small[n - 1] != ' ')
            small[n++] = (char)tolower((unsigned char)*text);
    small[n++] = ' ';
    small[n] = '\0';
    if (by_numbers(small, name, size))
        return true;
    for (size_t i = 0; i < TD_LENGTH(sold); i++)
        if (!fnmatch(sold[i].pattern, small, 0)) {
            snprintf(name, size, "%s", sold[i].row ? sold[i].row : "");
            return sold[i].row != NULL;
        }
    return false;
}
