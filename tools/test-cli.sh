#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests what the programs do with bad input: exit code 2 and a message that names the value.
set -uo pipefail

repo="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
bin="$repo/build/bin"

case "${1:-}" in
    -h | --help)
        cat <<TEXT
usage: tools/test-cli.sh [BIN]

Runs the programs of the folder BIN (default: build/bin) with bad units, names, files and folders.
Each must end with exit code 2, without a signal, and name the value that is wrong.
TEXT
        exit 0 ;;
    "") ;;
    *) bin="$1" ;;
esac
for program in roce-first roce-verbs roce-incast roce-all-reduce roce-replay roce-buffer-plan \
    roce-bench roce-headline roce-many-flows roce-parking-lot roce-run roce-topology roce-traffic; do
    if [ ! -x "$bin/$program" ]; then
        echo "test-cli.sh: no $bin/$program; build first, or give the folder" >&2
        exit 2
    fi
done

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
data="$repo/test/data"
checked=0
bad=0

fail()
{
    echo "FAILED: $*"
    sed 's/^/    /' "$scratch/err"
    bad=$((bad + 1))
}

# refuse WORD PROGRAM ARGUMENT...: exit code 2, and stderr has the program's name and WORD
refuse()
{
    local word="$1" program="$2" code=0
    shift 2
    checked=$((checked + 1))
    (cd "$scratch" && "$bin/$program" "$@") > "$scratch/out" 2> "$scratch/err" || code=$?
    if [ "$code" != 2 ]; then
        fail "$program $*: exit code $code, expected 2"
    elif ! grep -qF -- "$word" "$scratch/err"; then
        fail "$program $*: the message does not name \"$word\""
    elif ! grep -q "$program" "$scratch/err"; then
        fail "$program $*: the message does not name the program"
    fi
}

# accept PROGRAM ARGUMENT...: exit code 0
accept()
{
    local program="$1" code=0
    shift
    checked=$((checked + 1))
    (cd "$scratch" && "$bin/$program" "$@") > "$scratch/out" 2> "$scratch/err" || code=$?
    [ "$code" = 0 ] || fail "$program $*: exit code $code, expected 0"
}

# units and numbers
refuse 10parsecs roce-first --size=10parsecs
refuse -5 roce-first --size=-5
refuse nan roce-first --size=nan
refuse 100Gfoo roce-incast --rate=100Gfoo
refuse 100 roce-incast --delay=100
refuse 1lightyear roce-incast --delay=1lightyear
refuse 32XB roce-incast --buffer=32XB
refuse 5parsecs roce-buffer-plan --cable=5parsecs
refuse x roce-buffer-plan --rtt=x
refuse tomahawk9 roce-buffer-plan --preset=tomahawk9
refuse 16000000 roce-buffer-plan --buffer=16MB --cable=2us
refuse 100Hz roce-all-reduce --rate=100Hz
refuse 1.2.3MB roce-all-reduce --size=1.2.3MB
refuse --senders=0 roce-incast --senders=0
refuse many roce-incast --senders=many
refuse -3 roce-incast --senders=-3
refuse 4294967296 roce-incast --senders=4294967296

# names
refuse EcnMarker::Mode=foo roce-incast --ns3::roce::EcnMarker::Mode=foo
refuse foo roce-rail-failure --policies=foo
refuse reno roce-first --cc=reno
refuse "reno" roce-incast --cc=none,reno
refuse round-robin roce-all-reduce --lb=round-robin
refuse selective roce-first --recovery=selective
refuse --load=0 roce-loss-recovery --load=0
refuse diagonal roce-all-reduce --placement=diagonal
refuse --senderz roce-incast --senderz=3
refuse z roce-bench --workload=z
refuse stray roce-first stray
refuse Nonsense roce-first --ns3::roce::Nic::Nonsense=1

