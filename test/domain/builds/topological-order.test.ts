import fc from 'fast-check';
import { sortTopologically } from '../../../src/domain/builds/topological-order.js';

const graphs = fc
  .integer({ min: 1, max: 12 })
  .chain((size) => fc.array(fc.array(fc.nat(size - 1), { maxLength: 3 }), { minLength: size, maxLength: size }));

test('in an acyclic graph every node follows all its dependencies', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const acyclic = graph.map((list, node) => list.filter((dependency) => dependency < node));
      const { order, cyclic } = sortTopologically(acyclic, () => true);
      expect(cyclic).toEqual([]);
      acyclic.forEach((list, node) =>
        list.forEach((dependency) => expect(order.indexOf(dependency)).toBeLessThan(order.indexOf(node))),
      );
    }),
  );
});

test('in a cyclic graph every node appears once, and only members of cycles are reported', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const { order, cyclic } = sortTopologically(graph, () => true);
      expect([...order].sort((a, b) => a - b)).toEqual(graph.map((_, node) => node));
      for (const member of cyclic) {
        const seen = new Set(graph[member]);
        for (const node of seen) for (const dependency of graph[node] ?? []) seen.add(dependency);
        expect(seen.has(member)).toBe(true);
      }
    }),
  );
});

test('a node that depends on a cycle is not reported as part of it', () => {
  expect(sortTopologically([[1], [0], [1], []], () => true)).toMatchObject({ cyclic: [0, 1] });
  expect(sortTopologically([[1], [0]], (node) => node === 1)).toEqual({ order: [1, 0], cyclic: [1] });
});
