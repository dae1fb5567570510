// SPDX-License-Identifier: MIT
// tdprobe for C++17: handles, recordings and regions that clean up after themselves. Header-only, without exceptions
// and run-time types: what can fail returns 0 or -errno, as in C, and error() has the text.
//
//     tdprobe::regions own;
//
//     if (own.open() == 0) {
//         const int sort = own.name("sort");
//         {
//             tdprobe::region pass(own, sort);
//             std::sort(v.begin(), v.end());
//         }
//         own.each([](const td_region_info &info, const td_result *result) {
//             if (const auto bound = tdprobe::share(result, "memory_bound"))
//                 std::printf("%s %g\n", info.name, *bound);
//         });
//     }
//
//     tdprobe::recording file;
//
//     if (file.set_uarch("spr") == 0 && file.open("app.csv") == 0)
//         for (const td_result *result : file)
//             use(result);
//     if (file.status())
//         std::fprintf(stderr, "%s\n", file.error());
//
// Objects can be moved, not copied. Who moved from has no handle: its calls return -EINVAL.
#ifndef TD_HPP
#define TD_HPP

#include <cerrno>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>

#include "td_regions.h"

namespace tdprobe
{

// A struct td, freed with it.
class handle
{
  public:
    handle() : td_(td_new())
    {
    }

    // false: out of memory, or moved from.
    explicit operator bool() const
    {
        return td_ != nullptr;
    }
    // For the functions of C; NULL where there is none. Stays the object's own.
    struct td *get() const
    {
        return td_.get();
    }
    // The text of the last error, "" if there was none. Valid until the next call.
    const char *error() const
    {
        return td_ ? td_error(td_.get()) : "out of memory";
    }

    // Settings, before anything is opened: tdprobe.h has what each takes and returns.
    [[nodiscard]] int set_uarch(const char *name)
    {
        return td_ ? td_set_uarch(get(), name) : -EINVAL;
    }
    [[nodiscard]] int set_level(int level)
    {
        return td_ ? td_set_level(get(), level) : -EINVAL;
    }
    [[nodiscard]] int set_metrics(const char *names)
    {
        return td_ ? td_set_metrics(get(), names) : -EINVAL;
    }
    [[nodiscard]] int set_smt(const char *state)
    {
        return td_ ? td_set_smt(get(), state) : -EINVAL;
    }
    void set_note(td_note_fn *note, void *ctx)
    {
        if (td_)
            td_set_note(get(), note, ctx);
    }

  private:
    struct free {
        void operator()(struct td *td) const
        {
            td_free(td);
        }
    };
    std::unique_ptr<struct td, free> td_;
};

// ---- results: owned by their handle, valid until its next call ----

// A metric by its name, or NULL.
inline const td_metric *find(const td_result *result, const char *name)
{
    for (std::size_t i = 0; i < td_result_metrics(result); i++)
        if (const td_metric *m = td_result_metric(result, i); !std::strcmp(m->name, name))
            return m;
    return nullptr;
}

// A metric's value, for a node 0..1; none where it has no value, for which td_metric.status has the reason.
inline std::optional<double> share(const td_result *result, const char *name)
{
    const td_metric *m = find(result, name);

    return m && m->status == TD_OK ? std::optional<double>(m->value) : std::nullopt;
}

// ---- a recording ----

class recording : public handle
{
  public:
    // A file of any format that tdprobe reads. Errors of td_open_file().
    [[nodiscard]] int open(const char *path)
    {
        return status_ = get() ? td_open_file(get(), path) : -EINVAL;
    }

    // The next interval, or NULL at the end and after an error, which status() tells apart.
    const td_result *next()
    {
        const td_result *result = nullptr;

        if (status_ || ended_ || !get())
            return nullptr;
        if (const int err = td_next(get(), &result)) {
            ended_ = true;
            status_ = err == -ENODATA ? 0 : err;
            return nullptr;
        }
        return result;
    }

    // 0, or the error that ended it.
    int status() const
    {
        return status_;
    }

    // Once, from where it is: for (const td_result *result : file).
    class iterator
    {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = const td_result *;
        using difference_type = std::ptrdiff_t;
        using pointer = const value_type *;
        using reference = value_type;

        explicit iterator(recording *of) : of_(of), at_(of ? of->next() : nullptr)
        {
        }
        value_type operator*() const
        {
            return at_;
        }
        iterator &operator++()
        {
            at_ = of_->next();
            return *this;
        }
        void operator++(int)
        {
            ++*this;
        }
        friend bool operator==(const iterator &a, const iterator &b)
        {
            return a.at_ == b.at_;
        }
        friend bool operator!=(const iterator &a, const iterator &b)
        {
            return a.at_ != b.at_;
        }

      private:
        recording *of_;
        value_type at_;
    };
    iterator begin()
    {
        return iterator(this);
    }
    iterator end()
    {
        return iterator(nullptr);
    }

    // After the last interval: the sum of each scope and kind of core, to use(const td_result *).
    template <class Use> [[nodiscard]] int each_summary(Use use)
    {
        const td_result *result;
        int err = get() ? 0 : -EINVAL;

        for (std::size_t i = 0; !err && !(err = td_summary(get(), i, &result)); i++)
            use(result);
        return err == -ENODATA ? 0 : err;
    }

  private:
    int status_ = 0;
    bool ended_ = false;
};

// ---- regions of the calling thread ----

// The counters of the thread that opens them, which alone may use them.
class regions : public handle
{
  public:
    // ask.size is set here. Errors of td_open_self().
    [[nodiscard]] int open(td_self_ask ask = td_self_ask())
    {
        ask.size = sizeof(ask);
        return get() ? td_open_self(get(), &ask) : -EINVAL;
    }
    // The number of a region's name, for region; below 0: -errno, with which a region measures nothing.
    [[nodiscard]] int name(const char *of)
    {
        return get() ? td_region(get(), of) : -EINVAL;
    }

    // All regions so far, to use(const td_region_info &, const td_result *).
    template <class Use> [[nodiscard]] int each(Use use)
    {
        td_region_info info = td_region_info();
        const td_result *result;
        int err = get() ? 0 : -EINVAL;

        info.size = sizeof(info);
        for (std::size_t i = 0; !err && !(err = td_region_result(get(), i, &info, &result)); i++)
            use(static_cast<const td_region_info &>(info), result);
        return err == -ENODATA ? 0 : err;
    }
};

// A pass through a region, from here to the end of the block. One that cannot be measured is counted as discarded.
class region
{
  public:
    // of has to outlive it; number below 0: nothing is measured.
    region(const handle &of, int number) : td_(number < 0 ? nullptr : of.get()), number_(number)
    {
        if (td_)
            td_region_begin(td_, number_);
    }
    ~region()
    {
        if (td_)
            td_region_end(td_, number_);
    }
    region(const region &) = delete;
    region &operator=(const region &) = delete;

  private:
    struct td *td_;
    int number_;
};

} // namespace tdprobe

#endif