refuse nowhere roce-traffic --sizes=nowhere
refuse diagonal roce-traffic --pattern=diagonal
refuse leaf-spine roce-traffic --links=core
refuse "0 bytes" roce-traffic --incast-fan-in=3
refuse "16 senders" roce-traffic --incast-fan-in=16 --incast-size=1kB
refuse 1furlong roce-traffic --duration=1furlong
refuse -5 roce-traffic --load=-5
refuse nowhere roce-headline --scenario=nowhere
refuse swifter roce-headline --runs=pfc,swifter
refuse --seeds=0 roce-headline --seeds=0
refuse -1us roce-headline --measure=-1us
refuse soon roce-headline --cnp-delay=500ns,soon
refuse round-robin roce-headline --lb=round-robin
refuse 3furlongs roce-headline --buffer=3furlongs
refuse "0 flows" roce-many-flows --flows=0
refuse "57 hosts" roce-many-flows --senders=57
refuse 5000 roce-many-flows --flows=8,5000
refuse --senders=29 roce-tcp-beside --senders=29
refuse tcp-vegas roce-tcp-beside --runs=hcc,tcp-vegas
refuse --mss=10 roce-tcp-beside --mss=10
refuse 2weeks roce-tcp-beside --min-rto=2weeks
refuse many roce-parking-lot --flows=many
refuse 65 roce-parking-lot --flows=65

refuse all-reduse roce-collective --op=all-reduse
refuse bubble roce-collective --algorithm=bubble
refuse "3 x 3" roce-collective --algorithm=hierarchical --levels=3,3
refuse "root 99" roce-collective --op=broadcast --root=99
refuse Foo roce-collective --policy=Foo
refuse Foo roce-qp-scaling --policy=Foo
refuse "100000 queue pairs" roce-collective --qps=100000
refuse "4294967295 channels" roce-collective --channels=4294967295
refuse --pxn roce-collective --pxn
refuse "8 hosts" roce-collective --gpus-per-server=3
refuse zigzag roce-training --schedule=zigzag
refuse "degree 3" roce-training --tp=3
refuse torus roce-training --fabric=torus
refuse 1025 roce-training --queue-pairs=1025
printf 'Nodes 4\nConnections 1\n0->9 start 0 size 5\n' > "$scratch/bad.cm"
refuse bad.cm:3 roce-workload --file=bad.cm
printf 'MICRO\n1\nx -1 1 NONE 0 1 NONE 0 -7 ALLREDUCE 5 1\n' > "$scratch/bad.txt"
refuse bad.txt:3 roce-workload --file=bad.txt --gpus=4
printf '{"schema": "roce-workload/1", "ranks": 2, "tasks": [{"kind": "nap"}]}' > "$scratch/bad.json"
refuse /tasks/0 roce-workload --file=bad.json

refuse d99 roce-validate --case=d99
refuse --cc roce-validate --cc=hpcc

refuse ns3::YourControl roce-custom-cc --cc=ns3::YourControl
refuse ns3::MyControl roce-custom-cc --lb=ns3::MyControl
refuse --senders=3 roce-custom-cc --senders=3
refuse crystal-ball roce-int-oracle --runs=crystal-ball
refuse cold-spine roce-int-oracle --scenario=cold-spine
refuse --qps=0 roce-int-oracle --qps=0
refuse --seeds=0 roce-int-oracle --seeds=0
refuse --failed=4 roce-traffic-engineering --failed=4
refuse soon roce-traffic-engineering --fail-at=soon
refuse -1us roce-traffic-engineering --reaction=-1us
refuse te-x roce-traffic-engineering --balancers=te-x
refuse sometimes roce-pacing --pacing=sometimes
refuse 100Hz roce-pacing --rates=100Hz
refuse --seeds=0 roce-pacing --seeds=0
refuse Never roce-cable-length --enforce=Never
refuse 5parsecs roce-cable-length --timers=1us,5parsecs
refuse sideways roce-cable-length --sweeps=sideways
refuse --senders=7 roce-congestion-domains --senders=7
refuse reno roce-congestion-domains --cc=reno
refuse Newton roce-stages --laws=Newton:fast
refuse sluggish roce-stages --laws=Domain:sluggish
refuse --leaves=1 roce-stages --leaves=1

