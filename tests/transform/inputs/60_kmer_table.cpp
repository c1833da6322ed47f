#include <cstdint>

// Counts the 12-letter words of a DNA string (letters 0..3) in an open-addressing table; a key of 0xffffffff marks a free slot.
void kmer_table(int length, int slots, const uint8_t* letters, uint32_t* keys, uint32_t* counts) {
    const int k = 12;
    for (int s = 0; s < slots; s++) {
        keys[s] = 0xffffffffu;
        counts[s] = 0;
    }
    uint32_t word = 0;
    for (int i = 0; i < length; i++) {
        word = ((word << 2) | letters[i]) & 0xffffffu;
        if (i < k - 1) continue;
        uint32_t slot = (word * 2654435761u) % (uint32_t)slots;
        while (keys[slot] != 0xffffffffu && keys[slot] != word)
            slot = slot + 1 == (uint32_t)slots ? 0 : slot + 1;
        keys[slot] = word;
        counts[slot]++;
    }
}
