import { Link } from '@tanstack/react-router';
import { graphql, usePaginationFragment } from 'react-relay';
import type { suiteRuns_suite$key } from '../../__generated__/suiteRuns_suite.graphql';
import type { suiteRunsMoreQuery } from '../../__generated__/suiteRunsMoreQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { PagedTable } from '../../ui/paged-table';
import { StateMark } from '../../ui/state';
import { RelativeTime } from '../../ui/time';
import { firstLine } from '../../ui/first-line';

const fragment = graphql`
  fragment suiteRuns_suite on Suite
  @refetchable(queryName: "suiteRunsMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 40 }, cursor: { type: "String" }) {
    runs(first: $count, after: $cursor) @connection(key: "suiteRuns_runs") {
      edges {
        node {
          id
          uuid
          branch
          commit
          message
          result
          createdAt
          passedCount
          failedCount
          skippedCount
        }
      }
    }
  }
`;

interface Props {
  address: { organization: string; suite: string };
  suite: suiteRuns_suite$key;
}

/** Runs of a suite, newest first. */
export function SuiteRuns({ address, suite }: Props) {
  const { data, ...more } = usePaginationFragment<suiteRunsMoreQuery, suiteRuns_suite$key>(fragment, suite);
  return (
    <PagedTable
      more={more}
      label={texts.resources.runs}
      items={nodesOf(data.runs)}
      keyOf={({ id }) => id}
      empty={texts.resources.noRuns}
      columns={[
        {
          title: texts.suites.run,
          cell: ({ uuid, result, message, commit }) => (
            <span className="row">
              <StateMark state={result} />
              <Link
                className="truncate"
                to="/organizations/$organization/analytics/suites/$suite/runs/$run"
                params={{ ...address, run: uuid }}
              >
                {firstLine(message) || commit.slice(0, 10) || uuid.slice(0, 8)}
              </Link>
            </span>
          ),
        },
        { title: texts.build.when, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
        { title: texts.fields.branch, cell: ({ branch }) => branch },
        { title: texts.pipeline.commit, cell: ({ commit }) => <code>{commit.slice(0, 10)}</code> },
        { title: texts.fields.failed, cell: ({ failedCount }) => failedCount },
        { title: texts.fields.passed, cell: ({ passedCount }) => passedCount },
        { title: texts.fields.skipped, cell: ({ skippedCount }) => skippedCount },
      ]}
    />
  );
}
