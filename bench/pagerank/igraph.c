/* Computes converged ranks with igraph from a file of edges (pairs of u32); prints the seconds, the processor seconds and the best node. */
#include <igraph/igraph.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
  if (count < 3) return 2;
  const double started = now();
  FILE *file = fopen(arguments[1], "rb");
  if (!file) { perror(arguments[1]); return 1; }
  fseek(file, 0, SEEK_END);
  const size_t ends = ftell(file) / 4;
  rewind(file);
  uint32_t *pairs = malloc(ends * 4);
  if (fread(pairs, 4, ends, file) != ends) { perror(arguments[1]); return 1; }
  fclose(file);
  igraph_vector_int_t edges;
  igraph_vector_int_init(&edges, ends);
  for (size_t at = 0; at < ends; at++) VECTOR(edges)[at] = pairs[at];
  free(pairs);
  igraph_t graph;
  igraph_create(&graph, &edges, strtoul(arguments[2], NULL, 10), IGRAPH_DIRECTED);
  igraph_vector_int_destroy(&edges);
  igraph_simplify(&graph, 1, 1, NULL);
  igraph_vector_t ranks;
  igraph_vector_init(&ranks, 0);
  igraph_pagerank(&graph, IGRAPH_PAGERANK_ALGO_PRPACK, &ranks, NULL, igraph_vss_all(), IGRAPH_DIRECTED, 0.85, NULL, NULL);
  const double processor = (double)clock() / CLOCKS_PER_SEC;
  printf("%.3f %.3f %ld\n", now() - started, processor, (long)igraph_vector_which_max(&ranks));
  return 0;
}
