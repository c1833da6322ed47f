typedef struct {
    float position[3];
    unsigned short charge;
    unsigned char flags;
} Record;

/* Takes apart an array of records; records whose lowest flag is not set give zeros. */
void aos_to_soa(int n, const unsigned char* flags, const float* xyz, const unsigned short* charge, float* x, float* y, float* z, int* q)
{
    for (int i = 0; i < n; i++) {
        Record r;
        r.position[0] = xyz[3 * i];
        r.position[1] = xyz[3 * i + 1];
        r.position[2] = xyz[3 * i + 2];
        r.charge = charge[i];
        r.flags = flags[i];
        const int valid = r.flags & 1;
        x[i] = valid ? r.position[0] : 0.0f;
        y[i] = valid ? r.position[1] : 0.0f;
        z[i] = valid ? r.position[2] : 0.0f;
        q[i] = valid * r.charge;
    }
}
