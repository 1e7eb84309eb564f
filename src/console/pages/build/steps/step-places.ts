import { Graph, layout } from '@dagrejs/dagre';
import type { StepNode } from './step-graph';

export const nodeWidth = 190;
export const nodeHeight = 44;
const between = { nodes: 18, columns: 56 };
/** Space above and below the outermost lines. */
const margin = 4;

export interface Point {
  x: number;
  y: number;
}

/** A line from a step to one that waits for it. */
export interface PlacedEdge {
  from: string;
  to: string;
  /**
   * Where it leaves and enters columns of steps, in turn: from an odd point to the next it crosses the space between
   * two columns, from an even one to the next it goes straight through a column, above or below its steps.
   */
  points: Point[];
}

export interface Placed {
  width: number;
  height: number;
  /** The middle of each step. */
  nodes: { node: StepNode; x: number; y: number }[];
  edges: PlacedEdge[];
}

/** Places steps in columns, each right of all that it waits for, and the lines between them beside other steps. */
export function placeSteps(nodes: readonly StepNode[]): Placed {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: between.nodes, edgesep: between.nodes, ranksep: between.columns });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { width: nodeWidth, height: nodeHeight });
  for (const { id, after } of nodes) for (const before of after) graph.setEdge(before, id);
  layout(graph);
  const middles = new Map(nodes.map(({ id }) => [id, graph.node(id) as Point]));
  const columns = [...new Set([...middles.values()].map(({ x }) => Math.round(x)))];
  const edges = graph.edges().map(({ v, w }) => {
    const bends = (graph.edge({ v, w }) as { points: Point[] }).points.slice(1, -1);
    return { from: v, to: w, points: aroundSteps(placeOf(middles.get(v)), bends, placeOf(middles.get(w)), columns) };
  });
  return withinFrame(
    nodes.map((node) => ({ node, ...placeOf(middles.get(node.id)) })),
    edges,
  );
}

/** The layout measures steps alone, and long lines may run above and below all of them. */
function withinFrame(nodes: Placed['nodes'], edges: PlacedEdge[]): Placed {
  const lines = edges.flatMap(({ points }) => points.map(({ y }) => y));
  const top = Math.min(0, ...lines.map((y) => y - margin));
  const down = ({ x, y }: Point): Point => ({ x, y: y - top });
  return {
    width: Math.max(0, ...nodes.map(({ x }) => x + nodeWidth / 2)),
    height: Math.max(0, ...nodes.map(({ y }) => y + nodeHeight / 2), ...lines.map((y) => y + margin)) - top,
    nodes: nodes.map(({ node, ...middle }) => ({ node, ...down(middle) })),
    edges: edges.map((edge) => ({ ...edge, points: edge.points.map(down) })),
  };
}

const placeOf = (point: Point | undefined): Point => ({ x: point?.x ?? 0, y: point?.y ?? 0 });

/**
 * The layout bends a line once in each column that it passes, in the middle of the column: taken as they are, lines cut
 * the corners of steps above and below. So a line goes straight through the whole width of a column.
 */
function aroundSteps(from: Point, bends: readonly Point[], to: Point, columns: readonly number[]): Point[] {
  const inColumns = bends.filter(({ x }) => columns.includes(Math.round(x)));
  return [
    { x: from.x + nodeWidth / 2, y: from.y },
    ...inColumns.flatMap(({ x, y }) => [
      { x: x - nodeWidth / 2, y },
      { x: x + nodeWidth / 2, y },
    ]),
    { x: to.x - nodeWidth / 2, y: to.y },
  ];
}

/** The line as an SVG path: an S between two columns, straight through a column. */
export function pathOf({ points }: PlacedEdge): string {
  return points
    .map(({ x, y }, index) => {
      const before = points[index - 1];
      if (!before) return `M${x} ${y}`;
      if (index % 2 === 0) return `L${x} ${y}`;
      const middle = (before.x + x) / 2;
      return `C${middle} ${before.y} ${middle} ${y} ${x} ${y}`;
    })
    .join('');
}
