#include <cstdint>

// Nesting depth after every character of a JSON text; braces and brackets inside strings do not count.
void json_depth(int n, const uint8_t* text, int32_t* depth) {
    int32_t level = 0;
    bool inside = false, escaped = false;
    for (int i = 0; i < n; ++i) {
        const uint8_t c = text[i];
        if (escaped) {
            escaped = false;
        } else if (inside) {
            if (c == '\\') escaped = true;
            if (c == '"') inside = false;
        } else {
            if (c == '"') inside = true;
            if (c == '{' || c == '[') ++level;
            if (c == '}' || c == ']') --level;
        }
        depth[i] = level;
    }
}
