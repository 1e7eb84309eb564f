import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { graphql, readInlineData, usePaginationFragment } from 'react-relay';
import type { buildSteps_build$key } from '../../../__generated__/buildSteps_build.graphql';
import type { buildStepsMoreQuery } from '../../../__generated__/buildStepsMoreQuery.graphql';
import type { jobFields_job$key } from '../../../__generated__/jobFields_job.graphql';
import { useShortcuts } from '../../../layout/shortcuts';
import { nodesOf } from '../../../relay/nodes';
import { texts } from '../../../texts/texts';
import { ErrorBoundary } from '../../../ui/error-boundary';
import { More } from '../../../ui/more';
import { Loading, Placeholder } from '../../../ui/placeholder';
import { FailedJobs } from './failed-jobs';
import { jobFieldsFragment } from './job-fields';
import { jobView, withAttempts } from './job-view';
import { StepList } from './step-list';
import { WaitingJobs } from './waiting-jobs';
import '../build.css';

const Graph = lazy(async () => ({ default: (await import('./step-graph-view')).StepGraphView }));
const Waterfall = lazy(async () => ({ default: (await import('./waterfall')).Waterfall }));
const JobPanel = lazy(async () => ({ default: (await import('../job/job-panel')).JobPanel }));

const route = getRouteApi('/$organization/$pipeline/builds/$number');
const views = ['list', 'graph', 'waterfall'] as const;

/** Jobs of one request, and those that are read without being asked for: all views need the whole build. */
const page = 250;
const readAtOnce = 2_000;

/** Name of the jobs of a build in Relay's store. */
export const jobsConnection = 'buildSteps_jobs';

const fragment = graphql`
  fragment buildSteps_build on Build
  @refetchable(queryName: "buildStepsMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 250 }, cursor: { type: "String" }) {
    id
    pipeline {
      permissions {
        buildCreate {
          allowed
        }
      }
    }
    jobs(last: $count, before: $cursor) @connection(key: "buildSteps_jobs") {
      edges {
        node {
          ... on Node {
            id
          }
          ...jobFields_job
        }
      }
    }
  }
`;

/** The steps in one of three views; the job named by the address (`#uuid`) beside them. */
export function BuildSteps({ build }: { build: buildSteps_build$key }) {
  const { data, hasPrevious, isLoadingPrevious, loadPrevious } = usePaginationFragment<
    buildStepsMoreQuery,
    buildSteps_build$key
  >(fragment, build);
  const { view = 'list' } = route.useSearch();
  const navigate = useNavigate({ from: '/$organization/$pipeline/builds/$number' });
  const { hash } = useLocation();
  const { edges } = data.jobs ?? {};
  const jobs = useMemo(
    () =>
      nodesOf({ edges })
        .flatMap((job) => jobView(readInlineData<jobFields_job$key>(jobFieldsFragment, job)) ?? [])
        .reverse(),
    [edges],
  );
  // The connection has the newest job first, and is read from its end: what comes later stands below what is shown.
  useEffect(() => {
    if (hasPrevious && !isLoadingPrevious && jobs.length < readAtOnce) loadPrevious(page);
  }, [hasPrevious, isLoadingPrevious, jobs.length, loadPrevious]);
  const attempts = useMemo(() => withAttempts(jobs), [jobs]);
  const [uuid] = hash.split('/');
  const chosen = jobs.find((job) => job.uuid === uuid);
  const chain = attempts.find(({ job, earlier }) => [job, ...earlier].some((each) => each.uuid === uuid));
  const side = useRef<HTMLDivElement>(null);
  useEffect(() => {
    side.current?.querySelector('[aria-current="true"].job-row')?.scrollIntoView({ block: 'nearest' });
  }, [chosen?.uuid, view]);
  const rows = attempts.map(({ job }) => job).filter(({ type }) => type !== 'wait');
  const show = (to: string | undefined) =>
    void navigate({ search: (before) => before, hash: to ?? '', replace: true, resetScroll: false });
  const step = (by: number) => {
    const at = rows.findIndex((job) => job.uuid === uuid);
    show(rows[Math.min(rows.length - 1, Math.max(0, at + by))]?.uuid);
  };
  // The attempt that a person has asked for is shown as soon as the page has it.
  const [awaited, setAwaited] = useState<string | null>(null);
  const hasCome = awaited !== null && jobs.some((job) => job.uuid === awaited);
  useEffect(() => {
    if (!hasCome) return;
    show(awaited);
    setAwaited(null);
  });
  useShortcuts([
    { keys: 'j', text: texts.job.next, run: () => step(1) },
    { keys: 'k', text: texts.job.previous, run: () => step(-1) },
    ...(chosen ? [{ keys: 'Escape', text: texts.job.close, run: () => show(undefined) }] : []),
  ]);
  if (jobs.length === 0) return <Placeholder title={texts.build.noSteps} />;
  return (
    <div className={`steps-layout ${chosen ? 'with-job' : ''}`}>
      <div className="steps-side" ref={side}>
        {!chosen && <FailedJobs buildId={data.id} jobs={rows} />}
        {!chosen && <WaitingJobs jobs={rows} />}
        <div className="row">
          <nav className="segmented" aria-label={texts.build.views.label}>
            {views.map((each) => (
              <Link
                key={each}
                to="/$organization/$pipeline/builds/$number"
                from="/$organization/$pipeline/builds/$number"
                search={(before) => ({ ...before, view: each === 'list' ? undefined : each })}
                hash={hash}
                resetScroll={false}
                activeOptions={{ exact: true, explicitUndefined: true }}
                aria-current={each === view ? 'true' : undefined}
              >
                {texts.build.views[each]}
              </Link>
            ))}
          </nav>
        </div>
        <Suspense fallback={<Loading />}>
          {view === 'graph' && <Graph buildId={data.id} jobs={attempts.map(({ job }) => job)} />}
          {view === 'waterfall' && (
            <Waterfall buildId={data.id} jobs={attempts.flatMap(({ job, earlier }) => [...earlier, job])} />
          )}
          {view !== 'graph' && view !== 'waterfall' && <StepList attempts={attempts} chosen={chosen?.uuid ?? null} />}
        </Suspense>
        {jobs.length >= readAtOnce && (
          <More hasNext={hasPrevious} isLoadingNext={isLoadingPrevious} loadNext={loadPrevious} />
        )}
      </div>
      {chosen && (
        <ErrorBoundary resetKey={chosen.uuid}>
          <Suspense fallback={<Loading />}>
            <JobPanel
              key={chosen.uuid}
              job={chosen}
              attempts={chain ? [...chain.earlier, chain.job] : [chosen]}
              onRetried={setAwaited}
              mayAct={data.pipeline.permissions.buildCreate.allowed}
              close={() => show(undefined)}
            />
          </Suspense>
        </ErrorBoundary>
      )}
    </div>
  );
}
