import { Suspense, useEffect, useState } from 'react';
import { texts } from '../../../texts/texts';
import { JobExplanation } from '../job/job-explanation';
import { JobReasons } from './job-reasons';
import type { JobView } from './job-view';

/** An agent that has nothing to do takes a job sooner: nothing flashes up while it does. */
const patienceMs = 2_000;
const waitingStates = ['SCHEDULED', 'LIMITING', 'LIMITED'];
const runningStates = ['ASSIGNED', 'ACCEPTED', 'RUNNING', 'CANCELING', 'TIMING_OUT'];

/** Why nothing happens in a build: jobs that could run and do not, while no other runs. Takes jobs in their order. */
export function WaitingJobs({ jobs }: { jobs: readonly JobView[] }) {
  const waiting = jobs.filter(({ type, state }) => type === 'command' && waitingStates.includes(state));
  const stands = waiting.length > 0 && !jobs.some(({ state }) => runningStates.includes(state));
  const since = waiting.reduce<number | null>((first, { runnableAt }) => first ?? runnableAt, null);
  // At once where they have waited before the page was opened: what comes later would push the steps down.
  const [isLong, setLong] = useState(() => since !== null && Date.now() - since > patienceMs);
  useEffect(() => {
    if (!stands) return setLong(false);
    const timer = setTimeout(() => setLong(true), patienceMs);
    return () => clearTimeout(timer);
  }, [stands]);
  if (!stands || !isLong) return null;
  return (
    <JobReasons
      title={texts.job.waiting(waiting.length)}
      jobs={waiting}
      reason={({ id, state }) => (
        <Suspense fallback={<p className="card-body">…</p>}>
          <JobExplanation jobId={id} state={state} />
        </Suspense>
      )}
      more={texts.job.moreWaiting}
    />
  );
}
