#!/bin/sh
# Runs unmodified client libraries against a server binary.
#
#   tests/clients/run.sh [SUITE...]      all of them without arguments; README.md lists them
#
# MORTISE_SERVER       the binary; default <root>/build/release/mortise-server; redis-server will do
# MORTISE_CLIENTS_DIR  everything downloaded or built; default <root>/build/clients
# MORTISE_REDIS_PY     another version of redis-py than the pinned one
#
# Most tests wait for leases to end: the suites on the JVM run beside all others, and each suite in
# parallel with itself where that is cheap. Every runner's closing lines are printed. Exit code 1 if
# any suite failed.
set -eu

suites="redisson java python go node rust c cli exporter"

source_dir=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$source_dir/../.." && pwd)
work_dir=${MORTISE_CLIENTS_DIR:-$root/build/clients}
mkdir -p "$work_dir"
work_dir=$(cd "$work_dir" && pwd)

MORTISE_SERVER=${MORTISE_SERVER:-$root/build/release/mortise-server}
case $MORTISE_SERVER in /*) ;; *) MORTISE_SERVER=$PWD/$MORTISE_SERVER ;; esac
export MORTISE_SERVER
if [ ! -x "$MORTISE_SERVER" ]; then
  echo "run.sh: no server binary at $MORTISE_SERVER (build it first, or set MORTISE_SERVER)" >&2
  exit 1
fi

need() {
  command -v "$1" >/dev/null 2>&1 && return
  echo "run.sh: $1 is missing; on Debian: apt-get install $2" >&2
  return 1
}

prepare_venv() {
  need python3 python3-venv || return 1
  wanted="redis==${MORTISE_REDIS_PY:-} $(cat "$source_dir/requirements.txt")"
  if [ "$(cat "$work_dir/venv/wanted.txt" 2>/dev/null)" != "$wanted" ]; then
    python3 -m venv --clear "$work_dir/venv" || return 1
    "$work_dir/venv/bin/pip" install --quiet --disable-pip-version-check \
      -r "$source_dir/requirements.txt" || return 1
    if [ -n "${MORTISE_REDIS_PY:-}" ]; then
      "$work_dir/venv/bin/pip" install --quiet --disable-pip-version-check \
        "redis==$MORTISE_REDIS_PY" || return 1
    fi
    echo "$wanted" >"$work_dir/venv/wanted.txt"
  fi
}

run_pytest() {
  prepare_venv || return 1
  # SIGINT: pytest then stops its servers and prints what it knows.
  (
    cd "$source_dir"
    PYTHONDONTWRITEBYTECODE=1 timeout --foreground -s INT -k 20 240 \
      "$work_dir/venv/bin/python" -m pytest "$1"
  )
}

run_python() { run_pytest python; }

run_cli() {
  need redis-cli redis-tools && need redis-benchmark redis-tools && run_pytest cli
}

# with_go FOLDER ARGUMENT…
with_go() {
  need go golang-go || return 1
  folder=$1
  shift
  (cd "$source_dir/$folder" && GOPATH=$work_dir/gopath GOCACHE=$work_dir/gocache \
    GOFLAGS=-modcacherw timeout --foreground 400 go "$@")
}

run_go() { with_go go test -count=1 -timeout 120s ./...; }

run_exporter() {
  with_go exporter build -o "$work_dir/redis_exporter" github.com/oliver006/redis_exporter ||
    return 1
  MORTISE_REDIS_EXPORTER=$work_dir/redis_exporter run_pytest exporter
}

# Cargo before 1.70 knows the sparse index, without which it would clone a repository, as unstable.
run_rust() {
  need cargo cargo && need rustc rustc || return 1
  mkdir -p "$work_dir/rust"
  cp -R "$source_dir/rust/." "$work_dir/rust"
  (
    cd "$work_dir/rust"
    case $(cargo --version) in
      "cargo 1.6"[0-9].* | "cargo 0."*)
        export CARGO_UNSTABLE_SPARSE_REGISTRY=true RUSTC_BOOTSTRAP=1
        ;;
    esac
    CARGO_TARGET_DIR=$work_dir/rust/target cargo test --quiet --no-run || exit 1
    CARGO_TARGET_DIR=$work_dir/rust/target timeout --foreground 120 \
      python3 "$source_dir/with_server.py" cargo test --quiet
  )
}

run_c() {
  need cc gcc && need python3 python3 || return 1
  cc -std=gnu11 -O1 -Wall -Wextra -o "$work_dir/hiredis_test" "$source_dir/c/lock_test.c" \
    -lhiredis || {
    echo "run.sh: on Debian: apt-get install libhiredis-dev" >&2
    return 1
  }
  timeout --foreground 120 python3 "$source_dir/with_server.py" "$work_dir/hiredis_test"
}

node_test() { timeout --foreground 120 node --test "$1" >"$1.txt" 2>&1; }

run_node() {
  need node nodejs && need npm npm || return 1
  mkdir -p "$work_dir/node"
  rm -f "$work_dir"/node/*.js "$work_dir"/node/*.txt
  cp "$source_dir"/node/*.js "$source_dir"/node/package.json "$source_dir"/node/.npmrc \
    "$work_dir/node"
  (
    cd "$work_dir/node"
    if ! cmp -s package.json node_modules/.installed-for.json; then
      npm install --loglevel=error --no-audit --no-fund || exit 1
      cp package.json node_modules/.installed-for.json
    fi
    status=0
    node_test wake_up.test.js || status=1
    # Node 18 would run one file after the other.
    pids=
    for file in *.test.js; do
      [ "$file" = wake_up.test.js ] && continue
      node_test "$file" &
      pids="$pids $!"
    done
    for pid in $pids; do wait "$pid" || status=1; done
    if [ "$status" -ne 0 ]; then cat ./*.test.js.txt; else tail -q -n 8 ./*.test.js.txt; fi
    exit "$status"
  )
}

# run_maven MODULE: Maven's own lines are kept short: what failed, the totals, and the result.
run_maven() {
  need java openjdk-17-jdk-headless && need mvn maven || return 1
  log=$work_dir/java-$1.log
  status=0
  timeout --foreground 600 mvn -B --no-transfer-progress -f "$source_dir/java/pom.xml" \
    -pl "$1" -am -Dbuild.folder="$work_dir/java" test >"$log" 2>&1 || status=$?
  if [ "$status" -ne 0 ]; then
    grep -E '^\[ERROR\] [^ ]|FAILURE|AssertionFailedError|^Caused by|COMPILATION' "$log" |
      grep -vE 'Re-run Maven|possible solutions|\[Help 1\]|full stack trace' |
      cut -c1-400 | head -n 120
    echo "the whole output: $log"
  fi
  grep -E '^\[[A-Z]+\] Tests run: [0-9, A-Za-z:]*$|BUILD (SUCCESS|FAILURE)|Total time' "$log" ||
    true
  return "$status"
}

run_redisson() { run_maven redisson; }

run_java() { run_maven locks; }

# run_all SUITE… : one after the other; the names of those that failed are added to failed.txt.
run_all() {
  for suite in "$@"; do
    echo "== clients: $suite"
    "run_$suite" || echo "$suite" >>"$work_dir/failed.txt"
  done
}

# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $suites
on_jvm=
others=
for suite in "$@"; do
  case " $suites " in
    *" $suite "*) ;;
    *)
      echo "run.sh: no suite '$suite'; there are: $suites" >&2
      exit 1
      ;;
  esac
  case $suite in
    redisson | java) on_jvm="$on_jvm $suite" ;;
    *) others="$others $suite" ;;
  esac
done
: >"$work_dir/failed.txt"
# shellcheck disable=SC2086
if [ -n "$on_jvm" ] && [ -n "$others" ]; then
  # It measures a wake-up: before the compilers of the others begin.
  case "$others " in *" node "*) run_all node ;; esac
  others=$(echo "$others " | sed 's/ node / /')
  run_all $on_jvm >"$work_dir/jvm.txt" 2>&1 &
  run_all $others
  wait $!
  cat "$work_dir/jvm.txt"
else
  run_all "$@"
fi
if [ -s "$work_dir/failed.txt" ]; then
  echo "== clients failed:" $(cat "$work_dir/failed.txt")
  exit 1
fi
echo "== clients: all suites passed"
