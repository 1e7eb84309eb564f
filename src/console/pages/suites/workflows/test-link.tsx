import { Link } from '@tanstack/react-router';
import { graphql, useFragment } from 'react-relay';
import type { testLink_test$key } from '../../../__generated__/testLink_test.graphql';
import type { SuiteAddress } from '../test-table';

const fragment = graphql`
  fragment testLink_test on SuiteTest {
    uuid
    name
    scope
  }
`;

/** The way to a test, by its scope and name; nothing for one that is deleted. */
export function TestLink(props: { address: SuiteAddress; test: testLink_test$key | null | undefined }) {
  const test = useFragment(fragment, props.test);
  if (!test) return null;
  return (
    <Link
      to="/organizations/$organization/analytics/suites/$suite/tests/$test"
      params={{ ...props.address, test: test.uuid }}
    >
      {test.scope === '' ? test.name : `${test.scope} ${test.name}`}
    </Link>
  );
}
