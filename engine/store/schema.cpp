#include "engine/store/schema.h"

namespace tilewright::store {

// Tables of the report format, major version 1. A compiler limit on the length of one literal makes them
// several. `figure` and program.stream are ours; readers of other origin may ignore both. Checks against more than
// two words compare with one after the other: for IN, SQLite makes a table of them anew with each row.
namespace {

constexpr char kIdentity[] = R"sql(
CREATE TABLE figure(name TEXT PRIMARY KEY, value REAL NOT NULL, unit TEXT NOT NULL,
  origin TEXT NOT NULL CHECK(origin = 'modelled' OR origin = 'estimated' OR origin = 'measured')) STRICT, WITHOUT ROWID;
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE part(
  name TEXT PRIMARY KEY,
  state TEXT NOT NULL
    CHECK(state = 'absent' OR state = 'writing' OR state = 'complete' OR state = 'truncated' OR state = 'failed'),
  rows INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,
  watermark INTEGER NOT NULL DEFAULT 0,
  note TEXT NOT NULL DEFAULT '') STRICT, WITHOUT ROWID;
CREATE TABLE option(
  scope TEXT NOT NULL,
  name TEXT NOT NULL, value TEXT NOT NULL, default_value TEXT,
  source TEXT NOT NULL CHECK(source = 'default' OR source = 'project' OR source = 'run' OR source = 'derived'),
  PRIMARY KEY(scope, name)) STRICT, WITHOUT ROWID;
CREATE TABLE name(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE target(
  id INTEGER PRIMARY KEY CHECK(id = 0),
  kind TEXT NOT NULL,
  architecture TEXT NOT NULL,
  ipus INTEGER NOT NULL, replicas INTEGER NOT NULL, ipus_per_replica INTEGER NOT NULL,
  tiles_per_ipu INTEGER NOT NULL, io_tiles_per_ipu INTEGER NOT NULL,
  bytes_per_tile INTEGER NOT NULL, worker_threads INTEGER NOT NULL,
  clock_hz INTEGER NOT NULL,
  sync_cycles_internal INTEGER NOT NULL, sync_cycles_external INTEGER NOT NULL,
  exchange_bytes_per_cycle REAL NOT NULL,
  streaming_bytes INTEGER NOT NULL
) STRICT;
CREATE TABLE ipu(id INTEGER PRIMARY KEY, replica INTEGER NOT NULL, index_in_replica INTEGER NOT NULL,
  machine INTEGER NOT NULL, board INTEGER NOT NULL, routing INTEGER NOT NULL) STRICT;
CREATE TABLE tile_place(tile INTEGER PRIMARY KEY,
  x INTEGER NOT NULL, y INTEGER NOT NULL, sync_delay INTEGER NOT NULL, io INTEGER NOT NULL) STRICT;
CREATE TABLE memory_region(id INTEGER PRIMARY KEY, kind TEXT NOT NULL
    CHECK(kind = 'non_interleaved' OR kind = 'interleaved' OR kind = 'overflowed'),
  offset INTEGER NOT NULL, bytes INTEGER NOT NULL, element_bytes INTEGER NOT NULL,
  executable INTEGER NOT NULL) STRICT;
CREATE TABLE link(id INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK(kind = 'ipu' OR kind = 'gateway' OR kind = 'host'),
  ipu_a INTEGER REFERENCES ipu, ipu_b INTEGER REFERENCES ipu,
  lanes INTEGER NOT NULL, bytes_per_second INTEGER NOT NULL) STRICT;
CREATE TABLE debug_context(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES debug_context,
  level TEXT NOT NULL,
  name INTEGER NOT NULL REFERENCES name, file INTEGER REFERENCES name, line INTEGER,
  detail TEXT NOT NULL DEFAULT '{}' CHECK(json_valid(detail))) STRICT;
CREATE TABLE stage(id INTEGER PRIMARY KEY, name INTEGER NOT NULL REFERENCES name,
  index_in_replica INTEGER NOT NULL) STRICT;
CREATE TABLE op(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES op,
  level TEXT NOT NULL CHECK(level = 'keras' OR level = 'graph' OR level = 'library' OR level = 'compute_set'),
  name INTEGER NOT NULL REFERENCES name, kind INTEGER NOT NULL REFERENCES name,
  pass TEXT NOT NULL CHECK(pass = 'forward' OR pass = 'recompute' OR pass = 'backward' OR pass = 'update' OR pass = 'other'),
  stage INTEGER REFERENCES stage, context INTEGER REFERENCES debug_context,
  flops INTEGER NOT NULL DEFAULT 0,
  code_exclusive INTEGER NOT NULL DEFAULT 0, code_shared INTEGER NOT NULL DEFAULT 0,
  code_attributed REAL NOT NULL DEFAULT 0,
  variable_bytes INTEGER NOT NULL DEFAULT 0, vertex_state_bytes INTEGER NOT NULL DEFAULT 0,
  cycles_estimated INTEGER NOT NULL DEFAULT 0, cycles_ideal INTEGER NOT NULL DEFAULT 0,
  plan TEXT NOT NULL DEFAULT '{}' CHECK(json_valid(plan))) STRICT;
CREATE INDEX op_parent ON op(parent);
CREATE TABLE op_edge(from_op INTEGER NOT NULL REFERENCES op, to_op INTEGER NOT NULL REFERENCES op,
  variable INTEGER NOT NULL, PRIMARY KEY(from_op, to_op, variable)) STRICT, WITHOUT ROWID;
CREATE TABLE op_program(op INTEGER NOT NULL REFERENCES op, program INTEGER NOT NULL,
  PRIMARY KEY(op, program)) STRICT, WITHOUT ROWID;
CREATE INDEX op_program_back ON op_program(program);
CREATE TABLE program(id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL, name INTEGER NOT NULL REFERENCES name,
  op INTEGER REFERENCES op, context INTEGER REFERENCES debug_context,
  compute_set INTEGER, callee INTEGER,
  repeat_count INTEGER, stream INTEGER REFERENCES stream,
  control_code_vec INTEGER, code_bytes INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE program_child(parent INTEGER NOT NULL REFERENCES program, position INTEGER NOT NULL,
  child INTEGER NOT NULL REFERENCES program, label TEXT NOT NULL DEFAULT '',
  PRIMARY KEY(parent, position)) STRICT, WITHOUT ROWID;
CREATE INDEX program_child_back ON program_child(child);
CREATE TABLE function(id INTEGER PRIMARY KEY, name INTEGER NOT NULL REFERENCES name,
  root INTEGER NOT NULL REFERENCES program, entry INTEGER NOT NULL) STRICT;
CREATE TABLE program_variable(program INTEGER NOT NULL REFERENCES program, variable INTEGER NOT NULL,
  access TEXT NOT NULL CHECK(access = 'read' OR access = 'write' OR access = 'update'),
  PRIMARY KEY(program, variable, access)) STRICT, WITHOUT ROWID;
)sql";

constexpr char kVertices[] = R"sql(
CREATE TABLE vertex_type(id INTEGER PRIMARY KEY, name INTEGER NOT NULL REFERENCES name,
  code_bytes INTEGER NOT NULL, code_vec INTEGER) STRICT;
CREATE TABLE compute_set(id INTEGER PRIMARY KEY, name INTEGER NOT NULL REFERENCES name,
  op INTEGER REFERENCES op, vertices INTEGER NOT NULL,
  cycles_vec INTEGER NOT NULL, cycles_max INTEGER NOT NULL, active_tiles INTEGER NOT NULL) STRICT;
CREATE TABLE compute_set_vertex(compute_set INTEGER NOT NULL REFERENCES compute_set,
  vertex_type INTEGER NOT NULL REFERENCES vertex_type, count INTEGER NOT NULL,
  count_vec INTEGER NOT NULL, state_bytes INTEGER NOT NULL,
  PRIMARY KEY(compute_set, vertex_type)) STRICT, WITHOUT ROWID;
CREATE TABLE exchange(program INTEGER PRIMARY KEY REFERENCES program,
  kind TEXT NOT NULL CHECK(kind = 'internal' OR kind = 'global' OR kind = 'host' OR kind = 'remote'),
  bytes_sent INTEGER NOT NULL, bytes_received INTEGER NOT NULL,
  sent_vec INTEGER, received_vec INTEGER, cycles_vec INTEGER, code_vec INTEGER,
  header_bytes INTEGER NOT NULL, pairs BLOB) STRICT;
CREATE TABLE stream(id INTEGER PRIMARY KEY, name INTEGER NOT NULL REFERENCES name,
  direction TEXT NOT NULL CHECK(direction IN ('to_device','from_device')),
  memory TEXT NOT NULL CHECK(memory IN ('host','remote')),
  bytes_per_transfer INTEGER NOT NULL, buffering INTEGER NOT NULL) STRICT;
)sql";

constexpr char kVariables[] = R"sql(
CREATE TABLE variable(id INTEGER PRIMARY KEY, name INTEGER NOT NULL REFERENCES name,
  op INTEGER REFERENCES op, context INTEGER REFERENCES debug_context,
  role TEXT NOT NULL,
  dtype TEXT NOT NULL, shape TEXT NOT NULL CHECK(json_valid(shape)),
  elements INTEGER NOT NULL, bytes INTEGER NOT NULL, bytes_vec INTEGER,
  always_live INTEGER NOT NULL, first_step INTEGER, last_step INTEGER, last_use_step INTEGER) STRICT;
CREATE INDEX variable_op ON variable(op);
CREATE TABLE layout(id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, items INTEGER NOT NULL,
  data BLOB NOT NULL) STRICT;
CREATE TABLE tile_layout(tile INTEGER PRIMARY KEY, layout INTEGER NOT NULL REFERENCES layout) STRICT;
CREATE TABLE liveness_class(id INTEGER PRIMARY KEY, always_live INTEGER NOT NULL) STRICT;
CREATE TABLE liveness_interval(class INTEGER NOT NULL REFERENCES liveness_class,
  first_step INTEGER NOT NULL, end_step INTEGER NOT NULL CHECK(end_step > first_step),
  PRIMARY KEY(class, first_step)) STRICT, WITHOUT ROWID;
CREATE TABLE liveness_step(step INTEGER PRIMARY KEY, program INTEGER NOT NULL REFERENCES program,
  stage INTEGER REFERENCES stage, pass TEXT) STRICT;
CREATE TABLE live_curve(scope TEXT NOT NULL CHECK(scope = 'all' OR scope = 'ipu' OR scope = 'stage'),
  scope_id INTEGER NOT NULL, always_live INTEGER NOT NULL, peak INTEGER NOT NULL,
  peak_step INTEGER NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY(scope, scope_id)) STRICT, WITHOUT ROWID;
CREATE TABLE live_peak(scope TEXT NOT NULL, scope_id INTEGER NOT NULL, rank INTEGER NOT NULL,
  step INTEGER NOT NULL, bytes INTEGER NOT NULL,
  PRIMARY KEY(scope, scope_id, rank)) STRICT, WITHOUT ROWID;
CREATE TABLE tile_vec(id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE,
  tiles INTEGER NOT NULL, sum INTEGER NOT NULL, min INTEGER NOT NULL, max INTEGER NOT NULL,
  argmax INTEGER NOT NULL, nonzero INTEGER NOT NULL, encoding INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
CREATE TABLE tile_metric(name TEXT PRIMARY KEY, vec INTEGER NOT NULL REFERENCES tile_vec) STRICT, WITHOUT ROWID;
CREATE TABLE memory_part(category TEXT NOT NULL, region TEXT NOT NULL, overlapped INTEGER NOT NULL,
  vec INTEGER NOT NULL REFERENCES tile_vec, PRIMARY KEY(category, region, overlapped)) STRICT, WITHOUT ROWID;
CREATE TABLE remote_buffer(id INTEGER PRIMARY KEY, name INTEGER NOT NULL REFERENCES name,
  variable INTEGER REFERENCES variable, bytes INTEGER NOT NULL, rows INTEGER NOT NULL) STRICT;
CREATE TABLE verdict(scope TEXT NOT NULL, scope_id INTEGER NOT NULL, fits INTEGER NOT NULL,
  worst_tile INTEGER NOT NULL, bytes INTEGER NOT NULL, capacity INTEGER NOT NULL,
  cause TEXT CHECK(cause = 'total' OR cause = 'executable_region' OR cause = 'interleaved_region' OR cause = 'gaps'),
  peak_step INTEGER, PRIMARY KEY(scope, scope_id)) STRICT, WITHOUT ROWID;
)sql";

constexpr char kRuns[] = R"sql(
CREATE TABLE run(id INTEGER PRIMARY KEY, name INTEGER NOT NULL REFERENCES name,
  kind TEXT NOT NULL CHECK(kind = 'train' OR kind = 'evaluate' OR kind = 'predict' OR kind = 'profile'),
  mode TEXT NOT NULL CHECK(mode IN ('tile','fused')),
  state TEXT NOT NULL CHECK(state = 'running' OR state = 'paused' OR state = 'done' OR state = 'stopped' OR state = 'failed'),
  cycles INTEGER NOT NULL, steps INTEGER NOT NULL, samples INTEGER NOT NULL,
  host_start_ns INTEGER NOT NULL, host_ns INTEGER NOT NULL,
  verify_error REAL) STRICT;
CREATE TABLE pattern(id INTEGER PRIMARY KEY, name INTEGER NOT NULL REFERENCES name,
  cycles INTEGER NOT NULL, exact INTEGER NOT NULL) STRICT;
CREATE TABLE pattern_place(run INTEGER NOT NULL REFERENCES run, seq INTEGER NOT NULL,
  pattern INTEGER NOT NULL REFERENCES pattern, start_cycle INTEGER NOT NULL,
  repeats INTEGER NOT NULL, period INTEGER NOT NULL, first_step INTEGER NOT NULL,
  PRIMARY KEY(run, seq)) STRICT, WITHOUT ROWID;
CREATE TABLE lane(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES lane, name INTEGER NOT NULL REFERENCES name,
  kind TEXT NOT NULL,
  time_base TEXT NOT NULL CHECK(time_base IN ('cycle','ns')),
  ipu INTEGER REFERENCES ipu, stage INTEGER REFERENCES stage, link INTEGER REFERENCES link,
  depth INTEGER NOT NULL) STRICT;
CREATE TABLE event_type(id INTEGER PRIMARY KEY, name INTEGER NOT NULL REFERENCES name,
  phase TEXT NOT NULL,
  program INTEGER REFERENCES program, op INTEGER REFERENCES op, stage INTEGER REFERENCES stage) STRICT;
CREATE TABLE event_chunk(pattern INTEGER NOT NULL REFERENCES pattern, lane INTEGER NOT NULL REFERENCES lane,
  seq INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, events INTEGER NOT NULL,
  busy INTEGER NOT NULL, longest INTEGER NOT NULL, longest_index INTEGER NOT NULL,
  compute INTEGER NOT NULL, exchange INTEGER NOT NULL, stream INTEGER NOT NULL, sync INTEGER NOT NULL,
  data BLOB NOT NULL, PRIMARY KEY(pattern, lane, seq)) STRICT;
CREATE TABLE step_stat(run INTEGER NOT NULL REFERENCES run, program INTEGER NOT NULL REFERENCES program,
  ipu INTEGER NOT NULL REFERENCES ipu, executions INTEGER NOT NULL,
  cycles INTEGER NOT NULL, cycles_min INTEGER NOT NULL, cycles_max INTEGER NOT NULL,
  bytes_in INTEGER NOT NULL, bytes_out INTEGER NOT NULL, overlapped INTEGER NOT NULL,
  tile_balance REAL NOT NULL, active_tile_balance REAL NOT NULL, data_balance REAL NOT NULL,
  active_tiles INTEGER NOT NULL, PRIMARY KEY(run, program, ipu)) STRICT, WITHOUT ROWID;
CREATE TABLE step_outlier(run INTEGER NOT NULL, program INTEGER NOT NULL, ipu INTEGER NOT NULL,
  step INTEGER NOT NULL, start_cycle INTEGER NOT NULL, cycles INTEGER NOT NULL,
  PRIMARY KEY(run, program, ipu, step)) STRICT, WITHOUT ROWID;
CREATE TABLE ipu_split(run INTEGER NOT NULL REFERENCES run, ipu INTEGER NOT NULL REFERENCES ipu,
  compute INTEGER NOT NULL, internal_exchange INTEGER NOT NULL, global_exchange INTEGER NOT NULL,
  stream INTEGER NOT NULL, sync INTEGER NOT NULL, idle INTEGER NOT NULL,
  overlapped INTEGER NOT NULL, tile_cycles INTEGER NOT NULL,
  PRIMARY KEY(run, ipu)) STRICT, WITHOUT ROWID;
CREATE TABLE run_tile_metric(run INTEGER NOT NULL REFERENCES run, name TEXT NOT NULL,
  vec INTEGER NOT NULL REFERENCES tile_vec, PRIMARY KEY(run, name)) STRICT, WITHOUT ROWID;
CREATE TABLE stage_task(pattern INTEGER NOT NULL REFERENCES pattern, ipu INTEGER NOT NULL REFERENCES ipu,
  seq INTEGER NOT NULL, slot INTEGER NOT NULL, stage INTEGER NOT NULL REFERENCES stage, micro_batch INTEGER NOT NULL,
  pass TEXT NOT NULL, start_cycle INTEGER NOT NULL, end_cycle INTEGER NOT NULL, slack INTEGER NOT NULL,
  PRIMARY KEY(pattern, ipu, seq)) STRICT, WITHOUT ROWID;
CREATE TABLE bubble(pattern INTEGER NOT NULL REFERENCES pattern, ipu INTEGER NOT NULL REFERENCES ipu,
  start_cycle INTEGER NOT NULL, end_cycle INTEGER NOT NULL,
  cause TEXT NOT NULL CHECK(cause = 'ramp_up' OR cause = 'ramp_down' OR cause = 'imbalance' OR cause = 'schedule' OR cause = 'transfer'
    OR cause = 'host' OR cause = 'update'),
  waiting_for INTEGER REFERENCES ipu, PRIMARY KEY(pattern, ipu, start_cycle)) STRICT, WITHOUT ROWID;
CREATE TABLE flow(id INTEGER PRIMARY KEY, pattern INTEGER NOT NULL REFERENCES pattern,
  kind TEXT NOT NULL,
  from_lane INTEGER NOT NULL, from_time INTEGER NOT NULL, to_lane INTEGER NOT NULL, to_time INTEGER NOT NULL,
  bytes INTEGER NOT NULL, variable INTEGER) STRICT;
CREATE TABLE critical(pattern INTEGER NOT NULL REFERENCES pattern, seq INTEGER NOT NULL,
  lane INTEGER NOT NULL, event_type INTEGER NOT NULL, start_cycle INTEGER NOT NULL, end_cycle INTEGER NOT NULL,
  culprit_tile INTEGER, PRIMARY KEY(pattern, seq)) STRICT, WITHOUT ROWID;
)sql";

constexpr char kRecords[] = R"sql(
CREATE TABLE compile_pass(id INTEGER PRIMARY KEY, parent INTEGER REFERENCES compile_pass,
  name INTEGER NOT NULL REFERENCES name, start_ns INTEGER NOT NULL, end_ns INTEGER,
  items_before INTEGER, items_after INTEGER, peak_host_bytes INTEGER,
  cache TEXT, cache_reason TEXT, snapshot BLOB) STRICT;
CREATE TABLE series(id INTEGER PRIMARY KEY, run INTEGER REFERENCES run, name INTEGER NOT NULL REFERENCES name,
  unit TEXT NOT NULL, axis TEXT NOT NULL CHECK(axis = 'step' OR axis = 'epoch' OR axis = 'cycle' OR axis = 'ns'),
  subject_kind TEXT, subject_id INTEGER) STRICT;
CREATE TABLE series_chunk(series INTEGER NOT NULL REFERENCES series, seq INTEGER NOT NULL,
  x_first INTEGER NOT NULL, x_last INTEGER NOT NULL, points INTEGER NOT NULL,
  y_min REAL, y_max REAL, y_mean REAL, nans INTEGER NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY(series, seq)) STRICT;
CREATE TABLE heatmap(id INTEGER PRIMARY KEY, run INTEGER REFERENCES run, name INTEGER NOT NULL REFERENCES name,
  unit TEXT NOT NULL, axis TEXT NOT NULL, op INTEGER REFERENCES op, edges BLOB NOT NULL) STRICT;
CREATE TABLE heatmap_column(heatmap INTEGER NOT NULL REFERENCES heatmap, x INTEGER NOT NULL,
  below INTEGER NOT NULL, above INTEGER NOT NULL, nans INTEGER NOT NULL, zeros INTEGER NOT NULL,
  data BLOB NOT NULL, PRIMARY KEY(heatmap, x)) STRICT;
CREATE TABLE insight(id INTEGER PRIMARY KEY, rule TEXT NOT NULL, rule_version INTEGER NOT NULL,
  severity TEXT NOT NULL CHECK(severity = 'error' OR severity = 'warning' OR severity = 'advice' OR severity = 'note'),
  subject_kind TEXT NOT NULL, subject_id INTEGER,
  numbers TEXT NOT NULL CHECK(json_valid(numbers)),
  evidence TEXT NOT NULL,
  action TEXT CHECK(action IS NULL OR json_valid(action)),
  gain_bytes INTEGER, gain_cycles INTEGER) STRICT;
CREATE TABLE log(id INTEGER PRIMARY KEY, host_ns INTEGER NOT NULL, level INTEGER NOT NULL,
  component TEXT NOT NULL, code TEXT NOT NULL, text TEXT NOT NULL, repeats INTEGER NOT NULL,
  run INTEGER, ipu INTEGER, tile INTEGER, step INTEGER, op INTEGER) STRICT;
)sql";

