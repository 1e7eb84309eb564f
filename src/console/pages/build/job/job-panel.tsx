import { lazy, Suspense, useState } from 'react';
import { texts } from '../../../texts/texts';
import { ErrorBoundary } from '../../../ui/error-boundary';
import { Icon } from '../../../ui/icon';
import { LabelText } from '../../../ui/label-text';
import { Loading } from '../../../ui/placeholder';
import { StateMark, StatePill } from '../../../ui/state';
import { Artifacts } from '../side/artifacts';
import { JobLink } from '../steps/job-link';
import type { JobView } from '../steps/job-view';
import { JobDetails, JobEnvironment } from './job-details';
import { JobActions } from './job-actions';
import { JobExplanation } from './job-explanation';
import { JobFailure } from './job-failure';
import { UnblockForm } from './unblock-form';
import '../build.css';

const LogView = lazy(async () => ({ default: (await import('./log-view')).LogView }));

const finished = ['PASSED', 'FAILED', 'SOFT_FAILED', 'CANCELED', 'TIMED_OUT', 'EXPIRED', 'BROKEN', 'SKIPPED'];
const failedCommand = ['FAILED', 'SOFT_FAILED', 'TIMED_OUT'];
const failed = [...failedCommand, 'EXPIRED'];
const tabs = ['log', 'artifacts', 'environment', 'details'] as const;

/** One job beside the steps: what it did, why it waits, what can be done. */
export function JobPanel({
  job,
  attempts,
  mayAct,
  onRetried,
  close,
}: {
  job: JobView;
  /** All attempts of the job, the oldest first. */
  attempts: readonly JobView[];
  mayAct: boolean;
  /** Takes the UUID of the job that retries this one. */
  onRetried: (uuid: string) => void;
  close: () => void;
}) {
  const [tab, setTab] = useState<(typeof tabs)[number]>('log');
  return (
    <section className="card" aria-label={job.name}>
      <header className="job-panel-head">
        <StateMark state={job.state} />
        <h2 className="grow">
          <LabelText text={job.label} /> {job.detail && <span className="muted">{job.detail}</span>}
        </h2>
        <StatePill state={job.state} />
        {mayAct && <JobActions job={job} onRetried={onRetried} />}
        <button type="button" className="button button-plain button-icon" aria-label={texts.job.close} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {attempts.length > 1 && (
        <nav className="card-body row attempts" aria-label={texts.job.attempts(attempts.length)}>
          {attempts.map((each, index) => (
            <JobLink key={each.uuid} uuid={each.uuid} current={each.uuid === job.uuid} className="attempt">
              <StateMark state={each.state} />
              {texts.job.attempt(index + 1)}
            </JobLink>
          ))}
        </nav>
      )}
      {job.state !== 'PASSED' && (
        <ErrorBoundary resetKey={job.state}>
          <Suspense>
            {job.type === 'command' && failedCommand.includes(job.state) ? (
              <JobFailure jobId={job.id} state={job.state} />
            ) : (
              <JobExplanation jobId={job.id} state={job.state} />
            )}
          </Suspense>
        </ErrorBoundary>
      )}
      {job.type === 'block' && (
        <div className="card-body">
          <UnblockForm jobId={job.id} state={job.state} />
        </div>
      )}
      {job.type === 'trigger' && job.triggered && (
        <p className="card-body row">
          <StateMark state={job.triggered.state} />
          <a href={job.triggered.url}>
            {job.triggered.pipeline} #{job.triggered.number}
          </a>
        </p>
      )}
      {job.type === 'command' && (
        <>
          <div className="tabs" role="group" aria-label={job.name}>
            {tabs.map((each) => (
              <button
                key={each}
                type="button"
                className="tab job-tab"
                aria-current={each === tab ? 'page' : undefined}
                onClick={() => setTab(each)}
              >
                {texts.job.tabs[each]}
              </button>
            ))}
          </div>
          <ErrorBoundary resetKey={tab}>
            <Suspense fallback={<Loading />}>
              {tab === 'log' && (
                <LogView
                  job={job.uuid}
                  jobId={job.id}
                  name={job.name}
                  startedAt={job.startedAt}
                  running={!finished.includes(job.state)}
                  failed={failed.includes(job.state)}
                />
              )}
              {tab === 'artifacts' && (
                <div className="card-body">
                  <Artifacts jobId={job.id} />
                </div>
              )}
              {tab === 'environment' && <JobEnvironment jobId={job.id} />}
              {tab === 'details' && <JobDetails jobId={job.id} />}
            </Suspense>
          </ErrorBoundary>
        </>
      )}
    </section>
  );
}
