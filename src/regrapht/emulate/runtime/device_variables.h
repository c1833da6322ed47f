// The candidate's `__device__` and `__constant__` variables: its writable data segment, with the objects that its symbol table names.
#pragma once
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>
#include <string_view>
#include "device_heap.h"

namespace runtime {
struct DeviceVariable {
    char* begin;
    size_t bytes;
    bool constant;
    bool ours = false;  // our headers' or the compiler's
};
std::vector<DeviceVariable> device_variables;  // sorted by address; statics of host code too
char *variables_begin = nullptr, *variables_end = nullptr;  // from the first object's first byte to the last one's last
char *image_begin = nullptr, *image_end = nullptr;          // the whole loaded library
char *writable_begin = nullptr, *writable_end = nullptr;    // its part that holds variables
Region variable_region;

// Whether an ELF symbol is the variable `name`, perhaps inside namespaces (`_ZN2ns4nameE`, `_ZL4name`).
inline bool names(const std::string& symbol, const std::string& name) {
    if (symbol == name) return true;
    return symbol.starts_with("_Z") && symbol.find(std::to_string(name.size()) + name) != std::string::npos;
}

// Finds the code and the variables of the loaded library in its file.
void read_library(const char* path, char* base, const std::vector<std::string>& constants) {
    library_base = base;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (fd < 0 || fstat(fd, &status)) _Exit(98);
    const char* file = (const char*)mmap(nullptr, status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (file == MAP_FAILED) _Exit(98);
    const auto* header = (const Elf64_Ehdr*)file;
    const auto* segments = (const Elf64_Phdr*)(file + header->e_phoff);
    image_begin = base, image_end = base;
    for (int i = 0; i < header->e_phnum; i++) {
        if (segments[i].p_type != PT_LOAD) continue;
        image_end = std::max(image_end, base + segments[i].p_vaddr + segments[i].p_memsz);
        if (segments[i].p_flags & PF_W) {
            writable_begin = base + segments[i].p_vaddr;
            writable_end = writable_begin + segments[i].p_memsz;
        }
        if (segments[i].p_flags & PF_X) {
            text_begin = base + segments[i].p_vaddr;
            text_end = text_begin + segments[i].p_memsz;
        }
    }
    const auto* sections = (const Elf64_Shdr*)(file + header->e_shoff);
    for (int i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        const auto* symbols = (const Elf64_Sym*)(file + sections[i].sh_offset);
        const char* strings = file + sections[sections[i].sh_link].sh_offset;
        for (size_t s = 0; s < sections[i].sh_size / sizeof(Elf64_Sym); s++) {
            const Elf64_Sym& symbol = symbols[s];
            if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || !symbol.st_size || symbol.st_shndx >= header->e_shnum) continue;
            if (!(sections[symbol.st_shndx].sh_flags & SHF_WRITE)) continue;
            const std::string name = strings + symbol.st_name;
            const bool constant = std::any_of(constants.begin(), constants.end(), [&](auto& c) { return names(name, c); });
            const bool ours = name.find("emulated") != name.npos || name.starts_with("_ZGV") || name.starts_with("__");
            device_variables.push_back({base + symbol.st_value, symbol.st_size, constant, ours});
        }
    }
    munmap((void*)file, status.st_size);
    std::sort(device_variables.begin(), device_variables.end(), [](auto& a, auto& b) { return a.begin < b.begin; });
    if (device_variables.empty()) return;
    variables_begin = (char*)((u64)device_variables.front().begin & ~7ull);
    variables_end = variables_begin;
    for (const DeviceVariable& v : device_variables) variables_end = std::max(variables_end, v.begin + v.bytes);
    const size_t bytes = (variables_end - variables_begin + 15) / 8 * 8;
    static std::vector<u8> state(bytes / 8);
    static std::vector<Cell> words(bytes / 4), single(bytes);
    static std::vector<u64> word_readers(bytes / 4), single_readers(bytes);
    variable_region = {variables_begin, bytes, state.data(), nullptr, words.data(), single.data(), word_readers.data(),
                       single_readers.data()};
}

inline const DeviceVariable* variable_at(const char* p) {
    auto next = std::upper_bound(device_variables.begin(), device_variables.end(), p, [](auto* a, auto& v) { return a < v.begin; });
    return next == device_variables.begin() ? nullptr : &*std::prev(next);
}

// The variables of this thread alone, `thread_local`: where the loaded library has any and this thread has asked for one.
inline std::string_view own_of_thread() {
    std::string_view found;
    dl_iterate_phdr(
        [](dl_phdr_info* loaded, size_t, void* result) {
            if ((char*)loaded->dlpi_addr != library_base || !loaded->dlpi_tls_data) return 0;
            for (int i = 0; i < loaded->dlpi_phnum; i++)
                if (loaded->dlpi_phdr[i].p_type == PT_TLS) *(std::string_view*)result = {(const char*)loaded->dlpi_tls_data, loaded->dlpi_phdr[i].p_memsz};
            return 1;
        },
        &found);
    return found;
}

// What the candidate's own variables hold, as one number.
u64 variables_hash() {
    u64 hash = 0xCBF29CE484222325ull;
    for (const char byte : own_of_thread()) hash = (hash ^ (u8)byte) * 0x100000001B3ull;
    for (const DeviceVariable& v : device_variables)
        for (size_t i = 0; !v.constant && !v.ours && i < v.bytes; i++) hash = (hash ^ (u8)v.begin[i]) * 0x100000001B3ull;
    return hash;
}

void mark_variable_written(const void* p, size_t bytes, u64 writer) {
    if (!kChecked) return;
    for_cells(variable_region, (const char*)p - variables_begin, bytes, [writer](Cell& cell, u64&, u32) { cell = {writer, 0}; });
}

void forget_variable_accesses() {
    const Region& r = variable_region;
    std::fill(r.state, r.state + r.bytes / 8, 0);
    std::fill(r.words, r.words + r.bytes / 4, Cell{});
    std::fill(r.word_readers, r.word_readers + r.bytes / 4, 0);
}
}  // namespace runtime
