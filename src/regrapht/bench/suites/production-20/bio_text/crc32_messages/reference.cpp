#include <cstdint>

uint32_t crc_update(uint32_t crc, uint8_t byte)
{
    crc ^= byte;
    for (int k = 0; k < 8; ++k) crc = crc & 1 ? (crc >> 1) ^ 0xedb88320u : crc >> 1;
    return crc;
}

void crc32_messages(int messages, int width, const uint8_t* data, const int32_t* length, uint32_t* crc)
{
    for (int m = 0; m < messages; ++m) {
        uint32_t value = 0xffffffffu;
        for (int i = 0; i < length[m]; ++i) value = crc_update(value, data[(long)m * width + i]);
        crc[m] = ~value;
    }
}
