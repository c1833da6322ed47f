#include <cstdint>
#include <cstdio>
#include <cstring>

void hex_dump(int bytes, const uint8_t *data, uint8_t *text)
{
    char line[96];
    for (int at = 0; at < bytes; at += 16) {
        int n = snprintf(line, sizeof line, "%08x  ", (unsigned)at);
        for (int k = 0; k < 16; k++) {
            if (at + k < bytes)
                n += snprintf(line + n, sizeof line - n, "%02x ", data[at + k]);
            else
                n += snprintf(line + n, sizeof line - n, "   ");
            if (k == 7)
                line[n++] = ' ';
        }
        line[n++] = '|';
        for (int k = 0; k < 16; k++) {
            const int c = at + k < bytes ? data[at + k] : ' ';
            line[n++] = (char)(c >= 32 && c < 127 ? c : '.');
        }
        line[n++] = '|';
        line[n++] = '\n';
        memcpy(text + (long)at / 16 * 78, line, 78);
    }
}
