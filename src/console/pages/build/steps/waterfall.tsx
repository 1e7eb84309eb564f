import { useMemo } from 'react';
import { texts } from '../../../texts/texts';
import { lookOf } from '../../../ui/state-tone';
import { durationText } from '../../../ui/time-text';
import { JobLink } from './job-link';
import type { JobView } from './job-view';
import { endsBefore, stepGraph } from './step-graph';
import { useCriticalPath } from './use-critical-path';
import '../build.css';

/** Shorter waits are the time that the server takes to schedule. */
const shortestSlotWait = 1_000;

/** When each job waited for a slot and for an agent, and ran, on one axis; every attempt is a row of its own. */
export function Waterfall({ buildId, jobs }: { buildId: string; jobs: readonly JobView[] }) {
  const nodes = useMemo(() => stepGraph(jobs), [jobs]);
  const { path, uuids } = useCriticalPath(buildId, jobs);
  const ends = useMemo(() => endsBefore(nodes), [nodes]);
  const timed = jobs.filter(({ runnableAt, startedAt }) => (runnableAt ?? startedAt) !== null);
  const now = Date.now();
  /** When nothing but a limit of concurrency kept a job; its wait for an agent begins when it is runnable. */
  const readyAt = (job: JobView) => {
    const begin = job.runnableAt ?? job.startedAt ?? now;
    const ready = Math.max(job.createdAt ?? begin, ends.get(job.step?.uuid ?? job.uuid) ?? 0);
    return begin - ready < shortestSlotWait ? begin : ready;
  };
  const start = Math.min(...timed.map(readyAt));
  const end = Math.max(...timed.map(({ finishedAt }) => finishedAt ?? now), start + 1);
  const at = (time: number) => `${((time - start) / (end - start)) * 100}%`;
  const wide = (from: number, to: number) => `${(Math.max(0, to - from) / (end - start)) * 100}%`;
  return (
    <>
      {path && <p className="muted">{texts.build.tookTime(path)}</p>}
      <p className="legend">
        <span>
          <i className="waterfall-slot" />
          {texts.job.waitedForSlot}
        </span>
        <span>
          <i className="waterfall-wait" />
          {texts.job.waitedForAgent}
        </span>
        <span>
          <i className="waterfall-run tone-passed" />
          {texts.job.ran}
        </span>
        <span className="row">★ {texts.job.criticalPath}</span>
      </p>
      <div className="card">
        {timed.map((job) => {
          const ready = readyAt(job);
          const begin = job.runnableAt ?? job.startedAt ?? now;
          const started = job.startedAt ?? job.finishedAt ?? now;
          const finished = job.finishedAt ?? now;
          const isCritical = uuids.has(job.uuid);
          return (
            <JobLink
              key={job.uuid}
              uuid={job.uuid}
              className={`waterfall-row ${isCritical ? 'waterfall-critical' : ''}`}
            >
              <span className="job-name truncate">
                {isCritical && <span title={texts.job.criticalPath}>★ </span>}
                {job.name}
              </span>
              <span className="waterfall-track">
                {ready < begin && (
                  <span
                    className="waterfall-slot"
                    style={{ left: at(ready), width: wide(ready, begin) }}
                    title={`${texts.job.waitedForSlot}: ${durationText(begin - ready)}`}
                  />
                )}
                <span
                  className="waterfall-wait"
                  style={{ left: at(begin), width: wide(begin, started) }}
                  title={`${texts.job.waitedForAgent}: ${durationText(started - begin)}`}
                />
                {job.startedAt !== null && (
                  <span
                    className={`waterfall-run tone-${lookOf(job.state).tone}`}
                    style={{ left: at(started), width: wide(started, finished) }}
                    title={`${texts.job.ran}: ${durationText(finished - started)}`}
                  />
                )}
              </span>
              <span className="muted tabular">{job.startedAt === null ? '' : durationText(finished - started)}</span>
            </JobLink>
          );
        })}
      </div>
    </>
  );
}
