#include <cstdint>

struct Ipv4 {
    uint8_t version_length, service;
    uint8_t total[2], id[2], fragment[2];
    uint8_t ttl, protocol;
    uint8_t check[2];
    uint8_t source[4], destination[4];
};

static uint16_t checksum(const Ipv4& header)
{
    const uint8_t* byte = reinterpret_cast<const uint8_t*>(&header);
    uint32_t sum = 0;
    for (int w = 0; w < 10; ++w) {
        if (w == 5) continue;
        sum += byte[2 * w] << 8 | byte[2 * w + 1];
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return (uint16_t)~sum;
}

void forward_headers(int packets, uint8_t* headers, uint8_t* dropped)
{
    Ipv4* header = reinterpret_cast<Ipv4*>(headers);
    for (int i = 0; i < packets; ++i) {
        dropped[i] = header[i].ttl < 2;
        if (dropped[i]) continue;
        --header[i].ttl;
        const uint16_t sum = checksum(header[i]);
        header[i].check[0] = (uint8_t)(sum >> 8);
        header[i].check[1] = (uint8_t)sum;
    }
}
