import { useMemo } from 'react';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { measuredTests_suite$key } from '../../__generated__/measuredTests_suite.graphql';
import type {
  measuredTestsQuery,
  BuildTestMetrics,
  BuildTestOrders,
} from '../../__generated__/measuredTestsQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { type SuiteAddress, TestTable } from './test-table';

const document = graphql`
  query measuredTestsQuery(
    $slug: ID!
    $search: String
    $from: DateTime
    $sortBy: BuildTestMetrics
    $order: BuildTestOrders
  ) {
    suite(slug: $slug) {
      ...measuredTests_suite
    }
  }
`;

const fragment = graphql`
  fragment measuredTests_suite on Suite
  @refetchable(queryName: "measuredTestsMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 40 }, cursor: { type: "String" }) {
    measuredTests(first: $count, after: $cursor, search: $search, from: $from, sortBy: $sortBy, order: $order)
      @connection(key: "measuredTests_measuredTests") {
      edges {
        node {
          metrics {
            ...testTable_metrics
          }
          test {
            ...testTable_test
          }
        }
      }
    }
  }
`;

/** What tests that ran lately are sorted by, by its word in the address. */
const orders: Readonly<Record<string, { sortBy: BuildTestMetrics; order: BuildTestOrders }>> = {
  slowest: { sortBy: 'DURATION_AVG', order: 'DESC' },
  longest: { sortBy: 'DURATION_SUM', order: 'DESC' },
  unreliable: { sortBy: 'RELIABILITY', order: 'ASC' },
};
export const measuredOrders = Object.keys(orders);

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Tests of a suite that ran in the last days, by what they did then. */
export function MeasuredTests(props: { address: SuiteAddress; search: string | undefined; by: string; days: number }) {
  const { address, search, by, days } = props;
  // Whole hours, so that the list is the same when it is drawn again.
  const from = useMemo(() => new Date(Math.floor(Date.now() / hourMs) * hourMs - days * dayMs).toISOString(), [days]);
  const { suite } = useLazyLoadQuery<measuredTestsQuery>(
    document,
    { slug: `${address.organization}/${address.suite}`, search: search ?? null, from, ...orders[by] },
    { fetchPolicy: 'store-and-network' },
  );
  return suite ? <List address={address} suite={suite} /> : null;
}

function List({ address, suite }: { address: SuiteAddress; suite: measuredTests_suite$key }) {
  const { data, ...more } = usePaginationFragment<measuredTestsQuery, measuredTests_suite$key>(fragment, suite);
  return <TestTable address={address} rows={nodesOf(data.measuredTests)} more={more} empty={texts.suites.noneRan} />;
}
