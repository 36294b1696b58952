// Textbook PageRank: pull over compressed sparse rows, float32, OpenMP. It shows what the machine is capable of.
// Reads a file of edges (pairs of u32). Then each line of input is a number of threads, for which it runs one
// iteration and prints its seconds.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <omp.h>

struct Graph {
  uint32_t nodeCount;
  std::vector<uint64_t> offsets;
  std::vector<uint32_t> sources;
  std::vector<uint32_t> outDegrees;
};

static std::vector<uint32_t> readPairs(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file) { perror(path); exit(1); }
  fseek(file, 0, SEEK_END);
  std::vector<uint32_t> pairs(ftell(file) / 4);
  rewind(file);
  if (fread(pairs.data(), 4, pairs.size(), file) != pairs.size()) { perror(path); exit(1); }
  fclose(file);
  return pairs;
}

static Graph build(uint32_t nodeCount, const std::vector<uint32_t>& pairs) {
  std::vector<uint64_t> starts(nodeCount + 1, 0);
  for (size_t at = 0; at < pairs.size(); at += 2) starts[pairs[at + 1] + 1]++;
  for (uint32_t node = 0; node < nodeCount; node++) starts[node + 1] += starts[node];
  std::vector<uint32_t> sources(pairs.size() / 2);
  std::vector<uint64_t> next(starts.begin(), starts.end() - 1);
  for (size_t at = 0; at < pairs.size(); at += 2) sources[next[pairs[at + 1]]++] = pairs[at];
  Graph graph{nodeCount, std::vector<uint64_t>(nodeCount + 1, 0), {}, std::vector<uint32_t>(nodeCount, 0)};
  size_t kept = 0;
  for (uint32_t node = 0; node < nodeCount; node++) {
    auto first = sources.begin() + starts[node], last = sources.begin() + starts[node + 1];
    std::sort(first, last);
    last = std::unique(first, last);
    for (auto at = first; at != last; at++) {
      if (*at == node) continue;
      graph.outDegrees[*at]++;
      sources[kept++] = *at;
    }
    graph.offsets[node + 1] = kept;
  }
  sources.resize(kept);
  sources.shrink_to_fit();
  graph.sources = std::move(sources);
  return graph;
}

static void iterate(const Graph& graph, std::vector<float>& ranks, std::vector<float>& shares) {
  const float damping = 0.85f;
  double dangling = 0, distance = 0;
#pragma omp parallel for reduction(+ : dangling) schedule(static)
  for (uint32_t node = 0; node < graph.nodeCount; node++) {
    if (graph.outDegrees[node] == 0) dangling += ranks[node];
    shares[node] = graph.outDegrees[node] == 0 ? 0 : ranks[node] / graph.outDegrees[node];
  }
  const float base = (1 - damping + damping * (float)dangling) / graph.nodeCount;
#pragma omp parallel for reduction(+ : distance) schedule(dynamic, 16384)
  for (uint32_t node = 0; node < graph.nodeCount; node++) {
    float sum = 0;
    for (uint64_t at = graph.offsets[node]; at < graph.offsets[node + 1]; at++) sum += shares[graph.sources[at]];
    const float rank = base + damping * sum;
    distance += std::fabs(rank - ranks[node]);
    ranks[node] = rank;
  }
}

int main(int, char** arguments) {
  const Graph graph = build(strtoul(arguments[2], nullptr, 10), readPairs(arguments[1]));
  std::vector<float> ranks(graph.nodeCount, 1.0f / graph.nodeCount), shares(graph.nodeCount);
  printf("%zu\n", graph.sources.size());
  fflush(stdout);
  for (int threads; scanf("%d", &threads) == 1;) {
    omp_set_num_threads(threads);
    const auto started = std::chrono::steady_clock::now();
    iterate(graph, ranks, shares);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
    const auto best = std::max_element(ranks.begin(), ranks.end()) - ranks.begin();
    printf("%.6f %td\n", seconds.count(), best);
    fflush(stdout);
  }
}
