#include <cstdint>

static uint16_t hop_of(uint32_t address, int nodes, const uint16_t* table) {
    const uint16_t* node = table;
    for (int shift = 24; shift >= 0; shift -= 8) {
        const uint16_t entry = node[address >> shift & 255u];
        if (entry >= nodes) return (uint16_t)(entry - nodes);
        node = table + 256 * (int)entry;
    }
    return 65535;
}

void route_lookup(int nodes, int addresses, const uint16_t* table, const uint32_t* address, uint16_t* hop) {
    for (int i = 0; i < addresses; ++i) hop[i] = hop_of(address[i], nodes, table);
}
