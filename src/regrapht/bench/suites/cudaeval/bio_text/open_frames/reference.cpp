#include <algorithm>
#include <cstdint>
#include <vector>

enum Base : uint8_t { A, C, G, T };

static bool is_start(const uint8_t* codon) { return codon[0] == A && codon[1] == T && codon[2] == G; }
static bool is_stop(const uint8_t* codon)
{
    return codon[0] == T && ((codon[1] == A && (codon[2] == A || codon[2] == G)) || (codon[1] == G && codon[2] == A));
}

void open_frames(int reads, int bases, const uint8_t* base, int32_t* frame, int32_t* begin, int32_t* codons)
{
    for (int r = 0; r < reads; ++r) {
        std::vector<uint8_t> strand(base + (long)r * bases, base + (long)(r + 1) * bases);
        frame[r] = begin[r] = -1;
        codons[r] = 0;
        for (int f = 0; f < 6; ++f) {
            if (f == 3) {
                std::reverse(strand.begin(), strand.end());
                for (uint8_t& b : strand) b = 3 - b;
            }
            int open = -1;
            for (int at = f % 3; at + 3 <= bases; at += 3) {
                const uint8_t* codon = strand.data() + at;
                if (open < 0 && is_start(codon)) open = at;
                if (open < 0) continue;
                if (is_stop(codon) || at + 6 > bases) {
                    const int length = (at - open) / 3 + 1;
                    if (length > codons[r]) {
                        codons[r] = length;
                        begin[r] = open;
                        frame[r] = f;
                    }
                    open = -1;
                }
            }
        }
    }
}
