# SPDX-License-Identifier: GPL-2.0-only
"""Fabrics and their links in roce.plot."""

from . import _plot_data as data
from . import _plot_style as style


def link_heatmap(graph, utilization=None, ax=None):
    """Draw a fabric, tiers as rows, its links coloured and as wide as they are used.

    graph        a Result, which knows its fabric and links; or a FabricGraph or Fabric
    utilization  with a FabricGraph: a share in 0..1 for each link, in the order of graph.links, or a
                 run with the key links ("monitors": {"links": true}), of which the busier direction
                 is drawn
    """
    from matplotlib.collections import LineCollection

    title, name, limit = "Links in use", "utilization of the link (1)", 1.001
    if utilization is None and data.is_result(graph):
        utilization = graph
    if data.is_result(utilization) or data.is_run(utilization):
        ((label, run),) = data.runs_of(utilization)
        title, name = f"{title}, {label}", "utilization, busier direction (1)"
        limit = float("inf")  # a run that was stopped goes on after its last completion
        utilization = _busier(run, label)
    graph = getattr(graph, "graph", graph)
    if not (hasattr(graph, "nodes") and hasattr(graph, "links")):
        raise ValueError(
            f"graph is {data.kind_of(graph)}: expected a Result, a FabricGraph or a Fabric"
        )
    if utilization is None:
        raise ValueError("utilization is missing: expected a share a link, or a run with links")
    links = graph.links
    shares = data.numbers(utilization, "utilization")
    if len(shares) != len(links):
        raise ValueError(f"utilization has {len(shares)} numbers, the fabric {len(links)} links")
    if len(shares) == 0 or shares.min() < 0 or shares.max() > limit:
        raise ValueError("utilization: expected shares in 0..1 of at least one link")
    ax = style.axes_of(ax)
    tiers, places = _places(graph)
    lines = [[places[int(l["a"])], places[int(l["b"])]] for l in links]
    top = max(1, shares.max())
    drawn = LineCollection(lines, array=shares, cmap="cividis_r", clim=(0, top), zorder=2,
                           linewidths=1 + 3.5 * shares / top)
    ax.add_collection(drawn)
    for index, tier in enumerate(tiers):
        x, y = zip(*(places[int(n["id"])] for n in graph.nodes if _tier(n) == tier))
        ax.plot(x, y, color="black", marker=style.MARKERS[index % 7], linestyle="", markersize=5,
                zorder=3)
    ax.figure.colorbar(drawn, ax=ax, label=name)
    ax.set_yticks(range(len(tiers)), tiers)
    ax.set_xticks([])
    ax.set_xlim(-0.04, 1.04)
    ax.set_ylim(-0.3, len(tiers) - 0.7)
    ax.grid(False)
    return style.finish(ax, "place in the tier (by id)", "tier (name)", title, legend=False)


def _busier(run, label):
    """Of each link the utilization of the direction with more of it."""
    import numpy

    if data.is_result(run):
        links = run.links
        return numpy.maximum(links["utilization_to_a"], links["utilization_to_b"])
    links = data.part_of(run, label, "links", '"monitors": {"links": true} of an experiment')
    return [max(link["utilization_to_a"], link["utilization_to_b"]) for link in links]


def _tier(node):
    return str(node["tier"]) or str(node["kind"])


def _places(graph):
    """Tiers, hosts first and others by their distance from hosts, and a place for each node."""
    near = {int(n["id"]): 0 for n in graph.nodes if n["kind"] == "host"}
    around = {}
    for link in graph.links:
        around.setdefault(int(link["a"]), []).append(int(link["b"]))
        around.setdefault(int(link["b"]), []).append(int(link["a"]))
    edge = list(near)
    while edge:
        found = [n for at in edge for n in around.get(at, []) if n not in near]
        near.update({n: near[at] + 1 for at in edge for n in around.get(at, []) if n not in near})
        edge = list(dict.fromkeys(found))
    height = {}
    for node in graph.nodes:
        height[_tier(node)] = max(height.get(_tier(node), 0), near.get(int(node["id"]), 0))
    tiers = sorted(height, key=lambda tier: (height[tier], tier))
    places = {}
    for row, tier in enumerate(tiers):
        members = [int(n["id"]) for n in graph.nodes if _tier(n) == tier]
        for index, member in enumerate(members):
            places[member] = ((index + 0.5) / len(members), row)
    return tiers, places
