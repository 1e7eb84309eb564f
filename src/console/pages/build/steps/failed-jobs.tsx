import { Suspense } from 'react';
import { texts } from '../../../texts/texts';
import { ErrorBoundary } from '../../../ui/error-boundary';
import { LabelText } from '../../../ui/label-text';
import { StateMark } from '../../../ui/state';
import { JobFailure } from '../job/job-failure';
import { ErrorAnnotations } from './error-annotations';
import { JobLink } from './job-link';
import type { JobView } from './job-view';
import '../job/failure.css';

/** Failed jobs whose reasons stand at the head of a build. */
const most = 3;
const failedStates = ['FAILED', 'TIMED_OUT'];

/**
 * Why a build is red: its first failed jobs, each with the lines of its log that matter, and what jobs say in
 * annotations. Takes jobs in their order.
 */
export function FailedJobs({ buildId, jobs }: { buildId: string; jobs: readonly JobView[] }) {
  const failed = jobs.filter(({ type, state }) => type === 'command' && failedStates.includes(state));
  if (failed.length === 0) return null;
  return (
    <section className="card" aria-labelledby="failed-jobs">
      <header className="card-head">
        <h2 id="failed-jobs">{texts.job.failure.jobs(failed.length)}</h2>
      </header>
      <ul className="failed-jobs">
        {failed.slice(0, most).map((job) => (
          <li key={job.uuid}>
            <JobLink uuid={job.uuid} className="failed-job-name">
              <StateMark state={job.state} />
              <LabelText text={job.label} /> {job.detail && <span className="muted">{job.detail}</span>}
            </JobLink>
            <ErrorBoundary resetKey={job.uuid}>
              <Suspense>
                <JobFailure jobId={job.id} state={job.state} brief />
              </Suspense>
            </ErrorBoundary>
          </li>
        ))}
        {failed.length > most && <li className="muted">{texts.job.failure.moreJobs(failed.length - most)}</li>}
      </ul>
      <ErrorBoundary resetKey={buildId}>
        <Suspense>
          <ErrorAnnotations buildId={buildId} />
        </Suspense>
      </ErrorBoundary>
    </section>
  );
}
