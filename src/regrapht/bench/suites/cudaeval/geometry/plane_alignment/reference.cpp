struct Vec3 {
    float x, y, z;
};

static Vec3 cross(const Vec3& a, const Vec3& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

void plane_alignment(int matches, const Vec3* p, const Vec3* q, const Vec3* n, float* system) {
    double sum[27] = {0};
    for (int i = 0; i < matches; ++i) {
        const Vec3 turn = cross(p[i], n[i]);
        const float a[6] = {turn.x, turn.y, turn.z, n[i].x, n[i].y, n[i].z};
        const float r = n[i].x * (q[i].x - p[i].x) + n[i].y * (q[i].y - p[i].y) + n[i].z * (q[i].z - p[i].z);
        int at = 0;
        for (int j = 0; j < 6; ++j) {
            for (int k = j; k < 6; ++k) sum[at++] += (double)a[j] * a[k];
        }
        for (int j = 0; j < 6; ++j) sum[at++] += (double)a[j] * r;
    }
    for (int t = 0; t < 27; ++t) system[t] = (float)sum[t];
}
