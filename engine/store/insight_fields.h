#pragma once

#include "engine/report/insight_tables.h"
#include "engine/store/row_of.h"

// Columns of the tables of engine/report/insight_tables.h, as row_fields.h says.
namespace tilewright::store {

template <typename V, RowOf<InsightRow> R> void fields(V &v, R &r)
{
    v.text("rule", r.rule);
    v.integer("rule_version", r.ruleVersion);
    v.text("severity", r.severity);
    v.text("subject_kind", r.subjectKind);
    v.id("subject_id", r.subjectId);
    v.text("numbers", r.numbers);
    v.text("evidence", r.evidence);
    v.textOrNull("action", r.action);
    v.optional("gain_bytes", r.gainBytes);
    v.optional("gain_cycles", r.gainCycles);
}

} // namespace tilewright::store
