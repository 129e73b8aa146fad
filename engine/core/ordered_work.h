#pragma once

#include "engine/core/host_work.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace tilewright {

/// Pieces that pool threads make in any order and that are consumed in order. Use it for results that are slow to make and go to one place.
/// One thread consumes at a time, and it makes pieces that no other thread has begun.
template <typename T> class OrderedWork {
public:
    /// At most `ahead` finished pieces wait, to bound their memory.
    OrderedWork(std::size_t pieces, std::size_t ahead, std::function<T(std::size_t)> make)
        : m_make(std::move(make)), m_ahead(ahead), m_pieces(pieces)
    {
    }

    /// Calls take(piece) for each piece in order; false ends the run. Rethrows an exception of make or take. Ignores cancellation of the
    /// job: a piece that was begun is finished or fails.
    void run(HostWork const &work, std::function<bool(std::size_t, T)> const &take)
    {
        std::size_t const threads = work.pool ? static_cast<std::size_t>(work.pool->threads()) : 1;
        if (threads == 1 || m_pieces.size() < 2) {
            for (std::size_t i = 0; i < m_pieces.size(); ++i)
                if (!take(i, m_make(i))) return;
            return;
        }
        work.pool->run(threads, [&](std::size_t role) {
            try {
                if (role == 0) takeAll(take);
                else makeAhead();
            } catch (...) {
                end();
                throw;
            }
            if (role == 0) end();
        });
    }

private:
    struct Piece {
        bool begun = false;
        std::optional<T> made;
    };

    void takeAll(std::function<bool(std::size_t, T)> const &take)
    {
        for (std::size_t i = 0; i < m_pieces.size(); ++i) {
            auto piece = next(i);
            if (!piece || !take(i, std::move(*piece))) return;
        }
    }

    /// The next piece in order; nullopt if a thread failed.
    std::optional<T> next(std::size_t i)
    {
        std::unique_lock lock(m_mutex);
        m_taken = i;
        m_changed.notify_all();
        auto &piece = m_pieces[i];
        if (!piece.begun) {
            piece.begun = true;
            lock.unlock();
            return m_make(i);
        }
        m_changed.wait(lock, [&] { return m_ended || piece.made; });
        return std::exchange(piece.made, std::nullopt);
    }

    void makeAhead()
    {
        std::unique_lock lock(m_mutex);
        for (;;) {
            m_changed.wait(lock, [&] {
                m_begin = std::max(m_begin, m_taken);
                while (m_begin < m_pieces.size() && m_pieces[m_begin].begun) ++m_begin;
                return m_ended || m_begin == m_pieces.size() || m_begin <= m_taken + m_ahead;
            });
            if (m_ended || m_begin == m_pieces.size()) return;
            auto const i = m_begin;
            m_pieces[i].begun = true;
            lock.unlock();
            auto made = m_make(i);
            lock.lock();
            m_pieces[i].made = std::move(made);
            m_changed.notify_all();
        }
    }

    void end()
    {
        {
            std::lock_guard const lock(m_mutex);
            m_ended = true;
        }
        m_changed.notify_all();
    }

    std::function<T(std::size_t)> m_make;
    std::size_t m_ahead;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<Piece> m_pieces; ///< guarded by m_mutex, as the members below
    std::size_t m_taken = 0;     ///< the next piece to consume
    std::size_t m_begin = 0;     ///< no piece before it is free
    bool m_ended = false;
};

} // namespace tilewright
