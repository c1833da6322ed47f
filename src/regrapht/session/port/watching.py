"""C++ that is put into a copy of the application: clocks around functions, and a record of what they are called with."""

CLOCK_NAME, RECORD_NAME = "regrapht_clock.h", "regrapht_record.h"

CLOCK = """\
// Time inside functions, written to a file at the end of the program. Made by regrapht for a copy of the application.
#ifndef REGRAPHT_CLOCK_H
#define REGRAPHT_CLOCK_H
#include <time.h>

#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <utility>
namespace regrapht_clock {
struct Total { long long calls = 0; double inside = 0, own = 0; };
struct Table {
    std::mutex held;
    std::map<int, Total> totals;
    std::map<std::pair<int, int>, long long> calls;
    std::map<std::pair<int, std::string>, double> ways;
    ~Table() {
        std::FILE* file = std::fopen("@FILE@", "w");
        if (!file) return;
        for (auto& one : totals)
            std::fprintf(file, "f %d %lld %.9f %.9f\\n", one.first, one.second.calls, one.second.inside, one.second.own);
        for (auto& one : calls) std::fprintf(file, "c %d %d %lld\\n", one.first.first, one.first.second, one.second);
        for (auto& one : ways) std::fprintf(file, "w %d %.9f %s\\n", one.first.first, one.second, one.first.second.c_str());
        std::fclose(file);
    }
};
inline Table& table() { static Table one; return one; }
// Of the processor, so that what else the machine does counts for nobody.
inline double now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}
struct Scope;
inline Scope*& top() { static thread_local Scope* one = nullptr; return one; }
struct Scope {
    int id;
    Scope* outer;
    double below = 0;
    double began;
    const char* way;
    // `name` of a template says which instance it is.
    explicit Scope(int number, const char* name = nullptr) : id(number), outer(top()), way(name) { table(); top() = this; began = now(); }
    ~Scope() {
        const double spent = now() - began;
        top() = outer;
        bool again = false;
        for (Scope* one = outer; one; one = one->outer) again = again || one->id == id;
        if (outer) outer->below += spent;
        std::lock_guard<std::mutex> lock(table().held);
        Total& total = table().totals[id];
        total.calls += 1;
        total.own += spent - below;
        if (!again) total.inside += spent;
        table().calls[{outer ? outer->id : -1, id}] += 1;
        if (way) table().ways[{id, way}] += spent;
    }
};
}  // namespace regrapht_clock
#endif
"""

RECORD = """\
// What functions are called with, a line of JSON for each call that is kept. Made by regrapht for a copy of the application.
#ifndef REGRAPHT_RECORD_H
#define REGRAPHT_RECORD_H
#include <cmath>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <type_traits>
namespace regrapht_record {
inline std::mutex& held() { static std::mutex one; return one; }
struct Function {
    std::string name, numbers, arrays;
    long long calls = 0;
    int kept = 0;
    explicit Function(const char* slug) : name(slug) {}
    bool wanted() {
        const long long n = calls++;
        return kept < 24 && (n < 3 || (n & (n - 1)) == 0);
    }
    template <typename T> static std::string text(T value) {
        char buffer[64];
        if (std::is_floating_point<T>::value) std::snprintf(buffer, sizeof buffer, "%.17g", (double)value);
        else if (std::is_signed<T>::value) std::snprintf(buffer, sizeof buffer, "%lld", (long long)value);
        else std::snprintf(buffer, sizeof buffer, "%llu", (unsigned long long)value);
        return std::strpbrk(buffer, "ni") ? "null" : buffer;
    }
    template <typename T> void number(const char* of, T value) {
        numbers += (numbers.empty() ? "\\"" : ", \\"") + std::string(of) + "\\": " + text(value);
    }
    template <typename T> void array(const char* of, const T* data, long long count) {
        arrays += (arrays.empty() ? "\\"" : ", \\"") + std::string(of) + "\\": {\\"count\\": " + std::to_string(count);
        measure(of, data, count, std::is_arithmetic<T>());
        arrays += "}";
    }
    template <typename T> void measure(const char*, const T*, long long, std::false_type) {}
    template <typename T> void measure(const char* of, const T* data, long long count, std::true_type) {
        if (!data || count < 1) return;
        T low = data[0], high = data[0];
        bool finite = true, ascending = true;
        for (long long i = 0; i < count; ++i) {
            finite = finite && std::isfinite((double)data[i]);
            if (data[i] < low) low = data[i];
            if (data[i] > high) high = data[i];
            if (i && data[i] < data[i - 1]) ascending = false;
        }
        arrays += ", \\"low\\": " + text(low) + ", \\"high\\": " + text(high);
        arrays += std::string(", \\"finite\\": ") + (finite ? "true" : "false");
        arrays += std::string(", \\"ascending\\": ") + (ascending ? "true" : "false");
        if (kept < 3 && count * (long long)sizeof(T) <= (1ll << 26)) save(of, data, count);
    }
    template <typename T> void save(const char* of, const T* data, long long count) {
        const std::string path = std::string("@FOLDER@/") + name + "." + of + "." + std::to_string(kept) + ".npy";
        std::FILE* file = std::fopen(path.c_str(), "wb");
        if (!file) return;
        const char kind = std::is_floating_point<T>::value ? 'f' : std::is_signed<T>::value ? 'i' : 'u';
        std::string head = std::string("{'descr': '<") + kind + std::to_string(sizeof(T));
        head += "', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }";
        while ((10 + head.size() + 1) % 64) head += ' ';
        head += '\\n';
        const unsigned char length[2] = {(unsigned char)(head.size() & 255), (unsigned char)(head.size() >> 8)};
        std::fwrite("\\x93NUMPY\\x01\\x00", 1, 8, file);
        std::fwrite(length, 1, 2, file);
        std::fwrite(head.data(), 1, head.size(), file);
        std::fwrite(data, sizeof(T), (std::size_t)count, file);
        std::fclose(file);
        arrays += ", \\"saved\\": " + std::to_string(kept);
    }
    void done() {
        std::lock_guard<std::mutex> lock(held());
        const std::string path = std::string("@FOLDER@/") + name + ".calls";
        if (std::FILE* file = std::fopen(path.c_str(), "a")) {
            std::fprintf(file, "{\\"call\\": %lld, \\"numbers\\": {%s}, ", calls - 1, numbers.c_str());
            std::fprintf(file, "\\"arrays\\": {%s}}\\n", arrays.c_str());
            std::fclose(file);
        }
        numbers.clear();
        arrays.clear();
        kept += 1;
    }
};
}  // namespace regrapht_record
#endif
"""
