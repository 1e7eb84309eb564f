import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { queueSection_cluster$key } from '../../__generated__/queueSection_cluster.graphql';
import type { queueSectionCreateMutation } from '../../__generated__/queueSectionCreateMutation.graphql';
import type { queueSectionMoreQuery } from '../../__generated__/queueSectionMoreQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { PagedTable } from '../../ui/paged-table';
import { Section } from '../../ui/section';
import { useForm } from '../../ui/use-form';
import { QueueActions } from './queue-actions';

const fragment = graphql`
  fragment queueSection_cluster on Cluster
  @refetchable(queryName: "queueSectionMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    id
    uuid
    defaultQueue {
      id
    }
    queues(first: $count, after: $cursor) @connection(key: "queueSection_queues") {
      edges {
        node {
          id
          uuid
          key
          description
          metrics {
            connectedAgentsCount
            waitingJobsCount
            runningJobsCount
          }
          ...queueActions_queue
        }
      }
    }
  }
`;

const createDocument = graphql`
  mutation queueSectionCreateMutation($input: ClusterQueueCreateInput!) {
    clusterQueueCreate(input: $input) {
      clusterQueue {
        id
      }
    }
  }
`;

interface Props {
  organization: string;
  organizationId: string;
  cluster: queueSection_cluster$key;
  refetch: () => void;
  /** Whether the viewer may change what the cluster has. */
  mayChange: boolean;
}

/** Queues of a cluster, with what runs and waits in each. */
export function QueueSection({ organization, organizationId, cluster, refetch, mayChange }: Props) {
  const { data, ...more } = usePaginationFragment<queueSectionMoreQuery, queueSection_cluster$key>(fragment, cluster);
  const [creating, setCreating] = useState(false);
  return (
    <Section
      title={texts.resources.queues}
      actions={
        mayChange && (
          <button type="button" className="button" onClick={() => setCreating(true)}>
            {texts.resources.newQueue}
          </button>
        )
      }
    >
      <PagedTable
        more={more}
        label={texts.resources.queues}
        items={nodesOf(data.queues)}
        keyOf={({ id }) => id}
        empty={texts.resources.noQueues}
        columns={[
          {
            title: texts.fields.key,
            cell: ({ id, uuid, key }) => (
              <>
                <Link
                  to="/organizations/$organization/clusters/$cluster/queues/$queue"
                  params={{ organization, cluster: data.uuid, queue: uuid }}
                >
                  <code>{key}</code>
                </Link>{' '}
                {id === data.defaultQueue?.id && <span className="tag">{texts.resources.defaultQueue}</span>}
              </>
            ),
          },
          { title: texts.fields.description, cell: ({ description }) => description },
          { title: texts.resources.agents, cell: ({ metrics }) => metrics?.connectedAgentsCount },
          { title: texts.clusters.running, cell: ({ metrics }) => metrics?.runningJobsCount },
          { title: texts.clusters.waiting, cell: ({ metrics }) => metrics?.waitingJobsCount },
          { title: texts.common.actions, cell: (queue) => <QueueActions queue={queue} mayChange={mayChange} /> },
        ]}
      />
      {creating && (
        <NewQueueDialog
          organizationId={organizationId}
          clusterId={data.id}
          close={() => setCreating(false)}
          done={refetch}
        />
      )}
    </Section>
  );
}

function NewQueueDialog(props: { organizationId: string; clusterId: string; close: () => void; done: () => void }) {
  const form = useForm<{ key: string; description: string }, queueSectionCreateMutation>(createDocument, {
    key: `queue:${props.clusterId}`,
    initial: { key: '', description: '' },
    variables: ({ key, description }) => ({
      input: {
        organizationId: props.organizationId,
        clusterId: props.clusterId,
        key,
        description: description || null,
      },
    }),
    done: () => {
      props.close();
      props.done();
    },
  });
  return (
    <FormDialog title={texts.resources.newQueue} form={form} submit={texts.common.create} close={props.close}>
      <TextField label={texts.fields.key} hint={texts.clusters.queueHint} required autoFocus {...form.text('key')} />
      <TextField label={texts.fields.description} {...form.text('description')} />
    </FormDialog>
  );
}
