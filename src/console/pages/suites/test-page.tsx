import { getRouteApi, Link } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { testPage_test$key } from '../../__generated__/testPage_test.graphql';
import type { testPageQuery } from '../../__generated__/testPageQuery.graphql';
import type { SuiteTestStates, testPageStateMutation } from '../../__generated__/testPageStateMutation.graphql';
import { nodeId, nodesOf } from '../../relay/nodes';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { SelectField } from '../../ui/field';
import { Figures } from '../../ui/figures';
import { More } from '../../ui/more';
import { Page } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { Section } from '../../ui/section';
import { relativeText } from '../../ui/time-text';
import { ExecutionList } from './execution-list';
import { secondsText } from './seconds-text';
import { TestLabels } from './test-labels';

const route = getRouteApi('/organizations/$organization/analytics/suites/$suite/tests/$test');

const document = graphql`
  query testPageQuery($test: ID!) {
    node(id: $test) {
      ... on SuiteTest @alias(as: "test") {
        id
        name
        scope
        location
        fileName
        state
        stateUntil
        ownerTeams {
          slug
          name
        }
        ...testLabels_test
        metrics {
          executionsCount
          reliability
          durationAverage
          durationMaximum
          countByResult {
            passed
            failed
          }
        }
        suite {
          name
          slug
        }
        ...testPage_test
      }
    }
  }
`;

const fragment = graphql`
  fragment testPage_test on SuiteTest
  @refetchable(queryName: "testPageMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    executions(first: $count, after: $cursor) @connection(key: "testPage_executions") {
      edges {
        node {
          ...executionList_execution
        }
      }
    }
  }
`;

const stateDocument = graphql`
  mutation testPageStateMutation($input: SuiteTestUpdateInput!) {
    suiteTestUpdate(input: $input) {
      suiteTest {
        id
        state
        stateUntil
      }
    }
  }
`;

/** Days after which a muted or skipped test may count again by itself. */
const stateDays = [1, 7, 30];

const endText = (until: string | null | undefined): string =>
  until ? texts.suites.ends(relativeText(Date.parse(until), Date.now())) : texts.suites.endsNever;

const endIn = (days: string): string | null =>
  days === 'never' ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString();

/** A test: how it does, whether it counts, and its history. */
export function TestPage() {
  const { organization, suite: slug, test: uuid } = route.useParams();
  const { node } = useLazyLoadQuery<testPageQuery>(
    document,
    { test: nodeId('SuiteTest', uuid) },
    { fetchPolicy: 'store-and-network' },
  );
  const state = useCommand<testPageStateMutation>(stateDocument);
  const test = node?.test;
  if (!test || test.suite.slug !== slug) return <NotFound />;
  const { id, metrics } = test;
  const address = { organization, suite: slug };
  const { countByResult, reliability } = metrics;
  return (
    <Page
      title={test.name}
      crumbs={
        <>
          <Link to="/organizations/$organization/analytics/suites" params={{ organization }}>
            {texts.resources.suites}
          </Link>
          <Link to="/organizations/$organization/analytics/suites/$suite" params={address}>
            {test.suite.name}
          </Link>
        </>
      }
      actions={
        <>
          {test.state !== 'ENABLED' && (
            <SelectField
              label={texts.suites.stateEnds}
              hideLabel
              value=""
              choices={[
                { value: '', label: endText(test.stateUntil) },
                ...stateDays.map((days) => ({ value: String(days), label: texts.suites.endsIn(days) })),
                ...(test.stateUntil ? [{ value: 'never', label: texts.suites.endsNever }] : []),
              ]}
              onChange={(days) => void state.run({ input: { id, state: test.state, until: endIn(days) } })}
            />
          )}
          <SelectField
            label={texts.fields.state}
            hideLabel
            value={test.state}
            choices={Object.entries(texts.suites.testStates).map(([value, label]) => ({ value, label }))}
            onChange={(next) => void state.run({ input: { id, state: next as SuiteTestStates } })}
          />
        </>
      }
    >
      <p className="muted">
        {test.scope} <code>{test.location ?? test.fileName}</code>
      </p>
      {test.ownerTeams.length > 0 && (
        <p className="row row-wrap">
          {texts.suites.owners}
          {test.ownerTeams.map((team) => (
            <Link
              key={team.slug}
              className="tag tag-link"
              to="/organizations/$organization/teams/$team"
              params={{ organization, team: team.slug }}
            >
              {team.name}
            </Link>
          ))}
        </p>
      )}
      <TestLabels test={test} />
      <Figures
        label={texts.resources.tests}
        figures={[
          [texts.fields.reliability, reliability == null ? '–' : `${Math.round(reliability * 100)} %`],
          [texts.suites.executions, metrics.executionsCount],
          [texts.fields.failed, countByResult.failed],
          [texts.fields.passed, countByResult.passed],
          [texts.fields.duration, secondsText(metrics.durationAverage) || '–'],
          [texts.suites.longest, secondsText(metrics.durationMaximum) || '–'],
        ]}
      />
      <Section title={texts.suites.history}>
        <History address={address} test={test} />
      </Section>
    </Page>
  );
}

function History(props: { address: { organization: string; suite: string }; test: testPage_test$key }) {
  const { data, ...more } = usePaginationFragment<testPageQuery, testPage_test$key>(fragment, props.test);
  return (
    <>
      <ExecutionList
        address={props.address}
        executions={nodesOf(data.executions)}
        by="run"
        empty={texts.suites.noHistory}
      />
      <More {...more} />
    </>
  );
}
