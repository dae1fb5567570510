/* SPDX-License-Identifier: MIT */
/* Samples in the kernel: its own functions, those of modules, and those that it made while it ran. Addresses and names
 * are chosen here; kallsyms, the notes and the module's file are made below a root of the test's own. */
#include "include/td_samples.h"

#include "symbols/symbols.h"
#include "tests/support/sampled_file.h"
#include "tests/support/source.h"
#include "tests/support/unit.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KSYMBOL = 17, BUILD_ID = 67, FINISHED_ROUND = 68, ID_SIZE = 20 };
enum { BPF = 1, UNREGISTER = 1 };

static const uint64_t text = 0xffffffff81000000, module = 0xffffffffc0000000, made = 0xffffffffc0100000;
static const char module_path[] = "/lib/modules/6.1/net-x.ko";

/* ---- the recording ---------------------------------------------------------------------------- */

struct recording {
    struct sampled_file f;
    struct sampled_file_sample s;
};

static void begin(struct recording *r)
{
    sampled_file_begin(&r->f, 1000000, 0);
    r->s = (struct sampled_file_sample){.member = SAMPLED_FILE_FIRST, .time = 1000, .kernel = true};
}

static void hit(struct recording *r, uint64_t address)
{
    r->s.time += 1000;
    r->s.address = address;
    for (size_t i = 0; i < SAMPLED_FILE_MEMBERS; i++)
        r->s.value[i] += 4000;
    sampled_file_sample(&r->f, &r->s);
}

static void function(struct recording *r, uint64_t start, uint64_t size, unsigned flags, const char *name)
{
    r->s.time++;
    sampled_file_record(&r->f, KSYMBOL, 0, r->s.time,
                        (const uint64_t[]){start, size | (uint64_t)BPF << 32 | (uint64_t)flags << 48}, 2, name);
}

/* The pid, the build-id (bytes of one value) in 24 bytes, and the name, which is at a multiple of 4. */
static void build_id(struct recording *r, unsigned byte, const char *path)
{
    const uint64_t four = byte * UINT64_C(0x01010101), eight = four << 32 | four;
    char name[64];
    uint32_t front;

    snprintf(name, sizeof(name), "%s", path);
    memcpy(&front, name, sizeof(front)); /* it is before the end of a number */
    sampled_file_record(&r->f, BUILD_ID, 0, 0,
                        (const uint64_t[]){four << 32 | 0xffffffff, eight, eight, (uint64_t)front << 32}, 4, name + 4);
}

static void map(struct recording *r, uint64_t start, uint64_t size, uint64_t offset, const char *path)
{
    r->s.time++;
    sampled_file_map(&r->f, r->s.time, &(struct sampled_file_mapping){start, size, offset, true, path});
}

/* Of two of them, what was before the first is used at the second. */
static void finish_round(struct recording *r)
{
    sampled_file_record(&r->f, FINISHED_ROUND, 0, 0, NULL, 0, NULL);
}

