#pragma once

#include "engine/kernels/optimizer_math.h"

#include <array>
#include <cstddef>
#include <utility>

namespace tilewright::kernels {

/// An optimizer's states as members of its update's argument and result, in the order of their tensors.
template <auto... Members> struct StateList {
    static constexpr std::size_t kCount = sizeof...(Members);
};
using MomentumStates = StateList<&MomentumState::w, &MomentumState::m>;
using RmspropStates = StateList<&RmspropState::w, &RmspropState::s>;
/// With the mean gradient, with the momentum, both or neither.
template <bool Mean, bool Momentum> struct RmspropFullList;
template <> struct RmspropFullList<false, false> {
    using Type = StateList<&RmspropFullState::w, &RmspropFullState::s>;
};
template <> struct RmspropFullList<true, false> {
    using Type = StateList<&RmspropFullState::w, &RmspropFullState::s, &RmspropFullState::mg>;
};
template <> struct RmspropFullList<false, true> {
    using Type = StateList<&RmspropFullState::w, &RmspropFullState::s, &RmspropFullState::mom>;
};
template <> struct RmspropFullList<true, true> {
    using Type = StateList<&RmspropFullState::w, &RmspropFullState::s, &RmspropFullState::mg, &RmspropFullState::mom>;
};
template <bool Mean, bool Momentum> using RmspropFullStates = typename RmspropFullList<Mean, Momentum>::Type;
using AdamStates = StateList<&AdamState::w, &AdamState::m, &AdamState::v>;
using AmsgradStates = StateList<&AmsgradState::w, &AmsgradState::m, &AmsgradState::v, &AmsgradState::vhat>;
using AdamaxStates = StateList<&AdamaxState::w, &AdamaxState::m, &AdamaxState::u>;
using AdadeltaStates = StateList<&AdadeltaState::w, &AdadeltaState::a, &AdadeltaState::d>;

namespace detail {

template <typename State> State ownerOf(float State::*);

template <auto First, auto... Rest, std::size_t... At, typename Update>
void updateLoop(StateList<First, Rest...>, std::index_sequence<At...>, std::array<float const *, 1 + sizeof...(Rest)> from,
                std::array<float *, 1 + sizeof...(Rest)> to, float const *g, float rate, std::int64_t begin, std::int64_t end,
                Update update)
{
    using State = decltype(ownerOf(First));
#pragma GCC ivdep
    for (std::int64_t i = begin; i < end; ++i) {
        State state{}; // members outside the list are 0
        state.*First = from[0][i];
        ((state.*Rest = from[At + 1][i]), ...);
        State const next = update(state, g[i], rate);
        to[0][i] = next.*First;
        ((to[At + 1][i] = next.*Rest), ...);
    }
}

} // namespace detail

/// update(state, gradient, rate) for the elements in [begin, end). Outputs may reuse the storage of their inputs, element by element:
/// iterations are independent. Everything is passed by value, so that outputs cannot alias it.
template <auto... Members, typename Update> void updateLoop(StateList<Members...> states,
                                                            std::array<float const *, sizeof...(Members)> const &from,
                                                            std::array<float *, sizeof...(Members)> const &to, float const *g, float rate,
                                                            std::int64_t begin, std::int64_t end, Update update)
{
    detail::updateLoop(states, std::make_index_sequence<sizeof...(Members) - 1>(), from, to, g, rate, begin, end, update);
}

} // namespace tilewright::kernels
