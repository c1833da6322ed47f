#include <cstdint>

namespace {

struct Tables {
    uint32_t after[256];
};

Tables tables_of(uint32_t polynomial) {
    Tables tables;
    for (uint32_t byte = 0; byte < 256; ++byte) {
        uint32_t rest = byte;
        for (int bit = 0; bit < 8; ++bit) rest = rest & 1 ? rest >> 1 ^ polynomial : rest >> 1;
        tables.after[byte] = rest;
    }
    return tables;
}

uint32_t checked(const Tables& tables, const uint8_t* from, const uint8_t* to) {
    uint32_t rest = ~0u;
    while (from != to) rest = rest >> 8 ^ tables.after[(rest ^ *from++) & 255u];
    return ~rest;
}

}  // namespace

void record_crc(int64_t bytes, int records, const uint8_t* data, const int64_t* start, uint32_t* crc) {
    (void)bytes;
    const Tables tables = tables_of(0xEDB88320u);
    for (int r = 0; r < records; ++r) crc[r] = checked(tables, data + start[r], data + start[r + 1]);
}