/* What each interval is of, with a space after it; the number of different ones. */
static size_t places(struct recording *r, enum td_samples_by by, const char *root, char *out, size_t size)
{
    struct td *td = td_new();
    struct source s;
    const struct td_result *result;
    size_t n = 0;
    int err;

    sampled_file_end(&r->f);
    s = (struct source){(const char *)r->f.b, r->f.n, r->f.n, 0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(td);
    CU_ASSERT_EQUAL_FATAL(td_set_uarch(td, "spr"), 0);
    CU_ASSERT_EQUAL_FATAL(td_set_samples_by(td, by), 0);
    CU_ASSERT_EQUAL_FATAL(td_set_symbols(td, root), 0);
    CU_ASSERT_EQUAL_FATAL(td_open(td, "f", source_read, &s), 0);
    for (*out = '\0'; !(err = td_next(td, &result));)
        snprintf(out + strlen(out), size - strlen(out), "%s ", td_result_scope(result));
    CU_ASSERT_EQUAL(err, -ENODATA);
    while (!td_summary(td, n, &result))
        n++;
    td_free(td);
    sampled_file_free(&r->f);
    return n;
}

static void functions(struct recording *r, const char *root, char *out, size_t size)
{
    places(r, TD_SAMPLES_BY_ADDRESS, root, out, size);
}

/* ---- what the kernel made while it ran ---------------------------------------------------------- */

/* In the kernel's own mapping and outside of all, registered twice at one place, and removed. */
static void made_functions(void)
{
    struct recording r;
    char out[512];

    begin(&r);
    map(&r, text, 0x50000000, text, "[kernel.kallsyms]_text");
    hit(&r, made + 8);
    function(&r, made, 16, 0, "bpf_prog_1");
    function(&r, made + 16, 16, 0, "bpf_prog_2");
    hit(&r, made + 15);
    hit(&r, made + 16);
    hit(&r, made + 32);
    function(&r, made + 16, 16, UNREGISTER, "bpf_prog_2");
    hit(&r, made + 16);
    hit(&r, made);
    function(&r, made, 16, 0, "bpf_prog_3");
    hit(&r, made);
    function(&r, 0x1000, 16, 0, "trampoline");
    hit(&r, 0x100f);
    function(&r, 0x1000, 16, UNREGISTER, "trampoline");
    hit(&r, 0x100f);
    functions(&r, NULL, out, sizeof(out));
    CU_ASSERT_STRING_EQUAL(
        out,
        "[kernel+0xffffffffc0100008] bpf_prog_1 bpf_prog_2 [kernel+0xffffffffc0100020] [kernel+0xffffffffc0100010] bpf_prog_1 bpf_prog_3 "
        "trampoline [kernel+0x100f] ");
}

/* In the kernel's own mapping and before it, where none is: one dso, and one stack. */
static void outside_of_mappings(void)
{
    static const enum td_samples_by by[] = {TD_SAMPLES_BY_DSO, TD_SAMPLES_BY_STACK};

    for (size_t i = 0; i < 2; i++) {
        struct recording r;
        char out[512];

        begin(&r);
        map(&r, text, 0x50000000, text, "[kernel.kallsyms]_text");
        hit(&r, text + 0x100);
        for (uint64_t k = 0; k < 3; k++)
            hit(&r, text - 0x1000 + k);
        hit(&r, text + 0x200);
        CU_ASSERT_EQUAL(places(&r, by[i], NULL, out, sizeof(out)), 1);
        CU_ASSERT_STRING_EQUAL(out, "[kernel] [kernel] [kernel] [kernel] [kernel] ");
    }
}

/* A program of the same name and address is no function of the kernel's. */
static void of_the_kernel_alone(void)
{
    struct recording r;
    char out[256];

    begin(&r);
    function(&r, 0x10000, 0x1000, 0, "bpf_prog_1");
    r.s.kernel = false;
    hit(&r, 8);
    r.s.kernel = true;
    hit(&r, 0x10008);
    functions(&r, NULL, out, sizeof(out));
    CU_ASSERT_STRING_EQUAL(out, "[program+0x8] bpf_prog_1 ");
}

/* ---- kallsyms ------------------------------------------------------------------------------------ */

static char root[64];

static void make_folder(const char *path)
{
    char full[256];

    snprintf(full, sizeof(full), "%s%s", root, path);
    CU_ASSERT_FATAL(!mkdir(full, 0700) || errno == EEXIST);
}

static void make_file(const char *path, const void *bytes, size_t n)
{
    char full[256];
    FILE *f;

    snprintf(full, sizeof(full), "%s%s", root, path);
    f = fopen(full, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    CU_ASSERT_EQUAL(fwrite(bytes, 1, n, f), n);
    CU_ASSERT_EQUAL(fclose(f), 0);
}

static void remove_path(const char *path)
{
    char full[256];

    snprintf(full, sizeof(full), "%s%s", root, path);
    remove(full);
}

struct note {
    Elf64_Nhdr h;
    char name[4];
    unsigned char id[ID_SIZE];
};

static struct note note_of(unsigned byte)
{
    struct note n = {{4, ID_SIZE, NT_GNU_BUILD_ID}, "GNU", {0}};

    memset(n.id, (int)byte, ID_SIZE);
    return n;
}

static const char notes_path[] = "/sys/module/net_x/notes/.note.gnu.build-id";
static const char *const folders[] = {"",
                                      "/proc",
                                      "/sys",
                                      "/sys/kernel",
                                      "/sys/module",
                                      "/sys/module/net_x",
                                      "/sys/module/net_x/notes",
                                      "/lib",
                                      "/lib/modules",
                                      "/lib/modules/6.1"};

/* kernel, of_module: the bytes of the build-ids that run; text_at, module_at: where _text and the module are. */
static void make_root(unsigned kernel, unsigned of_module, uint64_t text_at, uint64_t module_at)
{
    struct note one = note_of(kernel), other = note_of(of_module);
    char kallsyms[1024], modules[256];

    snprintf(root, sizeof(root), "/tmp/tdprobe-test.%ld", (long)getpid());
    for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
        make_folder(folders[i]);
    make_file("/sys/kernel/notes", &one, sizeof(one));
    make_file(notes_path, &other, sizeof(other));
    snprintf(
        kallsyms, sizeof(kallsyms),
        "%llx T _text\n%llx T do_work\n%llx d data\n%llx T next\nffffffffc0000000 t setup\t[net_x]\nffffffffc0000080 t stranger\t[net]\n"
        "ffffffffc0000100 T run\t[net_x]\nffffffffc0002000 t later\t[net_x]\n",
        (unsigned long long)text_at, (unsigned long long)text_at + 0x100, (unsigned long long)text_at + 0x200,
        (unsigned long long)text_at + 0x300);
    snprintf(modules, sizeof(modules), "net 16384 1 net_x, Live 0x%llx\nnet_x 4096 0 - Live 0x%llx (OE)\n",
             (unsigned long long)module, (unsigned long long)module_at);
    make_file("/proc/modules", modules, strlen(modules));
    make_file("/proc/kallsyms", kallsyms, strlen(kallsyms));
}

static void remove_root(void)
{
    remove_path("/sys/kernel/notes");
    remove_path(notes_path);
    remove_path("/proc/kallsyms");
    remove_path("/proc/modules");
    remove_path(module_path);
    for (size_t i = sizeof(folders) / sizeof(*folders); i--;)
        remove_path(folders[i]);
}

/* One sample in the kernel, three in the module, one behind it. The build-id of the module comes when its
 * mapping has been used. */
static void record(struct recording *r)
{
    begin(r);
    build_id(r, 1, "[kernel.kallsyms]");
    map(r, text, 0x1000000, text, "[kernel.kallsyms]_text");
    map(r, module, 0x1000, 0, module_path);
    finish_round(r);
    finish_round(r);
    build_id(r, 2, module_path);
    hit(r, text + 0x180);
    hit(r, module + 0x20);
    hit(r, module + 0x90);
    hit(r, module + 0x100);
    hit(r, module + 0x2000);
}

static void check_root(const char *expected)
{
    struct recording r;
    char out[512];

    record(&r);
    functions(&r, root, out, sizeof(out));
    CU_ASSERT_STRING_EQUAL(out, expected);
}

static const char nothing[] =
    "[kernel+0xffffffff81000180] [net-x.ko+0xffffffffc0000020] [net-x.ko+0xffffffffc0000090] [net-x.ko+0xffffffffc0000100] [kernel+0xffffffffc0002000] ";

static const char kernel_only[] =
    "do_work [net-x.ko+0xffffffffc0000020] [net-x.ko+0xffffffffc0000090] [net-x.ko+0xffffffffc0000100] [kernel+0xffffffffc0002000] ";

static void same_boot(void)
{
    make_root(1, 2, text, module);
    check_root("do_work setup setup run [kernel+0xffffffffc0002000] ");
    remove_root();
}

/* Another kernel; the same one, elsewhere since it was started again, higher and lower; it shows no addresses; another
 * build of the module, and the same one elsewhere. */
static void other_boot(void)
{
    make_root(3, 2, text, module);
    check_root(nothing);
    make_root(1, 2, text + 0x200000, module);
    check_root(kernel_only);
    make_root(1, 2, text - 0x1000, module);
    check_root(kernel_only);
    make_root(1, 2, 0, module);
    check_root(nothing);
    make_root(1, 3, text, module);
    check_root(kernel_only);
    make_root(1, 2, text, module + 0x100);
    check_root(kernel_only);
    remove_root();
}

/* A module that was loaded again elsewhere, and over where it was first: its symbols are of the first place. */
static void loaded_again(void)
{
    struct recording r;
    char out[512];

    make_root(1, 2, text, module);
    record(&r);
    map(&r, module + 0x10000, 0x1000, 0, module_path);
    hit(&r, module + 0x10100);
    hit(&r, module + 0x100);
    map(&r, module + 0x80, 0x1000, 0, module_path);
    hit(&r, module + 0x10);
    hit(&r, module + 0x100);
    functions(&r, root, out, sizeof(out));
    CU_ASSERT_STRING_EQUAL(
        out,
        "do_work setup setup run [kernel+0xffffffffc0002000] [net-x.ko+0xffffffffc0010100] run setup [net-x.ko+0xffffffffc0000100] ");
    remove_root();
}

/* ---- a module's file --------------------------------------------------------------------------- */

enum { NOTE = 1, START, CODE, COLD, SYMTAB, STRTAB, NAMES, SECTIONS };
enum { SYMBOLS = 5, CODE_SIZE = 0x180 };

static const char strings[] = "\0early\0setup\0run\0cold";
static const char names[] = "\0.note.gnu.build-id\0.init.text\0.text\0.text.unlikely\0.symtab\0.strtab";

struct object {
    Elf64_Ehdr header;
    struct note note;
    Elf64_Sym symbol[SYMBOLS];
    char strings[sizeof(strings)], names[sizeof(names)];
    Elf64_Shdr section[SECTIONS] __attribute__((aligned(8)));
    unsigned char code[CODE_SIZE];
};

static Elf64_Word at(const char *table, size_t size, const char *name)
{
    return (Elf64_Word)((const char *)memmem(table, size, name, strlen(name) + 1) - table);
}

static Elf64_Sym symbol(const char *name, unsigned section, uint64_t value, uint64_t size)
{
    return (Elf64_Sym){.st_name = at(strings, sizeof(strings), name),
                       .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                       .st_shndx = (Elf64_Half)section,
                       .st_value = value,
                       .st_size = size};
}

static Elf64_Shdr section(const char *name, unsigned type, uint64_t flags, size_t offset, size_t size)
{
    return (Elf64_Shdr){.sh_name = at(names, sizeof(names), name),
                        .sh_type = type,
                        .sh_flags = flags,
                        .sh_offset = offset,
                        .sh_size = size,
                        .sh_addralign = 16};
}

/* A relocatable file: code that is run once and thrown away, .text, and more code, whose place after .text is not
 * recorded. */
static void make_module(unsigned id)
{
    static struct object o;
    const uint64_t code = SHF_ALLOC | SHF_EXECINSTR;

    o = (struct object){
        .header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                   .e_type = ET_REL,
                   .e_machine = EM_X86_64,
                   .e_version = EV_CURRENT,
                   .e_shoff = offsetof(struct object, section),
                   .e_ehsize = sizeof(Elf64_Ehdr),
                   .e_shentsize = sizeof(Elf64_Shdr),
                   .e_shnum = SECTIONS,
                   .e_shstrndx = NAMES},
        .note = note_of(id),
        .symbol = {{0},
                   symbol("early", START, 0, 0x100),
                   symbol("setup", CODE, 0, 0x80),
                   symbol("run", CODE, 0x90, 0x80),
                   symbol("cold", COLD, 0, 0x40)},
    };
    memcpy(o.strings, strings, sizeof(strings));
    memcpy(o.names, names, sizeof(names));
    o.section[NOTE] =
        section(".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, offsetof(struct object, note), sizeof(struct note));
    o.section[START] = section(".init.text", SHT_PROGBITS, code, offsetof(struct object, code), 0x100);
    o.section[CODE] = section(".text", SHT_PROGBITS, code, offsetof(struct object, code), 0x140);
    o.section[COLD] = section(".text.unlikely", SHT_PROGBITS, code, offsetof(struct object, code) + 0x140, 0x40);
    o.section[SYMTAB] = section(".symtab", SHT_SYMTAB, 0, offsetof(struct object, symbol), sizeof(o.symbol));
    o.section[SYMTAB].sh_link = STRTAB;
    o.section[SYMTAB].sh_info = 1;
    o.section[SYMTAB].sh_entsize = sizeof(Elf64_Sym);
    o.section[STRTAB] = section(".strtab", SHT_STRTAB, 0, offsetof(struct object, strings), sizeof(strings));
    o.section[NAMES] = section(".strtab", SHT_STRTAB, 0, offsetof(struct object, names), sizeof(names));
    o.section[NOTE].sh_addralign = 4;
    make_file(module_path, &o, sizeof(o));
}

/* With another kernel running: the file of the module, if it is the one that was loaded. */
static void file_of_module(void)
{
    if (!td_symbols_built()) {
        unit_skip("elfutils");
        return;
    }
    make_root(3, 3, text, module);
    make_module(2);
    check_root("[kernel+0xffffffff81000180] setup run run [kernel+0xffffffffc0002000] ");
    make_module(4);
    check_root(nothing);
    remove_root();
}

/* ---- records of which nothing is known ---------------------------------------------------------- */

/* Of all types that Linux and perf have and that say nothing about samples, and of some that nobody has yet. */
static void unknown(void)
{
    static const unsigned types[] = {11, 12, 14, 16, 18, 20 /* TEXT_POKE */, 21, 22, 40, 65, 66, 70, 72, 73, 74, 75, 76,
                                     78, 79, 82, 84, 120};
    static const uint64_t body[] = {UINT64_MAX, 0, 0x0000000100000001, text, 77};
    struct recording r;
    char out[256];

    begin(&r);
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        sampled_file_record(&r.f, types[i], 0, r.s.time, body, 5, "text");
    function(&r, made, 16, 0, "bpf_prog_1");
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        sampled_file_record(&r.f, types[i], 1, r.s.time, NULL, 0, NULL);
    hit(&r, made);
    functions(&r, NULL, out, sizeof(out));
    CU_ASSERT_STRING_EQUAL(out, "bpf_prog_1 ");
}

static const CU_TestInfo tests[] = {
    {"functions that the kernel made while it ran", made_functions},
    {"addresses of the kernel outside of its mappings", outside_of_mappings},
    {"which are the kernel's alone", of_the_kernel_alone},
    {"kallsyms of the same boot", same_boot},
    {"kallsyms of another boot, or another module", other_boot},
    {"a module that was loaded again", loaded_again},
    {"the file of a module", file_of_module},
    {"records that are skipped", unknown},
    CU_TEST_INFO_NULL,
};
UNIT_SUITE("samples in the kernel", tests);
