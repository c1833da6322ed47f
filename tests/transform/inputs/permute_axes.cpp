// shape: in = a * b * c
// shape: out = a * b * c
// check: a=1,b=1,c=1; a=5,b=33,c=9; a=20,b=3,c=34
void permute_axes(int a, int b, int c, const float* in, float* out) {
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < c; k++) out[(k * b + j) * a + i] = in[(i * b + j) * c + k];
}
