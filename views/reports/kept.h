#pragma once

#include <memory>
#include <vector>

namespace tilewright::views {

/// A part of a report that lives as long as its holder; the cache may drop its own reference at any time. Always holds a value (an empty
/// one if nothing could be read) and reads like it. Bind it with `auto`.
template <typename T> class Kept {
public:
    Kept() : m_value(std::make_shared<T const>()) {}
    Kept(std::shared_ptr<T const> value) : m_value(value ? std::move(value) : std::make_shared<T const>()) {}
    T const &operator*() const & { return *m_value; }
    T operator*() const && { return *m_value; }
    T const *operator->() const { return m_value.get(); }
    operator T const &() const & { return *m_value; }
    operator T() const && { return *m_value; } // operator T() const && { return *m_value; } // a copy: no holder remains
    std::shared_ptr<T const> const &shared() const { return m_value; }

private:
    std::shared_ptr<T const> m_value;
};

/// The same for a list, with the list's functions.
template <typename V> class KeptList : public Kept<std::vector<V>> {
public:
    using Kept<std::vector<V>>::Kept;
    using value_type = V;
    std::size_t size() const { return (*this)->size(); }
    bool empty() const { return (*this)->empty(); }
    V const &operator[](std::size_t i) const { return (*(this->operator->()))[i]; }
    V const &front() const { return (*this)->front(); }
    V const &back() const { return (*this)->back(); }
    V const *data() const { return (*this)->data(); }
    auto begin() const { return (*this)->begin(); }
    auto end() const { return (*this)->end(); }
};

} // namespace tilewright::views
