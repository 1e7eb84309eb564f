import { type ReactNode, Suspense, useId } from 'react';
import { ErrorBoundary } from '../../../ui/error-boundary';
import { LabelText } from '../../../ui/label-text';
import { StateMark } from '../../../ui/state';
import { JobLink } from './job-link';
import type { JobView } from './job-view';
import '../job/failure.css';

/** Jobs whose reasons stand at the head of a build. */
const most = 3;

/** The first of some jobs, each with why it is as it is; `more` says how many others there are. */
export function JobReasons(props: {
  title: string;
  jobs: readonly JobView[];
  reason: (job: JobView) => ReactNode;
  more: (count: number) => string;
  children?: ReactNode;
}) {
  const { title, jobs, reason, more, children } = props;
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <header className="card-head">
        <h2 id={id}>{title}</h2>
      </header>
      <ul className="failed-jobs">
        {jobs.slice(0, most).map((job) => (
          <li key={job.uuid}>
            <JobLink uuid={job.uuid} className="failed-job-name">
              <StateMark state={job.state} />
              <LabelText text={job.label} /> {job.detail && <span className="muted">{job.detail}</span>}
            </JobLink>
            <ErrorBoundary resetKey={job.uuid}>
              <Suspense>{reason(job)}</Suspense>
            </ErrorBoundary>
          </li>
        ))}
        {jobs.length > most && <li className="muted">{more(jobs.length - most)}</li>}
      </ul>
      {children}
    </section>
  );
}
