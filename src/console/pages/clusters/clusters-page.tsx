import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { clustersPage_organization$key } from '../../__generated__/clustersPage_organization.graphql';
import type { clustersPageQuery } from '../../__generated__/clustersPageQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { ListPage } from '../../ui/list-page';
import { PagedTable } from '../../ui/paged-table';
import { NotFound } from '../../ui/placeholder';
import { NewClusterDialog } from './cluster-dialog';

const route = getRouteApi('/organizations/$organization/clusters');

const document = graphql`
  query clustersPageQuery($organization: ID!) {
    organization(slug: $organization) {
      id
      permissions {
        organizationUpdate {
          allowed
        }
      }
      ...clustersPage_organization
    }
  }
`;

const fragment = graphql`
  fragment clustersPage_organization on Organization
  @refetchable(queryName: "clustersPageMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    slug
    clusters(first: $count, after: $cursor) @connection(key: "clustersPage_clusters") {
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
`;

/** Clusters of an organization. */
export function ClustersPage() {
  const { organization } = route.useParams();
  const navigate = useNavigate();
  const data = useLazyLoadQuery<clustersPageQuery>(document, { organization }, { fetchPolicy: 'store-and-network' });
  const found = data.organization;
  if (!found) return <NotFound />;
  return (
    <ListPage
      title={texts.resources.clusters}
      making={
        found.permissions.organizationUpdate?.allowed && {
          text: texts.clusters.new,
          dialog: (close) => (
            <NewClusterDialog
              organizationId={found.id}
              close={close}
              done={(cluster) =>
                void navigate({
                  to: '/organizations/$organization/clusters/$cluster',
                  params: { organization, cluster },
                })
              }
            />
          ),
        }
      }
    >
      <List organization={found} />
    </ListPage>
  );
}

function List({ organization }: { organization: clustersPage_organization$key }) {
  const { data, ...more } = usePaginationFragment<clustersPageQuery, clustersPage_organization$key>(
    fragment,
    organization,
  );
  return (
    <PagedTable
      more={more}
      label={texts.resources.clusters}
      items={nodesOf(data.clusters)}
      keyOf={({ id }) => id}
      empty={texts.resources.noClusters}
      columns={[
        {
          title: texts.fields.name,
          cell: ({ name, uuid }) => (
            <Link
              to="/organizations/$organization/clusters/$cluster"
              params={{ organization: data.slug, cluster: uuid }}
            >
              {name}
            </Link>
          ),
        },
        { title: texts.fields.description, cell: ({ description }) => description },
        {
          title: texts.fields.queues,
          cell: ({ queues }) =>
            nodesOf(queues)
              .map(({ key }) => key)
              .join(', '),
        },
      ]}
    />
  );
}