constexpr char kProject[] = R"sql(
CREATE TABLE document(name TEXT PRIMARY KEY, json TEXT NOT NULL CHECK(json_valid(json))) STRICT, WITHOUT ROWID;
CREATE TABLE checkpoint(name TEXT PRIMARY KEY, epoch INTEGER NOT NULL, step INTEGER NOT NULL,
  saved_utc TEXT NOT NULL, json TEXT NOT NULL CHECK(json_valid(json))) STRICT, WITHOUT ROWID;
CREATE TABLE checkpoint_tensor(checkpoint TEXT NOT NULL REFERENCES checkpoint, position INTEGER NOT NULL,
  name TEXT NOT NULL, dtype TEXT NOT NULL, shape TEXT NOT NULL, bytes INTEGER NOT NULL, crc INTEGER NOT NULL,
  encoding INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY(checkpoint, position)) STRICT;
CREATE TABLE run_history(id INTEGER PRIMARY KEY AUTOINCREMENT, started_utc TEXT NOT NULL, title TEXT NOT NULL,
  kind TEXT NOT NULL, state TEXT NOT NULL, report TEXT NOT NULL,
  json TEXT NOT NULL CHECK(json_valid(json))) STRICT;
)sql";

// Names spelled out, for people and rules. Cycles of an op are those its programs took in the runs of the
// file; without a run they are the estimate.
constexpr char kViews[] = R"sql(
CREATE VIEW v_op_cost AS
  SELECT o.id AS op, n.text AS name, k.text AS kind, o.level AS level, o.pass AS pass, s.text AS stage,
    o.parent AS parent, o.flops AS flops, o.cycles_estimated AS cycles_estimated,
    o.cycles_ideal AS cycles_ideal, c.executions AS executions, c.cycles AS cycles,
    c.bytes_in AS bytes_in, c.bytes_out AS bytes_out, o.code_exclusive AS code_exclusive,
    o.code_shared AS code_shared, o.code_attributed AS code_attributed,
    o.variable_bytes AS variable_bytes, o.vertex_state_bytes AS vertex_state_bytes
  FROM op o JOIN name n ON n.id = o.name JOIN name k ON k.id = o.kind
    LEFT JOIN stage t ON t.id = o.stage LEFT JOIN name s ON s.id = t.name
    LEFT JOIN (SELECT p.op AS op, sum(x.executions) AS executions, sum(x.cycles) AS cycles,
        sum(x.bytes_in) AS bytes_in, sum(x.bytes_out) AS bytes_out
      FROM step_stat x JOIN program p ON p.id = x.program GROUP BY p.op) c ON c.op = o.id;
