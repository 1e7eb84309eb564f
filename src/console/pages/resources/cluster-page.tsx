import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { clusterPageQuery } from '../../__generated__/clusterPageQuery.graphql';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { Page, Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { RelativeTime } from '../../ui/time';
import { NewSecretDialog, NewTokenDialog } from './cluster-dialogs';
import { QueueActions } from './queue-actions';

const route = getRouteApi('/organizations/$organization/clusters/$cluster');

const document = graphql`
  query clusterPageQuery($organization: ID!, $cluster: ID!) {
    organization(slug: $organization) {
      id
      cluster(id: $cluster) {
        id
        name
        description
        defaultQueue {
          id
        }
        queues(first: 100) {
          edges {
            node {
              id
              key
              description
              ...queueActions_queue
            }
          }
        }
        agentTokens(first: 100) {
          edges {
            node {
              id
              description
              expiresAt
              createdAt
            }
          }
        }
        secrets(first: 100) {
          edges {
            node {
              id
              key
              description
              lastReadAt
              updatedAt
            }
          }
        }
      }
    }
  }
`;

type Edges<T> = readonly ({ readonly node?: T | null | undefined } | null | undefined)[] | null | undefined;
const nodes = <T,>(edges: Edges<T>): T[] => edges?.flatMap((edge) => edge?.node ?? []) ?? [];

/** A cluster: its queues, the tokens its agents register with, and its secrets, whose values are never shown. */
export function ClusterPage() {
  const { organization, cluster: uuid } = route.useParams();
  const [fetchKey, refetch] = useRefetchKey();
  const [open, setOpen] = useState<'token' | 'secret' | null>(null);
  const data = useLazyLoadQuery<clusterPageQuery>(
    document,
    { organization, cluster: uuid },
    { fetchKey, fetchPolicy: 'store-and-network' },
  );
  const cluster = data.organization?.cluster;
  if (!data.organization || !cluster) return <NotFound />;
  const ids = { organizationId: data.organization.id, clusterId: cluster.id };
  const close = () => {
    setOpen(null);
    refetch();
  };
  return (
    <Page
      title={cluster.name}
      crumbs={
        <Link to="/organizations/$organization/clusters" params={{ organization }}>
          {texts.resources.clusters}
        </Link>
      }
    >
      {cluster.description && <p className="muted">{cluster.description}</p>}
      <section className="stack stack-s">
        <h2>{texts.resources.queues}</h2>
        <Table
          label={texts.resources.queues}
          items={nodes(cluster.queues?.edges)}
          keyOf={({ id }) => id}
          empty={texts.resources.noQueues}
          columns={[
            {
              title: texts.fields.key,
              cell: ({ id, key }) => (
                <>
                  <code>{key}</code>{' '}
                  {id === cluster.defaultQueue?.id && <span className="tag">{texts.resources.defaultQueue}</span>}
                </>
              ),
            },
            { title: texts.fields.description, cell: ({ description }) => description },
            { title: texts.common.actions, cell: (queue) => <QueueActions queue={queue} /> },
          ]}
        />
      </section>
      <section className="stack stack-s">
        <div className="row">
          <h2 className="grow">{texts.resources.tokens}</h2>
          <button type="button" className="button" onClick={() => setOpen('token')}>
            {texts.resources.newToken}
          </button>
        </div>
        <Table
          label={texts.resources.tokens}
          items={nodes(cluster.agentTokens?.edges)}
          keyOf={({ id }) => id}
          empty={texts.resources.noTokens}
          columns={[
            { title: texts.fields.description, cell: ({ description }) => description },
            { title: texts.fields.created, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
            { title: texts.fields.expires, cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
          ]}
        />
      </section>
      <section className="stack stack-s">
        <div className="row">
          <h2 className="grow">{texts.resources.secrets}</h2>
          <button type="button" className="button" onClick={() => setOpen('secret')}>
            {texts.resources.newSecret}
          </button>
        </div>
        <Table
          label={texts.resources.secrets}
          items={nodes(cluster.secrets?.edges)}
          keyOf={({ id }) => id}
          empty={texts.resources.noSecrets}
          columns={[
            { title: texts.fields.key, cell: ({ key }) => <code>{key}</code> },
            { title: texts.fields.description, cell: ({ description }) => description },
            { title: texts.fields.lastUsed, cell: ({ lastReadAt }) => <RelativeTime at={lastReadAt} /> },
          ]}
        />
      </section>
      {open === 'token' && <NewTokenDialog {...ids} close={close} />}
      {open === 'secret' && <NewSecretDialog {...ids} close={close} />}
    </Page>
  );
}
