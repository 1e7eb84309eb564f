import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StepNode } from '../../../src/console/pages/build/steps/step-graph';
import {
  nodeHeight,
  nodeWidth,
  type Placed,
  placeSteps,
  type PlacedEdge,
} from '../../../src/console/pages/build/steps/step-places';

const step = (id: string, after: string[]): StepNode => ({ id, name: id, jobs: [], after });

/** Points of a line, close enough to each other that no step fits between two of them. */
function pointsAlong({ points }: PlacedEdge): { x: number; y: number }[] {
  const steps = 24;
  return points.slice(1).flatMap((to, at) => {
    const from = points[at] ?? to;
    const isBetween = at % 2 === 0;
    return Array.from({ length: steps + 1 }, (_, index) => {
      const t = index / steps;
      // The S of the path: its height runs from one end to the other as a cubic whose inner points lie at the ends.
      const rise = isBetween ? 3 * t * t - 2 * t * t * t : t;
      const run = isBetween ? 1.5 * t * (1 - t) + t * t * t : t;
      return { x: from.x + (to.x - from.x) * run, y: from.y + (to.y - from.y) * rise };
    });
  });
}

/** Steps that a line runs through, other than its own. */
const crossed = ({ nodes, edges }: Placed): string[] =>
  edges.flatMap((edge) =>
    nodes
      .filter(({ node }) => node.id !== edge.from && node.id !== edge.to)
      .filter(({ x, y }) =>
        pointsAlong(edge).some(
          (point) => Math.abs(point.x - x) < nodeWidth / 2 - 1 && Math.abs(point.y - y) < nodeHeight / 2 - 1,
        ),
      )
      .map(({ node }) => `${edge.from} → ${edge.to} through ${node.id}`),
  );

describe('the graph of the steps of a build', () => {
  test('a line past a column of steps runs through none of them', () => {
    const wide = Array.from({ length: 7 }, (_, index) => step(`test-${index}`, ['build']));
    const steps = [
      step('build', []),
      ...wide,
      step('package', ['test-3']),
      step('deploy', ['build', 'package', ...wide.map(({ id }) => id)]),
      step('notify', ['build', 'deploy']),
    ];
    expect(crossed(placeSteps(steps))).toEqual([]);
  });

  test('whatever waits for whatever', () => {
    const graphs = fc.array(fc.array(fc.nat({ max: 30 }), { maxLength: 4 }), { minLength: 2, maxLength: 24 });
    fc.assert(
      fc.property(graphs, (earlier) => {
        const steps = earlier.map((before, index) =>
          step(`s${index}`, index === 0 ? [] : [...new Set(before.map((each) => `s${each % index}`))]),
        );
        const placed = placeSteps(steps);
        expect(crossed(placed)).toEqual([]);
        for (const { points } of placed.edges)
          for (const [at, { x, y }] of points.entries()) {
            expect(x).toBeGreaterThanOrEqual(points[at - 1]?.x ?? 0);
            expect(y).toBeGreaterThan(0);
            expect(y).toBeLessThan(placed.height);
          }
      }),
      { numRuns: 200 },
    );
  });
});