# things that do not fit: 100 KiB for nine ports, and both numbers are named
refuse 100000 roce-incast --senders=8 --buffer=100kB
refuse headroom roce-incast --senders=8 --buffer=100kB
refuse spines roce-all-reduce --spines=0

# files
topology="$data/replay-topology.txt"
flows="$data/replay-flows.txt"
experiments="$repo/examples/experiments"
refuse roce-run roce-run
refuse no-such.json roce-run no-such.json
refuse two.json roce-run "$experiments/incast.json" two.json
refuse runs roce-run "$experiments/link-failure.json" --cc=none
refuse dqcn roce-run "$experiments/incast.json" --cc=dqcn
refuse /traffic/0/sender roce-run <(sed 's/"senders"/"sender"/' "$experiments/incast.json")
refuse '"1MB"' roce-run <(sed 's/"1MB"/1000000/' "$experiments/incast.json")
refuse no-such-topology roce-replay --topology=no-such-topology --flows="$flows"
refuse no-such-flows roce-replay --topology="$topology" --flows=no-such-flows
refuse no-such-config roce-replay --topology="$topology" --flows="$flows" --config=no-such-config
refuse --topology roce-replay --flows="$flows"
refuse --flows roce-replay --topology="$topology"
refuse acks roce-replay --topology="$topology" --flows="$flows" --compat=acks
refuse sideways roce-replay --topology="$topology" --flows="$flows" --order=sideways
printf 'CC_MODE 3\n' > "$scratch/hpcc.txt"
refuse "CC_MODE 3" roce-replay --topology="$topology" --flows="$flows" --config=hpcc.txt
printf 'CC_MOD 1\n' > "$scratch/typo.txt"
refuse typo.txt:1 roce-replay --topology="$topology" --flows="$flows" --config=typo.txt
refuse CC_MODE roce-replay --topology="$topology" --flows="$flows" --config=typo.txt
printf '1\n0 99 3 100 1000 0\n' > "$scratch/far.txt"
refuse far.txt:2 roce-replay --topology="$topology" --flows=far.txt
refuse 99 roce-replay --topology="$topology" --flows=far.txt
printf '1\n0 2 3 100 1000 0\n' > "$scratch/ring.txt"
refuse "host 2" roce-replay --topology="$data/topology-ring.txt" --flows=ring.txt
refuse "host 0" roce-replay --topology="$data/topology-ring.txt" --flows=ring.txt

# topologies
refuse preset roce-topology
refuse no-such-fabric roce-topology no-such-fabric
refuse article roce-topology homelab article
refuse "host 0" roce-topology homelab --flow=0,0
refuse --flow=7 roce-topology homelab --flow=7
refuse "node 24" roce-topology homelab --flow=0,24
refuse "1344 nodes" roce-topology fat-tree-1024 --svg=tree.svg
refuse 1MBB roce-topology homelab --build --buffer=1MBB
refuse BufferSize roce-topology homelab --build --buffer=0
accept roce-topology homelab --quiet --dot=made/h.dot
refuse "cannot be written" roce-topology homelab --dot=made/h.dot/h.dot
refuse "--dot and --svg both name h.svg" roce-topology homelab --dot=h.svg --svg=h.svg
printf '3 1 2\n2\n0 2 1Gbps 9000000s 0\n1 2 1Gbps 1us 0\n' > "$scratch/far.topo"
refuse "delay of 9000000s" roce-topology far.topo
printf '3 1 2\n2\n0 2 9000000000Gbps 1us 0\n1 2 9000000000Gbps 1us 0\n' > "$scratch/fast.topo"
refuse "2^63 bit/s" roce-topology fast.topo
printf '3 1 2\n7\n0 7 1Gbps 1us 0\n9 7 1Gbps 1us 0\n' > "$scratch/gaps.topo"
refuse gaps.topo:2 roce-topology gaps.topo
accept roce-topology gaps.topo --id-gaps --quiet
printf '{"schema":"roce-topology/1","nodes":[],"links":[],"knots":1}\n' > "$scratch/knots.json"
refuse "knots.json: /knots" roce-topology knots.json
printf 'Nodes 8\nTiers 5\n' > "$scratch/five.topo"
refuse five.topo roce-topology five.topo
accept roce-topology homelab --quiet --topology-json=first.json --dot=h.dot --svg=h.svg
accept roce-topology first.json --quiet --topology-json=again.json
cmp -s "$scratch/first.json" "$scratch/again.json" || fail "roce-topology: the JSON is not the same"

