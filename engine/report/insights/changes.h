#pragma once

#include "engine/report/insights/context.h"

#include <string>
#include <utility>
#include <vector>

/// Changes of the project that may help against an insight. The caller compiles a change before it offers it.
namespace tilewright::report {

/// Collects alternatives, the likeliest first.
class Changes {
public:
    explicit Changes(InsightContext const &context) : m_context(context) {}
    /// Twice the batch size of the plan.
    Changes &doubleBatch();
    /// Products planned each alone, or those of a layer together: the other of the two. Only where there are products.
    Changes &otherProductPlans();
    /// Partial sums of float16 products stored as float16, where they are not.
    Changes &halfPartials();
    /// Identical operations with code of their own, so that nothing is copied to a common place.
    Changes &noOutlining();
    /// Layers whose weights are float32 compute in float16.
    Changes &halfLayers();
    /// Transfers of the next micro-batch on IO tiles while the others compute. Only where none are reserved, nothing is in streaming
    /// memory, and the loop is on one IPU or a pipeline; with executions of several micro-batches.
    Changes &ioTiles();
    /// Samples sent as the bytes that they are and converted on the device: a quarter of the stream's bytes.
    Changes &bytesToDevice();
    /// The action of a row: {"set": […], "or": [{"set": […]}, …]}; "" without a change.
    std::string action() const;

private:
    void add(std::vector<std::pair<std::string, std::string>> fields); ///< values as JSON
    bool hasProducts(std::string_view type) const;                     ///< of that element type; "": of any
    InsightContext const &m_context;
    std::vector<std::vector<std::pair<std::string, std::string>>> m_all;
};

} // namespace tilewright::report
