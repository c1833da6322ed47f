#ifndef FFT_H
#define FFT_H

#include <vector>

/// Many transforms of one length at once: `rows` signals, each a row of `length` numbers, real and imaginary parts apart.
class BatchFft
{
public:
    BatchFft(int rows, int length);

    /// In place; `sign` is -1 forwards and +1 backwards. Backwards is not divided by the length.
    void transform(std::vector<double>& re, std::vector<double>& im, int sign);

    int rows() const { return m_rows; }
    int length() const { return m_length; }

private:
    void reverse(const std::vector<double>& fromRe, const std::vector<double>& fromIm);
    void butterflies(const double* fromRe, const double* fromIm, double* toRe, double* toIm, int half, int sign) const;

    int m_rows;
    int m_length;
    std::vector<int> m_reversed;
    std::vector<double> m_cos, m_sin;
    std::vector<double> m_re, m_im, m_nextRe, m_nextIm;
};

#endif
