#include "Fft.h"

#include <cmath>

BatchFft::BatchFft(int rows, int length)
    : m_rows(rows), m_length(length), m_reversed(length), m_cos(length / 2), m_sin(length / 2),
      m_re(rows * length), m_im(rows * length), m_nextRe(rows * length), m_nextIm(rows * length)
{
    int bits = 0;
    while ((1 << bits) < length)
        ++bits;
    for (int i = 0; i < length; ++i)
    {
        int r = 0;
        for (int b = 0; b < bits; ++b)
            r |= ((i >> b) & 1) << (bits - 1 - b);
        m_reversed[i] = r;
    }
    for (int k = 0; k < length / 2; ++k)
    {
        m_cos[k] = std::cos(6.283185307179586 * k / length);
        m_sin[k] = std::sin(6.283185307179586 * k / length);
    }
}

void BatchFft::reverse(const std::vector<double>& fromRe, const std::vector<double>& fromIm)
{
    for (int r = 0; r < m_rows; ++r)
        for (int i = 0; i < m_length; ++i)
        {
            m_re[r * m_length + i] = fromRe[r * m_length + m_reversed[i]];
            m_im[r * m_length + i] = fromIm[r * m_length + m_reversed[i]];
        }
}

// One stage, from one pair of arrays to another: element i takes from both halves of its group.
void BatchFft::butterflies(const double* fromRe, const double* fromIm, double* toRe, double* toIm, int half, int sign) const
{
    const int stride = m_length / (2 * half);
    for (int r = 0; r < m_rows; ++r)
        for (int i = 0; i < m_length; ++i)
        {
            const int inGroup = i % (2 * half);
            const int k = inGroup % half;
            const int low = r * m_length + i - inGroup + k;
            const int high = low + half;
            const double c = m_cos[k * stride];
            const double s = sign * m_sin[k * stride];
            const double turnedRe = fromRe[high] * c - fromIm[high] * s;
            const double turnedIm = fromRe[high] * s + fromIm[high] * c;
            const double way = inGroup < half ? 1.0 : -1.0;
            toRe[r * m_length + i] = fromRe[low] + way * turnedRe;
            toIm[r * m_length + i] = fromIm[low] + way * turnedIm;
        }
}

void BatchFft::transform(std::vector<double>& re, std::vector<double>& im, int sign)
{
    reverse(re, im);
    for (int half = 1; half < m_length; half *= 2)
    {
        butterflies(m_re.data(), m_im.data(), m_nextRe.data(), m_nextIm.data(), half, sign);
        m_re.swap(m_nextRe);
        m_im.swap(m_nextIm);
    }
    re = m_re;
    im = m_im;
}
