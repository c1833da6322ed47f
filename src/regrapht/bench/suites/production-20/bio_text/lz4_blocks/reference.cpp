#include <algorithm>
#include <cstdint>
#include <cstring>

struct Command {
    uint8_t literals, length;
    uint16_t distance;
};

static int decode(int commands, int size, const Command* command, const uint8_t* text, uint8_t* out)
{
    int at = 0;
    for (int c = 0; c < commands && at < size; ++c) {
        const int literals = std::min<int>(command[c].literals, size - at);
        memcpy(out + at, text, literals);
        at += literals;
        text += command[c].literals;
        const int length = std::min<int>(command[c].length, size - at), from = at - 1 - command[c].distance;
        for (int k = 0; k < length; ++k, ++at) out[at] = from + k < 0 ? 0 : out[from + k];
    }
    return at;
}

void lz4_blocks(int blocks, int commands, int size, const Command* command, const uint8_t* text, uint8_t* decoded, int32_t* written)
{
    for (int b = 0; b < blocks; ++b) {
        uint8_t* out = decoded + (long)b * size;
        memset(out, 0, size);
        written[b] = decode(commands, size, command + (long)b * commands, text + 64l * b * commands, out);
    }
}
