import { getRouteApi, Link } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { clustersPageQuery } from '../../__generated__/clustersPageQuery.graphql';
import { texts } from '../../texts/texts';
import { Page, Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';

const route = getRouteApi('/organizations/$organization/clusters');

const document = graphql`
  query clustersPageQuery($organization: ID!) {
    organization(slug: $organization) {
      clusters(first: 100) {
        edges {
          node {
            id
            uuid
            name
            description
            queues(first: 20) {
              edges {
                node {
                  id
                  key
                }
              }
            }
          }
        }
      }
    }
  }
`;

export function ClustersPage() {
  const { organization } = route.useParams();
  const data = useLazyLoadQuery<clustersPageQuery>(document, { organization }, { fetchPolicy: 'store-and-network' });
  if (!data.organization) return <NotFound />;
  const items = data.organization.clusters?.edges?.flatMap((edge) => edge?.node ?? []) ?? [];
  return (
    <Page title={texts.resources.clusters}>
      <Table
        label={texts.resources.clusters}
        items={items}
        keyOf={({ id }) => id}
        empty={texts.resources.noClusters}
        columns={[
          {
            title: texts.fields.name,
            cell: ({ name, uuid }) => (
              <Link to="/organizations/$organization/clusters/$cluster" params={{ organization, cluster: uuid }}>
                {name}
              </Link>
            ),
          },
          { title: texts.fields.description, cell: ({ description }) => description },
          {
            title: texts.fields.queues,
            cell: ({ queues }) => queues?.edges?.flatMap((edge) => edge?.node?.key ?? []).join(', '),
          },
        ]}
      />
    </Page>
  );
}
