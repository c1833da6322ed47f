// One thread for each pixel, everything read from global memory.
__global__ void blur_pixel(int width, int height, const float* image, const float* weight, float* blurred) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            int row = min(max(y + dy, 0), height - 1);
            int column = min(max(x + dx, 0), width - 1);
            sum += weight[(dy + 2) * 5 + dx + 2] * image[row * width + column];
        }
    }
    blurred[y * width + x] = sum;
}

extern "C" void image_blur(int width, int height, const float* image, const float* weight, float* blurred) {
    dim3 block(16, 16);
    dim3 grid((width + 15) / 16, (height + 15) / 16);
    blur_pixel<<<grid, block>>>(width, height, image, weight, blurred);
}
