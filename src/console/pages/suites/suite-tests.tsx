import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { suiteTests_suite$key } from '../../__generated__/suiteTests_suite.graphql';
import type { suiteTestsQuery } from '../../__generated__/suiteTestsQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { type SuiteAddress, TestTable } from './test-table';

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
          ...testTable_test
          metrics {
            ...testTable_metrics
          }
        }
      }
    }
  }
`;

/** Tests of a suite, the newest first, with what they ever did. */
export function SuiteTests({ address, search }: { address: SuiteAddress; search: string | undefined }) {
  const { suite } = useLazyLoadQuery<suiteTestsQuery>(
    document,
    { slug: `${address.organization}/${address.suite}`, search: search ?? null },
    { fetchPolicy: 'store-and-network' },
  );
  return suite ? <List address={address} suite={suite} /> : null;
}

function List({ address, suite }: { address: SuiteAddress; suite: suiteTests_suite$key }) {
  const { data, ...more } = usePaginationFragment<suiteTestsQuery, suiteTests_suite$key>(fragment, suite);
  const rows = nodesOf(data.tests).map((test) => ({ test, metrics: test.metrics }));
  return <TestTable address={address} rows={rows} more={more} empty={texts.resources.noTests} />;
}
