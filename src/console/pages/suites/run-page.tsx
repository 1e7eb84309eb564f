import { getRouteApi, Link } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { runPage_run$key } from '../../__generated__/runPage_run.graphql';
import type { runPageQuery, SuiteExecutionResults } from '../../__generated__/runPageQuery.graphql';
import { localPath, nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { Figures } from '../../ui/figures';
import { More } from '../../ui/more';
import { Page } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { Section } from '../../ui/section';
import { RelativeTime } from '../../ui/time';
import { ExecutionList } from './execution-list';
import { firstLine } from '../../ui/first-line';

const route = getRouteApi('/organizations/$organization/analytics/suites/$suite/runs/$run');
const views = ['failed', 'slowest', 'all'] as const;

const document = graphql`
  query runPageQuery($slug: ID!, $run: ID!, $result: SuiteExecutionResults) {
    suite(slug: $slug) {
      name
      run(id: $run) {
        id
        branch
        commit
        message
        createdAt
        passedCount
        failedCount
        skippedCount
        unknownCount
        build {
          number
          url
          pipeline {
            name
          }
        }
        ...runPage_run
      }
    }
  }
`;

const fragment = graphql`
  fragment runPage_run on SuiteRun
  @refetchable(queryName: "runPageMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 100 }, cursor: { type: "String" }) {
    executions(first: $count, after: $cursor, result: $result) @connection(key: "runPage_executions") {
      edges {
        node {
          ...executionList_execution
        }
      }
    }
  }
`;

/** A run of a suite: what failed first, then what took longest. */
export function RunPage() {
  const { organization, suite: slug, run: uuid } = route.useParams();
  const { view: chosen } = route.useSearch();
  const chosenView = views.find((each) => each === chosen);
  const view = chosenView ?? 'failed';
  const result: SuiteExecutionResults | null = view === 'failed' ? 'FAILED' : null;
  const { suite } = useLazyLoadQuery<runPageQuery>(
    document,
    { slug: `${organization}/${slug}`, run: uuid, result },
    { fetchPolicy: 'store-and-network' },
  );
  const run = suite?.run;
  if (!run) return <NotFound />;
  const address = { organization, suite: slug };
  return (
    <Page
      title={firstLine(run.message) || run.commit.slice(0, 10) || texts.suites.run}
      crumbs={
        <>
          <Link to="/organizations/$organization/analytics/suites" params={{ organization }}>
            {texts.resources.suites}
          </Link>
          <Link to="/organizations/$organization/analytics/suites/$suite" params={address}>
            {suite.name}
          </Link>
        </>
      }
    >
      <div className="build-row-facts">
        <span>{run.branch}</span>
        <code>{run.commit.slice(0, 10)}</code>
        <RelativeTime at={run.createdAt} />
        {run.build && (
          <a href={localPath(run.build.url)}>
            {run.build.pipeline.name} #{run.build.number}
          </a>
        )}
      </div>
      <Figures
        label={texts.suites.results}
        figures={[
          [texts.fields.failed, run.failedCount],
          [texts.fields.passed, run.passedCount],
          [texts.fields.skipped, run.skippedCount],
          [texts.suites.unknown, run.unknownCount],
        ]}
      />
      <Section
        title={texts.suites.results}
        actions={
          <nav className="segmented" aria-label={texts.suites.results}>
            {views.map((each) => (
              <Link
                key={each}
                to="/organizations/$organization/analytics/suites/$suite/runs/$run"
                params={{ ...address, run: uuid }}
                search={{ view: each === 'failed' ? undefined : each }}
                activeOptions={{ exact: true, explicitUndefined: true }}
                aria-current={each === view ? 'true' : undefined}
              >
                {texts.suites.views[each]}
              </Link>
            ))}
          </nav>
        }
      >
        <Executions address={address} run={run} view={view} />
      </Section>
    </Page>
  );
}

function Executions(props: {
  address: { organization: string; suite: string };
  run: runPage_run$key;
  view: (typeof views)[number];
}) {
  const { data, ...more } = usePaginationFragment<runPageQuery, runPage_run$key>(fragment, props.run);
  return (
    <>
      <ExecutionList
        address={props.address}
        executions={nodesOf(data.executions)}
        by="test"
        empty={props.view === 'failed' ? texts.resources.noFailed : texts.resources.noTests}
        slowestFirst={props.view === 'slowest'}
      />
      <More {...more} />
    </>
  );
}
