#include <cstdint>

// CRC-32 of every record of fixed length, with a table of 256 entries that is made first.
void crc32_records(int records, int length, const uint8_t* data, uint32_t* crc) {
    uint32_t table[256];
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t value = byte;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1u ? (value >> 1) ^ 0xedb88320u : value >> 1;
        table[byte] = value;
    }
    for (int r = 0; r < records; r++) {
        uint32_t sum = ~0u;
        for (int i = 0; i < length; i++)
            sum = table[(sum ^ data[r * length + i]) & 0xffu] ^ (sum >> 8);
        crc[r] = ~sum;
    }
}
