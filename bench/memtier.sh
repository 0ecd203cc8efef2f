#!/bin/sh
# memtier.sh SERVER: starts SERVER on a free port of 127.0.0.1 and runs the command lines of memtier.md.
set -eu
server=$1
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$server" --port "$port" --bind 127.0.0.1 --save '' --appendonly no >/dev/null 2>&1 &
pid=$!
trap 'kill "$pid" 2>/dev/null' EXIT
until "$server" --ping "127.0.0.1:$port" >/dev/null 2>&1; do sleep 0.1; done

set_lock='SET __key__ owner-a NX PX 1000'
release="EVAL \"if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end\" 1 __key__ owner-a"

run() {
  memtier_benchmark -s 127.0.0.1 -p "$port" -t 1 -c 50 --test-time="${MEMTIER_SECONDS:-5}" --hide-histogram \
    --key-minimum=1 --key-maximum=100000 --key-prefix=lock: "$@"
}
for protocol in resp2 resp3; do
  for pipeline in 1 32; do
    echo "== SET NX PX, $protocol, pipeline $pipeline"
    run --protocol="$protocol" --pipeline="$pipeline" --command="$set_lock" --command-key-pattern=R
    echo "== SET NX PX and EVAL, $protocol, pipeline $pipeline"
    run --protocol="$protocol" --pipeline="$pipeline" --command="$set_lock" --command-key-pattern=R \
      --command="$release" --command-key-pattern=R
  done
done
