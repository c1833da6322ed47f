// Bounding boxes of the triangles of a mesh whose corners are looked up by index: lowest x, y, z, then highest x, y, z.
void triangle_boxes(int triangles, int vertices, const int* corner, const float* xyz, float* box) {
    (void)vertices;
    for (int t = 0; t < triangles; t++)
        for (int axis = 0; axis < 3; axis++) {
            float low = xyz[3 * corner[3 * t] + axis], high = low;
            for (int k = 1; k < 3; k++) {
                const float v = xyz[3 * corner[3 * t + k] + axis];
                low = v < low ? v : low;
                high = v > high ? v : high;
            }
            box[6 * t + axis] = low;
            box[6 * t + 3 + axis] = high;
        }
}
