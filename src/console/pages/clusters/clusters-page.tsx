import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { graphql } from 'react-relay';
import type { clustersPageQuery } from '../../__generated__/clustersPageQuery.graphql';
import type { clustersPage_organization$data } from '../../__generated__/clustersPage_organization.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { ListPage } from '../../ui/list-page';
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
  const open = (cluster: string) =>
    void navigate({ to: '/organizations/$organization/clusters/$cluster', params: { organization, cluster } });
  return (
    <ListPage<clustersPageQuery, clustersPage_organization$data, 'clusters'>
      title={texts.resources.clusters}
      query={document}
      variables={{ organization }}
      fragment={fragment}
      connection="clusters"
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
          cell: ({ queues }) =>
            nodesOf(queues)
              .map(({ key }) => key)
              .join(', '),
        },
      ]}
      creation={({ organization: { id, permissions } }) =>
        permissions.organizationUpdate?.allowed && {
          text: texts.clusters.new,
          dialog: (close) => <NewClusterDialog organizationId={id} close={close} done={open} />,
        }
      }
    />
  );
}