# what cannot be written
: > "$scratch/blocker" # a file where a folder should be
for program in roce-first roce-verbs roce-incast roce-all-reduce roce-bench; do
    refuse blocker "$program" --json=blocker/x.json
done
refuse blocker roce-replay --topology="$topology" --flows="$flows" --json=blocker/x.json
refuse no/fct.txt roce-replay --topology="$topology" --flows="$flows" --fct=no/fct.txt
refuse no/pfc.txt roce-replay --topology="$topology" --flows="$flows" --pfc=no/pfc.txt
refuse blocker roce-first --pcap=blocker/x

# and what is right goes through: files are written where they were asked for
accept roce-replay --topology="$topology" --flows="$flows" --config="$data/replay-config.txt" \
    --fct=fct.txt --json=r.json --quiet
rows="$(wc -l < "$scratch/fct.txt")"
[ "$rows" = 8 ] || fail "roce-replay: fct.txt has $rows rows, expected 8"
accept roce-first --help
accept roce-incast --senders=8 --size=100kB --cc=dcqcn --quiet --pcap=caps/incast
captures=("$scratch"/caps/*.pcap)
# 9 hosts and 9 ports of the switch
[ "${#captures[@]}" = 18 ] || fail "roce-incast --pcap: ${#captures[@]} files, expected 18"
accept roce-headline --scenario=steady-incast --runs=pfc,hcc --seeds=2 --warmup=50us --measure=50us \
    --quiet --json=headline.json
for key in summary article goodput_share utilization worst_share xoff longest_pause_share cnp_per_s \
    drops ttd_mean_us ttd_std_us ttd_p99_us worst_queue_bytes flow_goodput_bps; do
    checked=$((checked + 1))
    grep -q "\"$key\":" "$scratch/headline.json" || fail "roce-headline --json: no key $key"
done
# all-reduces of 2 x 1024 x 128 bytes, 16 a rank, which sends as much in each (two ranks); a stage has
# 4 ranks, and sends 2 micro batches of that size each
accept roce-training --tp=2 --pp=2 --dp=2 --layers=4 --hidden=128 --micro-batches=2 \
    --gpus-per-server=4 --cc=none --quiet --json=training.json
checked=$((checked + 1))
/usr/bin/python3 - "$scratch/training.json" 2> "$scratch/err" << 'END' \
    || fail "roce-training --json: stage_bytes or link_bytes"
import json, sys

run = json.load(open(sys.argv[1]))["runs"][0]
for stage in run["stage_bytes"]:
    assert stage["tensor"] == 4 * 16 * 262144, stage
    assert stage["pipeline"] == 4 * 2 * 262144, stage
for kind, sent in run["traffic_bytes"].items():
    assert sent == sum(stage[kind] for stage in run["stage_bytes"]), kind
assert set(run["link_bytes"]) == {"nvlink", "host", "leaf-spine"}, run["link_bytes"]
# servers of 4: tensor and data groups are within one, stages are not
assert run["link_bytes"]["nvlink"] == run["traffic_bytes"]["tensor"] + run["traffic_bytes"]["data"]
# each byte of the pipeline goes up a host's link and down another's, with headers and ACKs
share = run["link_bytes"]["host"] / (2 * run["traffic_bytes"]["pipeline"])
assert 1.01 < share < 1.05, share
END
accept roce-many-flows --flows=8 --runs=hcc --warmup=50us --measure=50us --quiet --json=many.json
grep -q '"flows_without_pause":' "$scratch/many.json" || fail "roce-many-flows --json: no limits"
accept roce-parking-lot --flows=1 --runs=hcc --warmup=50us --measure=50us --quiet --json=lot.json
for group in both first second; do
    grep -q "\"share_$group\":" "$scratch/lot.json" || fail "roce-parking-lot --json: no $group"
done
if /usr/bin/python3 -c 'import matplotlib' 2> /dev/null; then
    checked=$((checked + 1))
    /usr/bin/python3 "$repo/tools/plot.py" "$scratch/headline.json" "$scratch/headline.svg" \
        > "$scratch/out" 2> "$scratch/err" || fail "tools/plot.py on the file of roce-headline"
else
    echo "test-cli: no matplotlib, so tools/plot.py is not tried (package python3-matplotlib)"
fi
accept roce-custom-cc --senders=4 --size=500kB --cc=ns3::MyControl,none --lb=ns3::MyBalancer
active="$(grep -A1 '^ns3::MyControl' "$scratch/out" | grep -c 'congestion control: active, ')"
[ "$active" = 1 ] || fail "roce-custom-cc: MyControl is not active: $(cat "$scratch/out")"
idle="$(grep -A1 '^none ' "$scratch/out" | grep -c 'not active: no CNP, no mark, no rate change')"
[ "$idle" = 1 ] || fail "roce-custom-cc: none is active: $(cat "$scratch/out")"
# a label with a blank and a slash names files all the same
accept roce-parking-lot --flows=1 --runs=hcc --warmup=1us --measure=2us --quiet --pcap=caps/lot
[ -s "$scratch/caps/lot-1-hcc-1-0-0.pcap" ] || fail "roce-parking-lot --pcap: no lot-1-hcc-1-0-0.pcap"
accept roce-verbs --quiet --pcap=caps/verbs
verbs=("$scratch"/caps/verbs-*.pcap)
# two runs, each with 2 hosts and 2 ports of the switch
[ "${#verbs[@]}" = 8 ] || fail "roce-verbs --pcap: ${#verbs[@]} files, expected 8"
if command -v tshark > /dev/null; then
    for run in clean lossy; do
        checked=$((checked + 1))
        # with tshark's default settings, at a host and at a port of the switch
        for port in 0-0 2-0; do
            "$repo/tools/check-pcap.sh" --guess --all-opcodes \
                "$scratch/caps/verbs-$run-$port.pcap" > "$scratch/out" 2> "$scratch/err" \
                || fail "tools/check-pcap.sh --all-opcodes on verbs-$run-$port.pcap"
        done
    done
    checked=$((checked + 1))
    "$repo/tools/check-pcap.sh" --guess "${verbs[@]}" > "$scratch/out" 2> "$scratch/err" \
        || fail "tools/check-pcap.sh on the captures of roce-verbs"
    checked=$((checked + 1))
    # the receiver and its port of the switch
    "$repo/tools/check-pcap.sh" "$scratch"/caps/incast-dcqcn-8-0.pcap \
        "$scratch"/caps/incast-dcqcn-9-8.pcap > "$scratch/out" 2> "$scratch/err" \
        || fail "tools/check-pcap.sh on the captures of roce-incast"
    grep -q 'BTH opcode 0x06' "$scratch/out" || fail "no WRITE FIRST in the captures"
else
    echo "test-cli: no tshark, so the packets of captures are not looked at (package tshark)"
fi

if [ "$bad" != 0 ]; then
    echo "test-cli: $bad of $checked failed"
    exit 1
fi
echo "test-cli: $checked commands, all as expected"
