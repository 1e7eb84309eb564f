import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { clusterPageDeleteMutation } from '../../__generated__/clusterPageDeleteMutation.graphql';
import type { clusterPageQuery } from '../../__generated__/clusterPageQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { Page } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { EditClusterDialog } from './cluster-dialog';
import { QueueSection } from './queue-section';
import { SecretSection } from './secret-section';
import { TokenSection } from './token-section';

const route = getRouteApi('/organizations/$organization/clusters/$cluster');

const document = graphql`
  query clusterPageQuery($organization: ID!, $cluster: ID!) {
    organization(slug: $organization) {
      id
      cluster(id: $cluster) {
        id
        name
        description
        permissions {
          clusterUpdate {
            allowed
          }
          clusterDelete {
            allowed
          }
        }
        defaultQueue {
          id
        }
        choices: queues(first: 100) {
          edges {
            node {
              id
              key
            }
          }
        }
        ...queueSection_cluster
        ...tokenSection_cluster
        ...secretSection_cluster
      }
    }
  }
`;

const deleteDocument = graphql`
  mutation clusterPageDeleteMutation($input: ClusterDeleteInput!) {
    clusterDelete(input: $input) {
      deletedClusterId
    }
  }
`;

/** A cluster: its queues, the tokens its agents register with, and its secrets, whose values are never shown. */
export function ClusterPage() {
  const { organization, cluster: uuid } = route.useParams();
  const navigate = useNavigate();
  const [fetchKey, refetch] = useRefetchKey();
  const [editing, setEditing] = useState(false);
  const data = useLazyLoadQuery<clusterPageQuery>(
    document,
    { organization, cluster: uuid },
    { fetchKey, fetchPolicy: 'store-and-network' },
  );
  const cluster = data.organization?.cluster;
  if (!data.organization || !cluster) return <NotFound />;
  const mayChange = cluster.permissions.clusterUpdate.allowed;
  const shared = { organization, organizationId: data.organization.id, cluster, refetch, mayChange };
  return (
    <Page
      title={cluster.name}
      crumbs={
        <Link to="/organizations/$organization/clusters" params={{ organization }}>
          {texts.resources.clusters}
        </Link>
      }
      actions={
        <>
          {mayChange && (
            <button type="button" className="button" onClick={() => setEditing(true)}>
              {texts.common.edit}
            </button>
          )}
          {cluster.permissions.clusterDelete.allowed && (
            <ConfirmButton<clusterPageDeleteMutation>
              label={texts.common.delete}
              question={texts.common.deleteQuestion(cluster.name)}
              mutation={deleteDocument}
              input={{ organizationId: shared.organizationId, id: cluster.id }}
              done={() => void navigate({ to: '/organizations/$organization/clusters', params: { organization } })}
            />
          )}
        </>
      }
    >
      {cluster.description && <p className="muted">{cluster.description}</p>}
      <QueueSection {...shared} />
      <TokenSection {...shared} />
      {mayChange && <SecretSection {...shared} />}
      {editing && (
        <EditClusterDialog
          organizationId={shared.organizationId}
          id={cluster.id}
          values={{
            name: cluster.name,
            description: cluster.description ?? '',
            defaultQueue: cluster.defaultQueue?.id ?? '',
          }}
          queues={nodesOf(cluster.choices)}
          close={() => setEditing(false)}
        />
      )}
    </Page>
  );
}
