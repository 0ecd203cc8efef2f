#!/bin/sh
# Runs unmodified client libraries against a server binary.
#
#   tests/clients/run.sh [redisson|python|go|node|cli ...]      (all of them without arguments)
#
# MORTISE_SERVER       the binary; default <root>/build/release/mortise-server
# MORTISE_CLIENTS_DIR  everything downloaded or built; default <root>/build/clients
# MORTISE_REDIS_PY     another version of redis-py than the pinned one
#
# Suites run one after the other, each with its runner's own closing lines, and each in parallel
# with itself where that is cheap. Exit code 1 if any of them failed.
set -eu

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

run_go() {
  need go golang-go || return 1
  (cd "$source_dir/go" && GOPATH=$work_dir/gopath GOCACHE=$work_dir/gocache GOFLAGS=-modcacherw \
    timeout --foreground 400 go test -count=1 -timeout 120s ./...)
}

run_node() {
  need node nodejs && need npm npm || return 1
  mkdir -p "$work_dir/node"
  rm -f "$work_dir"/node/*.js
  cp "$source_dir"/node/*.js "$source_dir"/node/package.json "$source_dir"/node/.npmrc \
    "$work_dir/node"
  (
    cd "$work_dir/node"
    if ! cmp -s package.json node_modules/.installed-for.json; then
      npm install --loglevel=error --no-audit --no-fund || exit 1
      cp package.json node_modules/.installed-for.json
    fi
    timeout --foreground 120 node --test ./*.test.js >"$work_dir/node/output.txt" 2>&1 || {
      cat "$work_dir/node/output.txt"
      exit 1
    }
    tail -n 8 "$work_dir/node/output.txt"
  )
}

# Maven's own lines are kept short: what failed, the totals, and the result of the build.
run_redisson() {
  need java openjdk-17-jdk-headless && need mvn maven || return 1
  log=$work_dir/redisson.log
  status=0
  timeout --foreground 600 mvn -B --no-transfer-progress -f "$source_dir/redisson/pom.xml" \
    -Dbuild.folder="$work_dir/redisson" test >"$log" 2>&1 || status=$?
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

[ $# -gt 0 ] || set -- redisson python go node cli
failed=
for suite in "$@"; do
  case $suite in
    redisson | python | go | node | cli) ;;
    *)
      echo "run.sh: no suite '$suite'; there are redisson, python, go, node, cli" >&2
      exit 1
      ;;
  esac
  echo "== clients: $suite"
  "run_$suite" || failed="$failed $suite"
done
if [ -n "$failed" ]; then
  echo "== clients failed:$failed"
  exit 1
fi
echo "== clients: all suites passed"
