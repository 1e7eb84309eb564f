import { getRouteApi, Link, useLocation } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import { ConnectionHandler } from 'relay-runtime';
import type { buildPageQuery } from '../../__generated__/buildPageQuery.graphql';
import type { buildPageSubscription } from '../../__generated__/buildPageSubscription.graphql';
import { useLive } from '../../relay/use-live';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { ErrorBoundary } from '../../ui/error-boundary';
import { Page } from '../../ui/page';
import { Loading, NotFound } from '../../ui/placeholder';
import { BuildActions } from './build-actions';
import { BuildHeader } from './build-header';
import { artifactOfHash } from './side/artifact-address';
import { isCounted, TabCount } from './tab-count';
import { BuildSteps, jobsConnection } from './steps/build-steps';
import './build.css';
import { firstLine } from '../../ui/first-line';

const Culprit = lazy(async () => ({ default: (await import('./culprit/culprit')).Culprit }));
const Annotations = lazy(async () => ({ default: (await import('./side/annotations')).Annotations }));
const Artifacts = lazy(async () => ({ default: (await import('./side/artifacts')).Artifacts }));
const MetaData = lazy(async () => ({ default: (await import('./side/meta-data')).MetaData }));
const Environment = lazy(async () => ({ default: (await import('./side/environment')).Environment }));
const Notifications = lazy(async () => ({ default: (await import('./side/notifications')).Notifications }));
const Events = lazy(async () => ({ default: (await import('./side/events')).Events }));

const route = getRouteApi('/$organization/$pipeline/builds/$number');

// Behind `#` stands a job, mostly: what shows it is loaded beside the build.
if (window.location.hash.length > 1 && !artifactOfHash(window.location.hash.slice(1))) {
  void import('./job/job-panel');
  void import('./job/log-view');
}

const document = graphql`
  query buildPageQuery($slug: ID!, $previous: ID!, $next: ID!) {
    previous: build(slug: $previous) {
      number
    }
    next: build(slug: $next) {
      number
    }
    build(slug: $slug) {
      id
      number
      state
      message
      pipeline {
        name
      }
      ...buildHeader_build
      ...buildActions_build
      ...buildSteps_build
    }
  }
`;

const changes = graphql`
  subscription buildPageSubscription($build: ID!, $after: String) {
    build(id: $build, after: $after) {
      cursor
      event {
        type
      }
      build {
        id
        ...buildHeader_build
        ...buildActions_build
      }
      job {
        ... on Node {
          id
        }
        ...jobFields_job
      }
    }
  }
`;

const tabs = ['steps', 'annotations', 'artifacts', 'metaData', 'environment', 'notifications', 'events'] as const;

/** The part that shows what stands behind `#`. */
function tabOf(hash: string): (typeof tabs)[number] {
  if (hash.startsWith('annotation-')) return 'annotations';
  return artifactOfHash(hash) === null ? 'steps' : 'artifacts';
}

/** One build: its steps, and what its jobs left. */
export function BuildPage() {
  const { organization, pipeline, number } = route.useParams();
  const { hash } = useLocation();
  const { tab = tabOf(hash) } = route.useSearch();
  const slug = `${organization}/${pipeline}/${number}`;
  const [fetchKey, refetch] = useRefetchKey();
  const beside = (by: number) => `${organization}/${pipeline}/${Number(number) + by}`;
  const { build, previous, next } = useLazyLoadQuery<buildPageQuery>(
    document,
    { slug, previous: beside(-1), next: beside(1) },
    { fetchKey, fetchPolicy: 'store-and-network' },
  );
  useLive<buildPageSubscription>(
    changes,
    { build: build?.id ?? slug },
    {
      updater: (store) => {
        // Uploads and retries bring jobs that the page has not read.
        const update = store.getRootField('build')?.getLinkedRecord('job')?.getDataID();
        const read = build && store.get(build.id);
        const jobs = read && ConnectionHandler.getConnection(read, jobsConnection)?.getLinkedRecords('edges');
        if (update && jobs && !jobs.some((edge) => edge?.getLinkedRecord('node')?.getDataID() === update)) refetch();
      },
    },
  );
  if (!build) return <NotFound />;
  return (
    <Page
      wide
      title={texts.build.title(build.pipeline.name, build.number)}
      state={build.state}
      heading={firstLine(build.message) || `#${build.number}`}
      crumbs={
        <>
          <Link to="/$organization/$pipeline" params={{ organization, pipeline }}>
            {build.pipeline.name}
          </Link>
          <span>#{build.number}</span>
          {previous && <Beside number={previous.number} label={texts.build.previous} sign="‹" />}
          {next && <Beside number={next.number} label={texts.build.next} sign="›" />}
        </>
      }
      actions={<BuildActions build={build} />}
    >
      <BuildHeader build={build} />
      <ErrorBoundary resetKey={build.state}>
        <Suspense>
          <Culprit buildId={build.id} />
        </Suspense>
      </ErrorBoundary>
      <nav className="tabs" aria-label={texts.build.tabs.label}>
        {tabs.map((each) => (
          <Link
            key={each}
            className="tab"
            activeOptions={{ exact: true, explicitUndefined: true }}
            aria-current={each === tab ? 'page' : undefined}
            to="/$organization/$pipeline/builds/$number"
            params={{ organization, pipeline, number }}
            search={(before) => ({ ...before, tab: each === 'steps' ? undefined : each })}
          >
            {texts.build.tabs[each]}
            {isCounted(each) && (
              <Suspense>
                <TabCount buildId={build.id} part={each} />
              </Suspense>
            )}
          </Link>
        ))}
      </nav>
      <ErrorBoundary resetKey={tab}>
        <Suspense fallback={<Loading />}>
          {tab === 'steps' && <BuildSteps build={build} />}
          {tab === 'annotations' && <Annotations buildId={build.id} />}
          {tab === 'artifacts' && <Artifacts buildId={build.id} />}
          {tab === 'metaData' && <MetaData buildId={build.id} />}
          {tab === 'environment' && <Environment buildId={build.id} />}
          {tab === 'notifications' && <Notifications buildId={build.id} />}
          {tab === 'events' && <Events buildId={build.id} />}
        </Suspense>
      </ErrorBoundary>
    </Page>
  );
}

/** The build before or after, in the part that is shown. */
function Beside({ number, label, sign }: { number: number; label: string; sign: string }) {
  const { organization, pipeline } = route.useParams();
  return (
    <Link
      to="/$organization/$pipeline/builds/$number"
      params={{ organization, pipeline, number: String(number) }}
      search={(before) => before}
      aria-label={`${label} #${number}`}
      title={`${label} #${number}`}
    >
      {sign}
    </Link>
  );
}
