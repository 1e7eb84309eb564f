import { Link } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { suiteTests_suite$data, suiteTests_suite$key } from '../../__generated__/suiteTests_suite.graphql';
import type { suiteTestsQuery } from '../../__generated__/suiteTestsQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { PagedTable } from '../../ui/paged-table';
import { secondsText } from './seconds-text';

const document = graphql`
  query suiteTestsQuery($slug: ID!, $search: String) {
    suite(slug: $slug) {
      ...suiteTests_suite
    }
  }
`;

const fragment = graphql`
  fragment suiteTests_suite on Suite
  @refetchable(queryName: "suiteTestsMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 40 }, cursor: { type: "String" }) {
    tests(first: $count, after: $cursor, search: $search) @connection(key: "suiteTests_tests") {
      edges {
        node {
          id
          uuid
          name
          scope
          location
          state
          labels
          metrics {
            executionsCount
            durationAverage
            reliability
            countByResult {
              failed
            }
          }
        }
      }
    }
  }
`;

interface Address {
  organization: string;
  suite: string;
}

/** Tests of a suite; one that both passes and fails is marked. */
export function SuiteTests({ address, search }: { address: Address; search: string | undefined }) {
  const { suite } = useLazyLoadQuery<suiteTestsQuery>(
    document,
    { slug: `${address.organization}/${address.suite}`, search: search ?? null },
    { fetchPolicy: 'store-and-network' },
  );
  return suite ? <List address={address} suite={suite} /> : null;
}

type Node = NonNullable<NonNullable<NonNullable<suiteTests_suite$data['tests']>['edges']>[number]>['node'];

function isUnsteady(test: NonNullable<Node>): boolean {
  const { reliability } = test.metrics;
  return reliability != null && reliability > 0 && reliability < 1;
}

function List({ address, suite }: { address: Address; suite: suiteTests_suite$key }) {
  const { data, ...more } = usePaginationFragment<suiteTestsQuery, suiteTests_suite$key>(fragment, suite);
  return (
    <PagedTable
      more={more}
      label={texts.resources.tests}
      items={nodesOf(data.tests)}
      keyOf={({ id }) => id}
      empty={texts.resources.noTests}
      columns={[
        {
          title: texts.fields.name,
          cell: (test) => (
            <>
              <div className="muted">{test.scope}</div>
              <Link
                to="/organizations/$organization/analytics/suites/$suite/tests/$test"
                params={{ ...address, test: test.uuid }}
              >
                {test.name}
              </Link>{' '}
              {isUnsteady(test) && <span className="tag tone-running">{texts.suites.flaky}</span>}
              {test.state !== 'ENABLED' && <span className="tag">{texts.suites.testStates[test.state]}</span>}
              {test.labels.map((label) => (
                <span key={label} className="tag">
                  {label}
                </span>
              ))}
            </>
          ),
        },
        {
          title: texts.fields.reliability,
          cell: ({ metrics }) => (metrics.reliability == null ? '' : `${Math.round(metrics.reliability * 100)} %`),
        },
        { title: texts.fields.failed, cell: ({ metrics }) => metrics.countByResult.failed },
        { title: texts.suites.executions, cell: ({ metrics }) => metrics.executionsCount },
        { title: texts.fields.duration, cell: ({ metrics }) => secondsText(metrics.durationAverage) },
      ]}
    />
  );
}
