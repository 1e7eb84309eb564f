import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { clustersPage_organization$key } from '../../__generated__/clustersPage_organization.graphql';
import type { clustersPageQuery } from '../../__generated__/clustersPageQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { More } from '../../ui/more';
import { Page, Table } from '../../ui/page';
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
  const [creating, setCreating] = useState(false);
  const data = useLazyLoadQuery<clustersPageQuery>(document, { organization }, { fetchPolicy: 'store-and-network' });
  const found = data.organization;
  if (!found) return <NotFound />;
  return (
    <Page
      title={texts.resources.clusters}
      actions={
        found.permissions.organizationUpdate?.allowed && (
          <button type="button" className="button button-primary" onClick={() => setCreating(true)}>
            {texts.clusters.new}
          </button>
        )
      }
    >
      <List organization={found} />
      {creating && (
        <NewClusterDialog
          organizationId={found.id}
          close={() => setCreating(false)}
          done={(cluster) =>
            void navigate({
              to: '/organizations/$organization/clusters/$cluster',
              params: { organization, cluster },
            })
          }
        />
      )}
    </Page>
  );
}

function List({ organization }: { organization: clustersPage_organization$key }) {
  const { data, ...more } = usePaginationFragment<clustersPageQuery, clustersPage_organization$key>(
    fragment,
    organization,
  );
  return (
    <>
      <Table
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
      <More {...more} />
    </>
  );
}
