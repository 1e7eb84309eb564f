import { getRouteApi, Link } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { suitesPageQuery } from '../../__generated__/suitesPageQuery.graphql';
import { texts } from '../../texts/texts';
import { Page, Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { RelativeTime } from '../../ui/time';

const route = getRouteApi('/organizations/$organization/analytics/suites');

const document = graphql`
  query suitesPageQuery($organization: ID!) {
    organization(slug: $organization) {
      suites(first: 100) {
        edges {
          node {
            id
            name
            slug
            defaultBranch
            createdAt
          }
        }
      }
    }
  }
`;

export function SuitesPage() {
  const { organization } = route.useParams();
  const data = useLazyLoadQuery<suitesPageQuery>(document, { organization }, { fetchPolicy: 'store-and-network' });
  if (!data.organization) return <NotFound />;
  const items = data.organization.suites?.edges?.flatMap((edge) => edge?.node ?? []) ?? [];
  return (
    <Page title={texts.resources.suites}>
      <Table
        label={texts.resources.suites}
        items={items}
        keyOf={({ id }) => id}
        empty={texts.resources.noSuites}
        columns={[
          {
            title: texts.fields.name,
            cell: ({ name, slug }) => (
              <Link to="/organizations/$organization/analytics/suites/$suite" params={{ organization, suite: slug }}>
                {name}
              </Link>
            ),
          },
          { title: texts.fields.branch, cell: ({ defaultBranch }) => defaultBranch },
          { title: texts.fields.created, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
        ]}
      />
    </Page>
  );
}
