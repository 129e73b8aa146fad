#!/usr/bin/env bash
# Trains in a loop with a report that grows, and reads it with eight readers all the while.
# Usage: soak.sh PROGRAM FOLDER SECONDS
# Holds: no reader fails; the training's memory does not grow with its report; SIGTERM ends it in order, with what it
# trained; the report keeps its invariants.
set -euo pipefail

[ $# = 3 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
program=$1 folder=$2 seconds=$3
rounds=5
# Megabytes that a training may grow by after its first quarter, and that a reader may take in all.
growth_limit=${SOAK_GROWTH_MB:-48}
reader_limit=${SOAK_READER_MB:-1024}

rm -rf -- "$folder"
mkdir -p -- "$folder"/{cache,state,run,tmp,home,failures}
cd -- "$folder"
export XDG_CACHE_HOME=$PWD/cache XDG_STATE_HOME=$PWD/state TILEWRIGHT_RUN_DIR=$PWD/run TMPDIR=$PWD/tmp HOME=$PWD/home

say() { printf 'soak: %s\n' "$*"; }
bad=0
complain() {
    say "FAILED: $*"
    bad=1
}

# The eight readers, each in a loop until the file "stop" is there.
reader_arguments=(
    "check-report R"
    "report R summary --json"
    "report R memory"
    "report R liveness --json"
    "report R timeline"
    "report R insights"
    "report R sql SELECT_COUNT"
    "report R export --to html OUT"
)
reader() {
    local number=$1 words reads=0 status arguments=() word report
    read -r -a words <<<"${reader_arguments[number]}"
    while [ ! -e stop ]; do
        report=$(cat current 2>/dev/null || true)
        if [ -z "$report" ] || [ ! -e "$report" ]; then
            sleep 0.05
            continue
        fi
        arguments=()
        for word in "${words[@]}"; do
            case $word in
                R) arguments+=("$report") ;;
                OUT) arguments+=("export-$number.html") ;;
                SELECT_COUNT) arguments+=("SELECT count(*) FROM events(0, 0, 0, 1000000000)") ;;
                *) arguments+=("$word") ;;
            esac
        done
        status=0
        (ulimit -v $((reader_limit * 1024)); exec "$program" "${arguments[@]}") >"reader-$number.out" 2>"reader-$number.err" || status=$?
        reads=$((reads + 1))
        if [ "$status" != 0 ]; then
            { printf 'exit %s: %s\n' "$status" "${arguments[*]}"; tail -n 5 "reader-$number.out"; cat "reader-$number.err"; } \
                >"failures/reader-$number-$reads"
        fi
        printf '%s\n' "$reads" >"reads-$number"
    done
}

rss_kib() { sed -n 's/^VmRSS:[[:space:]]*\([0-9]*\) kB$/\1/p' "/proc/$1/status" 2>/dev/null || true; }

"$program" new mnist-mlp soak.tilewright data.limit=640 training.batch_size=32 training.epochs=100000000 \
    model.layers.dense.units=16 model.layers.dense_1.units=8 system.target=gc200:tiles=8 --quiet
readers=()
for number in "${!reader_arguments[@]}"; do
    reader "$number" &
    readers+=($!)
done

train_pid=
finish() {
    touch stop
    [ -z "$train_pid" ] || kill "$train_pid" 2>/dev/null || true
    wait 2>/dev/null || true
}
trap finish EXIT

resume=()
for ((round = 1; round <= rounds; ++round)); do
    report=round-$round.twreport
    begin=$(date +%s)
    "$program" train soak.tilewright --report "$report" "${resume[@]}" --json >"train-$round.out" 2>"train-$round.err" &
    train_pid=$!
    printf '%s\n' "$report" >current
    early=0 late=0
    while [ $(($(date +%s) - begin)) -lt $((seconds / rounds)) ]; do
        sleep 0.5
        now=$(rss_kib "$train_pid")
        [ -n "$now" ] || break
        late=$now
        # The first quarter fills caches and pools.
        if [ $((($(date +%s) - begin) * 4)) -lt $((seconds / rounds)) ] && [ "$now" -gt "$early" ]; then early=$now; fi
    done
    status=0
    kill -TERM "$train_pid" 2>/dev/null || complain "round $round: the training had ended: $(tail -n 3 "train-$round.err")"
    wait "$train_pid" || status=$?
    train_pid=
    [ "$status" = 6 ] || complain "round $round: exit code $status after SIGTERM, not 6: $(tail -n 3 "train-$round.err")"
    [ $((late - early)) -le $((growth_limit * 1024)) ] || complain "round $round: memory grew from $early to $late KiB"
    # Readers that follow at the end keep a log beside the report; the file alone is whole.
    cp -- "$report" alone.twreport
    for word in "$report" alone.twreport; do
        "$program" check-report "$word" >"check-$round.out" 2>&1 || complain "round $round: $word: $(head -n 5 "check-$round.out")"
    done
    state=$("$program" report alone.twreport sql "SELECT group_concat(DISTINCT state) FROM run" --json | tr -d '[:space:]')
    [[ $state != *'"running"'* ]] || complain "round $round: the report alone does not know that its run has ended: $state"
    "$program" evaluate soak.tilewright --quiet >/dev/null 2>"evaluate-$round.err" || complain "round $round: the weights cannot be used: $(cat "evaluate-$round.err")"
    say "round $round: $(grep -c '"event":"epoch"' "train-$round.out" || true) epochs, report of $(($(stat -c %s "$report") / 1024)) KiB, memory $early to $late KiB"
    resume=(--resume last)
done

touch stop
wait "${readers[@]}" || true
total=0
for number in "${!reader_arguments[@]}"; do
    reads=$(cat "reads-$number" 2>/dev/null || echo 0)
    [ "$reads" -gt 0 ] || complain "reader $number read nothing"
    total=$((total + reads))
done
failures=$(find failures -type f | wc -l)
if [ "$failures" != 0 ]; then
    complain "$failures of $total readings failed"
    find failures -type f | sort | head -n 3 | xargs cat
fi
left=$(find . -name 'soak.tilewright-*' -o -name '.*.tilewright-*' | grep -v '^\./cache' || true)
[ -z "$left" ] || complain "left behind: $left"
say "$rounds rounds, $total readings by ${#readers[@]} readers"
exit "$bad"
