#include <cstdint>
#include <string_view>

using namespace std;

enum : uint8_t { ANY_ONE = 5, ANY_RUN = 6 };

static bool matches(string_view text, const uint8_t* p, int plen)
{
    size_t t = 0, back_t = 0;
    int j = 0, back_j = -1;
    while (t < text.size()) {
        if (j < plen && p[j] != ANY_RUN && (p[j] == ANY_ONE || p[j] == (uint8_t)text[t])) {
            ++t;
            ++j;
        } else if (j < plen && p[j] == ANY_RUN) {
            back_j = ++j;
            back_t = t;
        } else if (back_j >= 0) {
            j = back_j;
            t = ++back_t;
        } else {
            return false;
        }
    }
    while (j < plen && p[j] == ANY_RUN) ++j;
    return j == plen;
}

void glob_filter(int names, int width, int plen, const uint8_t* name, const int32_t* length, const uint8_t* pattern, uint8_t* keep, int32_t* kept)
{
    *kept = 0;
    for (int i = 0; i < names; ++i) {
        const string_view text(reinterpret_cast<const char*>(name) + (size_t)i * width, length[i]);
        keep[i] = matches(text, pattern, plen);
        *kept += keep[i];
    }
}
