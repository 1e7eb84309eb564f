import { useMemo } from 'react';
import { texts } from '../../../texts/texts';
import { lookOf } from '../../../ui/state-tone';
import { durationText } from '../../../ui/time';
import { JobLink } from './job-link';
import type { JobView } from './job-view';
import { criticalPath, stepGraph } from './step-graph';

/** When each job waited and ran, on one axis; every attempt is a row of its own. */
export function Waterfall({ jobs }: { jobs: readonly JobView[] }) {
  const critical = useMemo(() => criticalPath(stepGraph(jobs)), [jobs]);
  const timed = jobs.filter(({ runnableAt, startedAt }) => (runnableAt ?? startedAt) !== null);
  const now = Date.now();
  const start = Math.min(...timed.map(({ runnableAt, startedAt }) => runnableAt ?? startedAt ?? now));
  const end = Math.max(...timed.map(({ finishedAt }) => finishedAt ?? now), start + 1);
  const at = (time: number) => `${((time - start) / (end - start)) * 100}%`;
  const wide = (from: number, to: number) => `${(Math.max(0, to - from) / (end - start)) * 100}%`;
  return (
    <>
      <p className="legend">
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
          const begin = job.runnableAt ?? job.startedAt ?? now;
          const started = job.startedAt ?? job.finishedAt ?? now;
          const finished = job.finishedAt ?? now;
          const isCritical = critical.has(job.step?.uuid ?? job.uuid);
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
