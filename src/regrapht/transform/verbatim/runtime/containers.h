// std::deque and the adapters, of a turn: over what a turn's vector is.
namespace verbatim {
template <class T> struct deque {
    local_vector<T> held_;
    std::size_t from_ = 0;  // what was popped at the front is dropped when the memory is full
    __device__ deque() {}
    __device__ explicit deque(std::size_t n, const T& value = T()) : held_(n, value) {}
    __device__ T& operator[](std::size_t i) const { return held_[from_ + i]; }
    __device__ T* begin() const { return held_.begin() + from_; }
    __device__ T* end() const { return held_.end(); }
    __device__ std::size_t size() const { return held_.size() - from_; }
    __device__ bool empty() const { return size() == 0; }
    __device__ T& front() const { return held_[from_]; }
    __device__ T& back() const { return held_.back(); }
    __device__ void push_back(const T& value) {
        const T kept = value;
        if (from_ > 0 && held_.size() == held_.room_) drop();
        held_.push_back(kept);
    }
    __device__ void push_front(const T& value) {
        const T kept = value;
        if (from_ == 0) make_room();
        held_[--from_] = kept;
    }
    template <class... A> __device__ void emplace_back(const A&... values) { push_back(T{values...}); }
    template <class... A> __device__ void emplace_front(const A&... values) { push_front(T{values...}); }
    __device__ void pop_back() { held_.pop_back(); }
    __device__ void pop_front() { ++from_; }
    __device__ void clear() { held_.clear(), from_ = 0; }

private:
    __device__ void drop() {
        held_.erase(held_.begin(), held_.begin() + from_);
        from_ = 0;
    }
    __device__ void make_room() {
        const std::size_t n = held_.size(), more = n < 4 ? 4 : n;
        held_.resize(n + more);
        for (std::size_t i = n; i-- > 0;) held_[i + more] = held_[i];
        from_ = more;
    }
};
template <class T> struct queue {
    deque<T> held_;
    __device__ void push(const T& value) { held_.push_back(value); }
    template <class... A> __device__ void emplace(const A&... values) { held_.push_back(T{values...}); }
    __device__ void pop() { held_.pop_front(); }
    __device__ T& front() const { return held_.front(); }
    __device__ T& back() const { return held_.back(); }
    __device__ std::size_t size() const { return held_.size(); }
    __device__ bool empty() const { return held_.empty(); }
};
template <class T, class C = void> struct stack {
    local_vector<T> held_;
    __device__ void push(const T& value) { held_.push_back(value); }
    template <class... A> __device__ void emplace(const A&... values) { held_.push_back(T{values...}); }
    __device__ void pop() { held_.pop_back(); }
    __device__ T& top() const { return held_.back(); }
    __device__ std::size_t size() const { return held_.size(); }
    __device__ bool empty() const { return held_.empty(); }
};
// A heap. Which of several equal ones is the top is left open by the standard, and may differ.
template <class T, class C = void, class L = Less> struct priority_queue {
    local_vector<T> held_;
    L less_;
    __device__ priority_queue() : less_() {}
    __device__ explicit priority_queue(const L& less) : less_(less) {}
    __device__ void push(const T& value) {
        held_.push_back(value);
        for (std::size_t i = held_.size() - 1; i > 0;) {
            const std::size_t above = (i - 1) / 2;
            if (!less_(held_[above], held_[i])) break;
            verbatim::swap(held_[above], held_[i]);
            i = above;
        }
    }
    template <class... A> __device__ void emplace(const A&... values) { push(T{values...}); }
    __device__ void pop() {
        const std::size_t last = held_.size() - 1;
        if (last > 0) verbatim::swap(held_[0], held_[last]);
        held_.pop_back();
        sift(held_.begin(), 0, (std::ptrdiff_t)last, less_);
    }
    __device__ const T& top() const { return held_.front(); }
    __device__ std::size_t size() const { return held_.size(); }
    __device__ bool empty() const { return held_.empty(); }
};
}  // namespace verbatim
