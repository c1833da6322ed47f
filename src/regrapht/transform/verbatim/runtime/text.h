// snprintf of whole numbers, characters and words.
namespace verbatim {
struct Printed {
    unsigned long long value = 0;
    const char* word = nullptr;
    bool negative = false;
    __host__ __device__ Printed() {}
    __host__ __device__ Printed(const char* text) : word(text) {}
    template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0>
    __host__ __device__ Printed(T v) : value((unsigned long long)v), negative(v < 0) {
        if (negative) value = 0 - value;
    }
};
struct Line {
    char* to;
    std::size_t size, used;
    __host__ __device__ void put(char c) {
        if (used + 1 < size) to[used] = c;
        ++used;
    }
    __host__ __device__ void padded(const char* text, int length, int width, bool left, bool zeros, bool minus) {
        const int all = length + minus, blanks = width > all ? width - all : 0;
        if (!left && !zeros) for (int i = 0; i < blanks; ++i) put(' ');
        if (minus) put('-');
        if (!left && zeros) for (int i = 0; i < blanks; ++i) put('0');
        for (int i = 0; i < length; ++i) put(text[i]);
        if (left) for (int i = 0; i < blanks; ++i) put(' ');
    }
};
// A negative number under %u or %x is the value of its unsigned type, which `bits` says.
__host__ __device__ inline void print_one(Line& line, char kind, int width, bool left, bool zeros, const Printed& given, int bits) {
    char digits[24];
    int length = 0;
    if (kind == 's') {
        while (given.word[length] != 0) ++length;
        return line.padded(given.word, length, width, left, false, false);
    }
    unsigned long long value = given.value;
    const bool is_signed = kind == 'd' || kind == 'i';
    if (given.negative && !is_signed) value = (0 - value) & (bits == 64 ? ~0ull : (1ull << bits) - 1);
    if (kind == 'c') {
        digits[0] = (char)(given.negative ? 0 - given.value : given.value);
        return line.padded(digits, 1, width, left, false, false);
    }
    const unsigned base = kind == 'x' || kind == 'X' ? 16 : kind == 'o' ? 8 : 10;
    const char ten = kind == 'X' ? 'A' : 'a';
    do {
        const int digit = (int)(value % base);
        digits[23 - length++] = (char)(digit < 10 ? '0' + digit : ten + digit - 10);
        value /= base;
    } while (value != 0);
    line.padded(digits + 24 - length, length, width, left, zeros && !left, given.negative && is_signed);
}
template <class... A> __host__ __device__ int snprintf(char* to, std::size_t size, const char* format, A... values) {
    const Printed all[sizeof...(A) + 1] = {Printed(values)..., Printed()};
    const int bits[sizeof...(A) + 1] = {(int)(sizeof(A) < 4 ? 32 : 8 * sizeof(A))..., 0};
    Line line{to, size, 0};
    int next = 0;
    for (; *format != 0; ++format) {
        if (*format != '%') { line.put(*format); continue; }
        if (*++format == '%') { line.put('%'); continue; }
        bool left = false, zeros = false;
        for (; *format == '-' || *format == '0'; ++format) (*format == '-' ? left : zeros) = true;
        int width = 0;
        for (; *format >= '0' && *format <= '9'; ++format) width = 10 * width + (*format - '0');
        while (*format == 'l' || *format == 'z' || *format == 'h') ++format;
        print_one(line, *format, width, left, zeros, all[next], bits[next]);
        ++next;
    }
    if (size > 0) to[line.used < size ? line.used : size - 1] = 0;
    return (int)line.used;
}
}  // namespace verbatim
