import { useMemo } from 'react';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { measuredTests_suite$key } from '../../__generated__/measuredTests_suite.graphql';
import type {
  measuredTestsQuery,
  BuildTestMetrics,
  BuildTestOrders,
  SuiteTestStates,
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
    $branch: String
    $owners: [String!]
    $labels: [String!]
    $state: SuiteTestStates
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
    measuredTests(
      first: $count
      after: $cursor
      search: $search
      from: $from
      sortBy: $sortBy
      order: $order
      branch: $branch
      owners: $owners
      labels: $labels
      state: $state
    ) @connection(key: "measuredTests_measuredTests") {
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

/** What the address says of the tests that are wanted. */
export interface MeasuredFilters {
  search?: string | undefined;
  branch?: string | undefined;
  owner?: string | undefined;
  label?: string | undefined;
  state?: string | undefined;
}

const states = new Set<string>(Object.keys(texts.suites.testStates));
const stateOf = (word: string): SuiteTestStates | null => {
  const state = word.toUpperCase();
  return states.has(state) ? (state as SuiteTestStates) : null;
};

interface Props {
  address: SuiteAddress;
  filters: MeasuredFilters;
  by: string;
  days: number;
}

/** Tests of a suite that ran in the last days, by what they did then. */
export function MeasuredTests({ address, filters, by, days }: Props) {
  const { search, branch, owner, label, state } = filters;
  // Whole hours, so that the list is the same when it is drawn again.
  const from = useMemo(() => new Date(Math.floor(Date.now() / hourMs) * hourMs - days * dayMs).toISOString(), [days]);
  const { suite } = useLazyLoadQuery<measuredTestsQuery>(
    document,
    {
      slug: `${address.organization}/${address.suite}`,
      search: search ?? null,
      from,
      branch: branch ?? null,
      owners: owner ? [owner] : null,
      labels: label ? [label] : null,
      state: state ? stateOf(state) : null,
      ...orders[by],
    },
    { fetchPolicy: 'store-and-network' },
  );
  return suite ? <List address={address} suite={suite} /> : null;
}

function List({ address, suite }: { address: SuiteAddress; suite: measuredTests_suite$key }) {
  const { data, ...more } = usePaginationFragment<measuredTestsQuery, measuredTests_suite$key>(fragment, suite);
  return <TestTable address={address} rows={nodesOf(data.measuredTests)} more={more} empty={texts.suites.noneRan} />;
}
