#include <cstdint>

// A split-block Bloom filter over words that someone else owns.
class BlockFilter {
public:
    BlockFilter(const uint32_t* words, int blocks) : words_(words), blocks_((uint64_t)blocks) {}

    bool may_contain(uint64_t key) const {
        static const uint32_t salt[8] = {0x47b6137bu, 0x44974d91u, 0x8824ad5bu, 0xa2b7289du, 0x705495c7u, 0x2df1424bu, 0x9efc4947u, 0x5c6bfb31u};
        const uint64_t hash = key * 0x9e3779b97f4a7c15u;
        const uint32_t* block = words_ + 8 * ((hash >> 32) * blocks_ >> 32);
        for (const uint32_t factor : salt) {
            const uint32_t bit = (uint32_t)hash * factor >> 27;
            if ((*block++ >> bit & 1u) == 0) return false;
        }
        return true;
    }

private:
    const uint32_t* words_;
    uint64_t blocks_;
};

void filter_probe(int blocks, int keys, const uint32_t* filter, const uint64_t* key, uint8_t* passed) {
    const BlockFilter members(filter, blocks);
    for (int i = 0; i < keys; ++i) passed[i] = members.may_contain(key[i]);
}
