// Packed big-endian trade records to one array a field.
#include <cstddef>
#include <cstdint>

struct Reader {
    const unsigned char* at;

    uint64_t take(int bytes) {
        uint64_t value = 0;
        while (bytes-- > 0) value = value << 8 | *at++;
        return value;
    }
};

void decode_ticks(int n, const unsigned char* records, int64_t* time_ns, uint32_t* instrument, int32_t* price,
                  int32_t* quantity, unsigned char* venue) {
    Reader reader{records};
    for (int i = 0; i < n; ++i) {
        time_ns[i] = (int64_t)reader.take(6);
        instrument[i] = (uint32_t)reader.take(4);
        price[i] = (int32_t)(uint32_t)reader.take(4);
        int32_t size = (int32_t)reader.take(3);
        unsigned char flags = (unsigned char)reader.take(1);
        quantity[i] = flags & 0x80 ? -size : size;
        venue[i] = flags & 0x7F;
    }
}