CREATE VIEW v_tile_memory AS
  SELECT m.name AS metric, v.tiles AS tiles, v.sum AS total, v.min AS minimum, v.max AS maximum,
    v.argmax AS worst_tile, v.nonzero AS tiles_used FROM tile_metric m JOIN tile_vec v ON v.id = m.vec
  UNION ALL
  SELECT p.category || '/' || p.region || CASE p.overlapped WHEN 0 THEN '' ELSE '/overlapped' END,
    v.tiles, v.sum, v.min, v.max, v.argmax, v.nonzero FROM memory_part p JOIN tile_vec v ON v.id = p.vec;
CREATE VIEW v_variable AS
  SELECT v.id AS variable, n.text AS name, o.text AS op, v.role AS role, v.dtype AS dtype, v.shape AS shape,
    v.elements AS elements, v.bytes AS bytes, v.always_live AS always_live, v.first_step AS first_step,
    v.last_step AS last_step, v.last_use_step AS last_use_step, b.max AS bytes_on_worst_tile,
    b.argmax AS worst_tile, b.nonzero AS tiles
  FROM variable v JOIN name n ON n.id = v.name LEFT JOIN op p ON p.id = v.op LEFT JOIN name o ON o.id = p.name
    LEFT JOIN tile_vec b ON b.id = v.bytes_vec;
CREATE VIEW v_step AS
  SELECT l.step AS step, l.program AS program, p.kind AS kind, n.text AS name, o.text AS op, s.text AS stage,
    l.pass AS pass, c.cycles_max AS cycles_estimated, c.active_tiles AS active_tiles, c.vertices AS vertices
  FROM liveness_step l JOIN program p ON p.id = l.program JOIN name n ON n.id = p.name
    LEFT JOIN op q ON q.id = p.op LEFT JOIN name o ON o.id = q.name
    LEFT JOIN stage t ON t.id = l.stage LEFT JOIN name s ON s.id = t.name
    LEFT JOIN compute_set c ON c.id = p.compute_set;
)sql";

} // namespace

std::vector<std::string> reportSchema() { return {kIdentity, kVertices, kVariables, kRuns, kRecords, kViews}; }

std::vector<std::string> projectSchema() { return {kProject}; }

} // namespace tilewright::store
