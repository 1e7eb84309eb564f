import { useMemo } from 'react';
import { StateMark } from '../../../ui/state';
import { JobLink } from './job-link';
import type { JobView } from './job-view';
import { stepGraph } from './step-graph';
import { nodeHeight, nodeWidth, pathOf, placeSteps } from './step-places';
import { commonLabel, worstState } from './step-rows';
import { useCriticalPath } from './use-critical-path';
import '../build.css';

/** The steps as boxes, with lines from what each waited for. */
export function StepGraphView({ buildId, jobs }: { buildId: string; jobs: readonly JobView[] }) {
  const nodes = useMemo(() => stepGraph(jobs), [jobs]);
  const shape = nodes.map(({ id, after }) => `${id}<${after.join()}`).join(';');
  // The places depend on the shape alone: states change often, and nothing should jump.
  const placed = useMemo(() => placeSteps(nodes), [shape]);
  const { uuids } = useCriticalPath(buildId, jobs);
  const critical = new Set(nodes.filter((node) => node.jobs.some(({ uuid }) => uuids.has(uuid))).map(({ id }) => id));
  const now = new Map(nodes.map((node) => [node.id, node]));
  return (
    <div className="card graph-frame">
      <div className="graph" style={{ width: placed.width, height: placed.height }}>
        <svg width={placed.width} height={placed.height} aria-hidden="true">
          {placed.edges.map((edge) => (
            <path
              key={`${edge.from}${edge.to}`}
              className={`graph-edge ${critical.has(edge.from) && critical.has(edge.to) ? 'graph-edge-critical' : ''}`}
              d={pathOf(edge)}
            />
          ))}
        </svg>
        {placed.nodes.map(({ node: before, x, y }) => {
          const node = now.get(before.id) ?? before;
          const [job] = node.jobs;
          return (
            job && (
              <JobLink
                key={node.id}
                uuid={job.uuid}
                className={`graph-node ${critical.has(node.id) ? 'graph-node-critical' : ''}`}
                style={{ left: x - nodeWidth / 2, top: y - nodeHeight / 2, width: nodeWidth, height: nodeHeight }}
              >
                <StateMark state={worstState(node.jobs)} />
                <span className="job-name truncate">{commonLabel(node.jobs.map(({ name }) => name))}</span>
                {node.jobs.length > 1 && <span className="tag">{node.jobs.length}</span>}
              </JobLink>
            )
          );
        })}
      </div>
    </div>
  );
}
