#include <cstdint>
#include <string_view>

void needle_counts(int lines, int width, int count, int most, const uint8_t* text, const uint8_t* words, const int32_t* length, int32_t* hits, int32_t* first)
{
    const char* letters = reinterpret_cast<const char*>(words);
    for (int l = 0; l < lines; ++l) {
        const std::string_view line(reinterpret_cast<const char*>(text) + (long)l * width, width);
        for (int w = 0; w < count; ++w) {
            const std::string_view word(letters + (long)w * most, length[w]);
            int found = 0;
            std::size_t at = line.find(word);
            first[(long)l * count + w] = at == line.npos ? -1 : (int32_t)at;
            for (; at != line.npos; at = line.find(word, at + 1)) ++found;
            hits[(long)l * count + w] = found;
        }
    }
}
