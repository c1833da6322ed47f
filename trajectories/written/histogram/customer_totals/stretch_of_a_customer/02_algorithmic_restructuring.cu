// Customer totals: a thread for each customer finds its stretch of lines and sums it.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

// The first line whose customer is not below c.
__device__ int first_line(int n, const int* customer, int c) {
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (customer[middle] < c) low = middle + 1;
        else high = middle;
    }
    return low;
}

__global__ void total(int n, int customers, const int* customer, const int* quantity, const int* cents,
                      long long* spent, unsigned* lines, int* dearest) {
    int c = blockIdx.x * kThreads + threadIdx.x;
    if (c >= customers) return;
    int begin = first_line(n, customer, c), end = first_line(n, customer, c + 1);
    long long sum = 0;
    int largest = 0;
    for (int i = begin; i < end; ++i) {
        sum += (long long)quantity[i] * cents[i];
        largest = max(largest, cents[i]);
    }
    spent[c] = sum;
    lines[c] = end - begin;
    dearest[c] = largest;
}

extern "C" void customer_totals(int n, int customers, const int* customer, const int* quantity, const int* cents,
                                long long* spent, unsigned* lines, int* dearest) {
    total<<<(customers - 1) / kThreads + 1, kThreads>>>(n, customers, customer, quantity, cents, spent, lines, dearest);
}
