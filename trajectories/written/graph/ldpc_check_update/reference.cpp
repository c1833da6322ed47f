// Min-sum check-node update on a Tanner graph in CSR form; messages are 8-bit log-likelihood ratios.
#include <algorithm>

static int incoming(const int* posterior, int variable, signed char old_message) {
    return std::clamp(posterior[variable] - old_message, -127, 127);
}

void ldpc_check_update(int checks, int variables, int edges, const int* row_ptr, const int* edge_var,
                       const int* posterior, const signed char* old_message, signed char* new_message) {
    (void)variables;
    (void)edges;
    for (int c = 0; c < checks; ++c) {
        int smallest = 127, second = 127, where = -1;
        bool odd = false;
        for (int k = row_ptr[c]; k < row_ptr[c + 1]; ++k) {
            int m = incoming(posterior, edge_var[k], old_message[k]);
            odd ^= m < 0;
            m = m < 0 ? -m : m;
            if (m < smallest) {
                second = smallest;
                smallest = m;
                where = k;
            } else if (m < second) {
                second = m;
            }
        }
        for (int k = row_ptr[c]; k < row_ptr[c + 1]; ++k) {
            bool negative = odd ^ (incoming(posterior, edge_var[k], old_message[k]) < 0);
            int magnitude = (k == where ? second : smallest) * 3 / 4;
            new_message[k] = (signed char)(negative ? -magnitude : magnitude);
        }
    }
}
