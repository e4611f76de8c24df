#! /usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# The programs that the tests run, quick ones: by ns-3's test.py in-tree, by ctest stand-alone.
# test.py runs them two folders below the top of ns-3, where this module is contrib/roce; ctest makes
# a folder that looks so from there.

# (program and arguments, run it?, run it under valgrind?)
cpp_examples = [
    ("roce-first --size=10000", "True", "True"),
    ("roce-verbs", "True", "True"),
    ("roce-incast --senders=8 --size=100kB --cc=none,dcqcn", "True", "True"),
    ("roce-run ../../contrib/roce/examples/experiments/incast.json", "True", "True"),
    ("roce-run ../../contrib/roce/examples/experiments/link-failure.json", "True", "True"),
    ("roce-run ../../contrib/roce/examples/experiments/collectives.json", "True", "True"),
    ("roce-run ../../contrib/roce/examples/experiments/open-loop.json", "True", "True"),
    ("roce-run ../../contrib/roce/examples/experiments/training.json", "True", "False"),
    ("roce-run --schema", "True", "True"),
    ("roce-load-balance --leaves=2 --spines=4 --hosts=4 --qps=1,4 --seeds=2 --warmup=50us --measure=50us", "True", "False"),
    ("roce-int-oracle --leaves=2 --spines=4 --messages=20 --seeds=2", "True", "False"),
    ("roce-int-oracle --leaves=2 --spines=4 --messages=20 --scenario=hot-spine --runs=int-oracle --cc=dcqcn", "True", "False"),
    ("roce-traffic-engineering --spines=4 --hosts=4 --leaves=2 --balancers=ecmp,te,te-keep --failed=0,1 --seeds=2 --warmup=50us --measure=50us", "True", "True"),
    ("roce-traffic-engineering --spines=4 --hosts=4 --leaves=3 --balancers=te --qps=2 --failed=1 --seeds=2 --fail-at=50us --reaction=10ms --warmup=100us --measure=50us", "True", "True"),
    ("roce-all-reduce --leaves=2 --spines=2 --hosts-per-leaf=4 --size=1MB", "True", "True"),
    ("roce-collective --ranks=7 --size=100kB,1MB --cc=none,dcqcn", "True", "True"),
    ("roce-collective --topology=homelab --gpus-per-server=8 --algorithm=hierarchical --chunks=2 --size=1MB --placement=random", "True", "True"),
    ("roce-collective --op=all-to-all --algorithm=pairwise --ranks=8 --gpus-per-server=2 --qps=3 --policy=RoundRobin --pxn --size=1MB", "True", "True"),
    ("roce-collective --op=broadcast --algorithm=tree --root=3 --chunks=4 --admission --size=1MB", "True", "True"),
    ("roce-three-stage --pods=2 --racks=2 --gpus=2 --pod-spines=2 --super-spines=1 --size=400kB", "True", "True"),
    ("roce-qp-scaling --leaves=2 --hosts=4 --spines=4 --ranks=8 --size=1MB --qps=1,4 --seeds=1", "True", "False"),
    ("roce-workload --file=../../contrib/roce/examples/workloads/step.json --cc=none,hcc", "True", "True"),
    ("roce-workload --file=../../contrib/roce/examples/workloads/step.json --topology=homelab --placement=fragmented --byte-scale=0.1 --all-reduce=tree", "True", "True"),
    ("roce-training --model=demo-moe --tp=2 --pp=2 --dp=2 --ep=2 --layers=4 --hidden=128 --micro-batches=2 --gpus-per-server=4 --jobs=2 --placement=random", "True", "True"),
    ("roce-training --tp=2 --pp=2 --dp=2 --layers=4 --hidden=128 --micro-batches=4 --gpus-per-server=4 --schedule=interleaved --interleave=2 --scatter-gather --fold-tensor --cc=hcc", "True", "True"),
    ("roce-watchdog --size=20MB --storm=8ms", "True", "True"),
    ("roce-link-failure --size=1MB --route-delay=0us,20us", "True", "True"),
    ("roce-rail-failure --rails=2 --size=1MB --delays=10us --down-at=20us --ack-timeout=100us", "True", "True"),
    ("roce-rail-failure --rails=2 --size=4MB --policies=move --delays=10us --back=50us --return", "True", "True"),
    ("roce-loss-recovery --messages=150 --check", "True", "False"),
    ("roce-deadlock --size=1MB", "True", "True"),
    ("roce-replay --topology=../../contrib/roce/test/data/replay-topology.txt --flows=../../contrib/roce/test/data/replay-flows.txt --config=../../contrib/roce/test/data/replay-config.txt", "True", "True"),
    ("roce-replay --topology=../../contrib/roce/test/data/replay-topology.txt --flows=../../contrib/roce/test/data/replay-flows.txt --compat=all", "True", "True"),
    ("roce-traffic --sizes=Solar2022 --pattern=hotspot --hot-hosts=2 --load=30 --incast-fan-in=4 --incast-size=50kB --incast-every=50us --duration=200us --cc=none,dcqcn", "True", "True"),
    ("roce-topology homelab --flow=0,16 --build", "True", "True"),
    ("roce-topology rail-1024 --build", "True", "False"),
    ("roce-buffer-plan --preset=shallow-leaf --flows=64", "True", "True"),
    ("roce-custom-cc --senders=4 --size=500kB", "True", "True"),
    ("roce-custom-cc --senders=4 --size=500kB --cc=dcqcn --lb=ns3::MyBalancer", "True", "True"),
    ("roce-congestion-domains --cc=hcc --warmup=2ms --measure=2ms --check", "True", "False"),
    ("roce-stages --laws=Domain:fast,Article:default --leaves=2 --hosts=2 --spines=2 --warmup=200us --measure=200us", "True", "False"),
    ("roce-cable-length --timers=2us,16us --delays=800ns --flows=4 --warmup=200us --measure=200us", "True", "False"),
    ("roce-pacing --flows=20 --pairs=4 --rates=100Gbps --measure=1ms", "True", "False"),
    ("roce-validate --quick --check", "True", "False"),
    ("roce-bench --workload=b --repeat=1", "True", "False"),
    ("roce-headline --scenario=hotspot --seeds=1 --warmup=50us --measure=50us", "True", "False"),
    ("roce-headline --scenario=steady-incast,victim --runs=pfc,admission,hcc --cnp-delay=500ns,20us --seeds=2 --warmup=50us --measure=50us", "True", "False"),
    ("roce-many-flows --flows=8,64 --runs=pfc-cap,hcc --warmup=100us --measure=100us", "True", "False"),
    ("roce-parking-lot --flows=1 --warmup=100us --measure=100us", "True", "True"),
    ("roce-tcp-beside --senders=3 --size=100kB --messages=2 --warmup=1 --seeds=1 --runs=hcc,tcp-dctcp,mixed", "True", "False"),
]

# (script, run it?)
python_examples = []
