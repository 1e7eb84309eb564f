import { Suspense } from 'react';
import { texts } from '../../../texts/texts';
import { ErrorBoundary } from '../../../ui/error-boundary';
import { JobFailure } from '../job/job-failure';
import { ErrorAnnotations } from './error-annotations';
import { JobReasons } from './job-reasons';
import type { JobView } from './job-view';

const failedStates = ['FAILED', 'TIMED_OUT'];

/**
 * Why a build is red: its first failed jobs, each with the lines of its log that matter, and what jobs say in
 * annotations. Takes jobs in their order.
 */
export function FailedJobs({ buildId, jobs }: { buildId: string; jobs: readonly JobView[] }) {
  const failed = jobs.filter(({ type, state }) => type === 'command' && failedStates.includes(state));
  if (failed.length === 0) return null;
  return (
    <JobReasons
      title={texts.job.failure.jobs(failed.length)}
      jobs={failed}
      reason={({ id, state }) => <JobFailure jobId={id} state={state} brief />}
      more={texts.job.failure.moreJobs}
    >
      <ErrorBoundary resetKey={buildId}>
        <Suspense>
          <ErrorAnnotations buildId={buildId} />
        </Suspense>
      </ErrorBoundary>
    </JobReasons>
  );
}
