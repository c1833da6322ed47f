// A running total that starts anew wherever `head` is not zero.
void segmented_running_sum(int n, const unsigned char *head, const int *x, int *out)
{
    int carry = 0, i = 0;
    do {
        carry = head[i] ? x[i] : carry + x[i];
        out[i] = carry;
        i++;
    } while (i < n);
}
