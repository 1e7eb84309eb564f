import { getRouteApi, Link } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { suitePageQuery } from '../../__generated__/suitePageQuery.graphql';
import { texts } from '../../texts/texts';
import { Page, Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { StateMark } from '../../ui/state';
import { RelativeTime } from '../../ui/time';

const route = getRouteApi('/organizations/$organization/analytics/suites/$suite');

const document = graphql`
  query suitePageQuery($slug: ID!) {
    suite(slug: $slug) {
      name
      runs(first: 50) {
        edges {
          node {
            id
            uuid
            branch
            commit
            result
            createdAt
            passedCount
            failedCount
            skippedCount
          }
        }
      }
    }
  }
`;

/** The last runs of a test suite. */
export function SuitePage() {
  const { organization, suite: slug } = route.useParams();
  const { suite } = useLazyLoadQuery<suitePageQuery>(
    document,
    { slug: `${organization}/${slug}` },
    { fetchPolicy: 'store-and-network' },
  );
  if (!suite) return <NotFound />;
  return (
    <Page
      title={suite.name}
      crumbs={
        <Link to="/organizations/$organization/analytics/suites" params={{ organization }}>
          {texts.resources.suites}
        </Link>
      }
    >
      <Table
        label={texts.resources.runs}
        items={suite.runs?.edges?.flatMap((edge) => edge?.node ?? []) ?? []}
        keyOf={({ id }) => id}
        empty={texts.resources.noRuns}
        columns={[
          { title: texts.fields.state, cell: ({ result }) => <StateMark state={result} /> },
          { title: texts.build.when, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
          { title: texts.fields.branch, cell: ({ branch }) => branch },
          { title: texts.pipeline.commit, cell: ({ commit }) => <code>{commit.slice(0, 10)}</code> },
          { title: texts.fields.failed, cell: ({ failedCount }) => failedCount },
          { title: texts.fields.passed, cell: ({ passedCount }) => passedCount },
          { title: texts.fields.skipped, cell: ({ skippedCount }) => skippedCount },
        ]}
      />
    </Page>
  );
}
