"""Vector indexes of others on the vectors that `prove bench index --dump DIR` wrote, on one thread.

Needs faiss-cpu, hnswlib, usearch and numpy, all from PyPI. For each index: time to build and to load from a file, size, and at several
settings the recall and the time of a query. Prints a table, and how Mostrador's own figures, which the dump tells, compare.
"""

import argparse
import json
import os
import statistics
import tempfile
import time

import faiss
import hnswlib
import numpy as np
from usearch.index import Index

NEIGHBOURS = 10


def median_ms(ask, queries):
    times = []
    for query in queries:
        started = time.perf_counter()
        ask(query)
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1e3


def recall(ask, queries, nearest):
    right = sum(len(set(ask(query)) & set(true)) for query, true in zip(queries, nearest))
    return right / nearest.size


class Table:
    """Rows printed as they are measured, and kept."""

    def __init__(self, queries, nearest):
        self.queries = queries
        self.nearest = nearest
        self.rows = []
        print("| index | build | load | size | recall@10 | query p50 |")
        print("|---|---|---|---|---|---|")

    def measure(self, name, build_s, load_ms, megabytes, ask):
        ask(self.queries[0])
        found = recall(ask, self.queries, self.nearest)
        self.add(name, build_s, load_ms, megabytes, found, median_ms(ask, self.queries))

    def add(self, name, build_s, load_ms, megabytes, found, p50):
        self.rows.append({"name": name, "build_s": build_s, "load_ms": load_ms, "mb": megabytes, "recall": found, "p50": p50})
        print(f"| {name} | {build_s:.1f} s | {load_ms:.0f} ms | {megabytes:.0f} MB | {found:.4f} | {p50:.3f} ms |", flush=True)


def compare(ours, peers):
    """Ours in proportion to the quickest peer that finds no less, and to the quickest to build and to load of the graphs."""
    print()
    graphs = [row for row in peers if row["load_ms"] > 0]
    no_worse = [row for row in graphs if row["recall"] >= ours["recall"]]
    if no_worse:
        best = min(no_worse, key=lambda row: row["p50"])
        print(f"query: {ours['p50'] / best['p50']:.2f} of {best['name']} (recall {best['recall']:.4f})")
    else:
        print("query: no graph finds as many")
    for what, unit in (("build_s", "s"), ("load_ms", "ms"), ("mb", "MB")):
        best = min(graphs, key=lambda row: row[what])
        print(f"{what.split('_')[0]}: {ours[what] / best[what]:.3f} of {best['name']} ({best[what]:.1f} {unit})")


def saved(save, load):
    """The size of what was saved in MB, and how long loading it takes in ms."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "index")
        save(path)
        started = time.perf_counter()
        loaded = load(path)
        return os.path.getsize(path) / 1e6, (time.perf_counter() - started) * 1e3, loaded


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="what was given to --dump")
    arguments = parser.parse_args()
    with open(os.path.join(arguments.folder, "sizes.json")) as file:
        sizes = json.load(file)
    dimensions, ours = sizes["dimensions"], sizes["ours"]
    read = lambda name, kind, width: np.fromfile(os.path.join(arguments.folder, name), kind).reshape(-1, width)
    base = read("base.f32", "<f4", dimensions)
    queries = read("queries.f32", "<f4", dimensions)
    # Book numbers begin at one, rows at zero.
    nearest = read("nearest.u64", "<u8", NEIGHBOURS).astype(np.int64) - 1
    faiss.omp_set_num_threads(1)

    table = Table(queries, nearest)
    table.add("Mostrador", ours["build_s"], ours["load_ms"], ours["mb"], ours["recall"], ours["p50"])

    started = time.perf_counter()
    flat = faiss.IndexFlatIP(dimensions)
    flat.add(base)
    built = time.perf_counter() - started
    ask = lambda query: flat.search(query[None], NEIGHBOURS)[1][0].tolist()
    table.measure("faiss flat f32", built, 0, base.nbytes / 1e6, ask)

    started = time.perf_counter()
    graph = faiss.IndexHNSWFlat(dimensions, 16, faiss.METRIC_INNER_PRODUCT)
    graph.hnsw.efConstruction = 200
    graph.add(base)
    built = time.perf_counter() - started
    size, load, graph = saved(lambda path: faiss.write_index(graph, path), faiss.read_index)
    for ef in (32, 64, 128, 256, 512):
        graph.hnsw.efSearch = ef
        ask = lambda query: graph.search(query[None], NEIGHBOURS)[1][0].tolist()
        table.measure(f"faiss HNSW M=16 ef={ef}", built, load, size, ask)

    started = time.perf_counter()
    small = hnswlib.Index(space="ip", dim=dimensions)
    small.init_index(max_elements=len(base), M=16, ef_construction=200, random_seed=1)
    small.set_num_threads(1)
    small.add_items(base, num_threads=1)
    built = time.perf_counter() - started

    def load_hnswlib(path):
        index = hnswlib.Index(space="ip", dim=dimensions)
        index.load_index(path)
        index.set_num_threads(1)
        return index

    size, load, small = saved(small.save_index, load_hnswlib)
    for ef in (32, 64, 128, 256, 512):
        small.set_ef(ef)
        ask = lambda query: small.knn_query(query, k=NEIGHBOURS, num_threads=1)[0][0].tolist()
        table.measure(f"hnswlib M=16 ef={ef}", built, load, size, ask)

    keys = np.arange(len(base))
    for kind in ("i8", "f32"):
        started = time.perf_counter()
        index = Index(ndim=dimensions, metric="cos", dtype=kind)
        index.add(keys, base, threads=1)
        built = time.perf_counter() - started
        size, load, index = saved(index.save, lambda path: Index.restore(path))
        for ef in (64, 256, 512):
            index.expansion_search = ef
            ask = lambda query: index.search(query, NEIGHBOURS, threads=1).keys.tolist()
            table.measure(f"usearch {kind} ef={ef}", built, load, size, ask)
    compare(table.rows[0], table.rows[1:])


if __name__ == "__main__":
    main()
