// Depthwise 3 x 3 convolution, one thread per output element.
#include <cuda_runtime.h>

__global__ void conv(int height, int width, const float* input, const float* weights, float* output) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int c = blockIdx.z;
    if (x >= width || y >= height) return;
    const size_t plane = (size_t)height * width;
    float sum = 0.0f;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            int yy = y + dy, xx = x + dx;
            if (yy < 0 || yy >= height || xx < 0 || xx >= width) continue;
            sum += weights[9 * c + 3 * (dy + 1) + dx + 1] * input[c * plane + (size_t)yy * width + xx];
        }
    }
    output[c * plane + (size_t)y * width + x] = sum;
}

extern "C" void depthwise_conv(int channels, int height, int width, const float* input, const float* weights,
                               float* output) {
    dim3 block(32, 8);
    dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y, channels);
    conv<<<grid, block>>>(height, width, input, weights, output);
}
