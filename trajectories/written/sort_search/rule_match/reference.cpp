// The first rule of a list that matches each packet.

void rule_match(int n, int rules, const unsigned* source, const unsigned* target, const int* port,
                const unsigned* value, const unsigned* mask, const int* port_low, const int* port_span, int* rule) {
    for (int packet = 0; packet < n; ++packet) {
        rule[packet] = -1;
        for (int r = 0; r < rules; ++r) {
            if ((source[packet] & mask[2 * r]) != (value[2 * r] & mask[2 * r])) continue;
            if ((target[packet] & mask[2 * r + 1]) != (value[2 * r + 1] & mask[2 * r + 1])) continue;
            if (port[packet] < port_low[r] || port[packet] >= port_low[r] + port_span[r]) continue;
            rule[packet] = r;
            break;
        }
    }
}
