// shape: a = rows * cols
// check: rows=1,cols=1; rows=7,cols=33; rows=70,cols=65
#include <cmath>
float norm2(int rows, int cols, const float* a) {
    float sum = 0.0f;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) sum += a[i * cols + j] * a[i * cols + j];
    return std::sqrt(sum);
}
