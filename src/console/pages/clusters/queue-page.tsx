import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { queuePageDeleteMutation } from '../../__generated__/queuePageDeleteMutation.graphql';
import type { queuePageQuery } from '../../__generated__/queuePageQuery.graphql';
import type { queuePageUpdateMutation } from '../../__generated__/queuePageUpdateMutation.graphql';
import { nodeId, nodesOf } from '../../relay/nodes';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { ErrorBoundary } from '../../ui/error-boundary';
import { SelectField, TextField } from '../../ui/field';
import { Figures } from '../../ui/figures';
import { FormDialog } from '../../ui/form';
import { Page } from '../../ui/page';
import { Loading, NotFound } from '../../ui/placeholder';
import { Section } from '../../ui/section';
import { RelativeTime } from '../../ui/time';
import { durationText } from '../../ui/time-text';
import { useForm } from '../../ui/use-form';
import { AgentTable } from '../agents/agent-table';
import { JobRow } from '../agents/job-row';
import { InsightTrend } from '../insights/insight-trend';
import { AgentsNeeded } from './agents-needed';
import { QueueActions } from './queue-actions';

const route = getRouteApi('/organizations/$organization/clusters/$cluster/queues/$queue');
/** What a queue does changes with every job; its numbers are read again this often. */
const readAgain = 10_000;

const document = graphql`
  query queuePageQuery($organization: ID!, $cluster: ID!, $queue: ID!) {
    organization(slug: $organization) {
      id
      waiting: jobs(first: 30, clusterQueue: [$queue], state: [SCHEDULED, LIMITED, LIMITING]) {
        count
        edges {
          node {
            ... on Node {
              id
            }
            ...jobRow_job
          }
        }
      }
      running: jobs(first: 30, clusterQueue: [$queue], state: [ASSIGNED, ACCEPTED, RUNNING, CANCELING]) {
        count
        edges {
          node {
            ... on Node {
              id
            }
            ...jobRow_job
          }
        }
      }
      agents(first: 50, clusterQueue: [$queue]) {
        count
        edges {
          node {
            id
            ...agentTable_agent
          }
        }
      }
      cluster(id: $cluster) {
        id
        uuid
        name
        permissions {
          clusterUpdate {
            allowed
          }
        }
      }
    }
    node(id: $queue) {
      ... on ClusterQueue @alias(as: "queue") {
        id
        key
        description
        retryAgentAffinity
        pricePerAgentHour
        dispatchPaused
        dispatchPausedAt
        dispatchPausedNote
        dispatchPausedBy {
          name
        }
        cluster {
          id
        }
        metrics {
          connectedAgentsCount
          runningJobsCount
          waitingJobsCount
          jobsPassedCount
          jobsFailedCount
          waitTimeSec {
            p50
            p95
          }
        }
        ...queueActions_queue
      }
    }
  }
`;

const updateDocument = graphql`
  mutation queuePageUpdateMutation($input: ClusterQueueUpdateInput!) {
    clusterQueueUpdate(input: $input) {
      clusterQueue {
        id
        description
        retryAgentAffinity
        pricePerAgentHour
      }
    }
  }
`;

const deleteDocument = graphql`
  mutation queuePageDeleteMutation($input: ClusterQueueDeleteInput!) {
    clusterQueueDelete(input: $input) {
      deletedClusterQueueId
    }
  }
`;

/** A queue: how much waits and runs in it, what exactly, and who carries it out. */
export function QueuePage() {
  const { organization, cluster: clusterUuid, queue: uuid } = route.useParams();
  const navigate = useNavigate();
  const [editing, setEditing] = useState(false);
  const [fetchKey, refetch] = useRefetchKey();
  useEffect(() => {
    const reading = setInterval(() => {
      if (window.document.visibilityState === 'visible') refetch();
    }, readAgain);
    return () => clearInterval(reading);
  }, [refetch]);
  const { organization: reply, node } = useLazyLoadQuery<queuePageQuery>(
    document,
    { organization, cluster: clusterUuid, queue: nodeId('ClusterQueue', uuid) },
    { fetchKey, fetchPolicy: 'store-and-network' },
  );
  const cluster = reply?.cluster;
  const queue = node?.queue;
  if (!queue || !cluster || queue.cluster?.id !== cluster.id) return <NotFound />;
  const { metrics } = queue;
  const mayChange = cluster.permissions.clusterUpdate.allowed;
  const toCluster = { to: '/organizations/$organization/clusters/$cluster' as const };
  const params = { organization, cluster: cluster.uuid };
  return (
    <Page
      title={queue.key}
      crumbs={
        <>
          <Link to="/organizations/$organization/clusters" params={{ organization }}>
            {texts.resources.clusters}
          </Link>
          <Link {...toCluster} params={params}>
            {cluster.name}
          </Link>
        </>
      }
      actions={
        <>
          <QueueActions queue={queue} mayChange={mayChange} />
          {mayChange && (
            <>
              <button type="button" className="button" onClick={() => setEditing(true)}>
                {texts.common.edit}
              </button>
              <ConfirmButton<queuePageDeleteMutation>
                label={texts.common.delete}
                question={texts.common.deleteQuestion(queue.key)}
                mutation={deleteDocument}
                input={{ organizationId: reply.id, id: queue.id }}
                done={() => void navigate({ ...toCluster, params })}
              />
            </>
          )}
        </>
      }
    >
      {queue.description && <p className="muted">{queue.description}</p>}
      {queue.dispatchPaused && (
        <p className="card card-body">
          {texts.clusters.pausedBy(queue.dispatchPausedBy?.name ?? '')} <RelativeTime at={queue.dispatchPausedAt} />
          {queue.dispatchPausedNote && <>: {queue.dispatchPausedNote}</>}
        </p>
      )}
      {metrics && (
        <Figures
          label={texts.clusters.metrics}
          figures={[
            [texts.resources.agents, metrics.connectedAgentsCount],
            [texts.clusters.running, metrics.runningJobsCount],
            [texts.clusters.waiting, metrics.waitingJobsCount],
            [texts.clusters.passed, metrics.jobsPassedCount],
            [texts.clusters.failed, metrics.jobsFailedCount],
            [texts.clusters.wait50, durationText(metrics.waitTimeSec.p50 * 1000)],
            [texts.clusters.wait95, durationText(metrics.waitTimeSec.p95 * 1000)],
          ]}
        />
      )}
      <Jobs title={texts.clusters.waitingJobs} jobs={reply.waiting} empty={texts.clusters.nothingWaits} />
      <Jobs title={texts.clusters.runningJobs} jobs={reply.running} empty={texts.clusters.nothingRuns} />
      <AgentsNeeded queue={queue.id} />
      <Waits organization={organization} queue={`${cluster.name}/${queue.key}`} />
      <Section title={texts.resources.agents}>
        <AgentTable organization={organization} agents={nodesOf(reply.agents)} />
      </Section>
      {editing && (
        <EditQueueDialog
          organizationId={reply.id}
          id={queue.id}
          values={{
            description: queue.description ?? '',
            affinity: queue.retryAgentAffinity,
            price: String(queue.pricePerAgentHour ?? ''),
          }}
          close={() => setEditing(false)}
        />
      )}
    </Page>
  );
}

type JobList = NonNullable<queuePageQuery['response']['organization']>['waiting'];

function Jobs({ title, jobs, empty }: { title: string; jobs: JobList; empty: string }) {
  const shown = nodesOf(jobs);
  return (
    <Section title={shown.length > 0 ? `${title} (${jobs?.count ?? shown.length})` : title}>
      {shown.length === 0 ? (
        <p className="card card-body muted">{empty}</p>
      ) : (
        <ul className="card">
          {shown.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </ul>
      )}
    </Section>
  );
}

/** The waits of the jobs of a queue day by day; without them in an organization with too many builds to count. */
function Waits({ organization, queue }: { organization: string; queue: string }) {
  return (
    <Section
      title={texts.insights.lastWeek}
      actions={
        <Link to="/organizations/$organization/insights" params={{ organization }} search={{ queue }}>
          {texts.insights.more}
        </Link>
      }
    >
      <ErrorBoundary quiet>
        <Suspense fallback={<Loading rows={2} />}>
          <InsightTrend
            organization={organization}
            days={7}
            filters={{ queue }}
            charts={['wait']}
            empty={<p className="card card-body muted">{texts.insights.none}</p>}
          />
        </Suspense>
      </ErrorBoundary>
    </Section>
  );
}

interface Values {
  description: string;
  affinity: string;
  price: string;
}

function EditQueueDialog(props: { organizationId: string; id: string; values: Values; close: () => void }) {
  const form = useForm<Values, queuePageUpdateMutation>(updateDocument, {
    key: `queue:${props.id}`,
    initial: props.values,
    variables: ({ description, affinity, price }) => ({
      input: {
        organizationId: props.organizationId,
        id: props.id,
        description,
        retryAgentAffinity: affinity,
        pricePerAgentHour: price.trim() === '' ? null : Number(price),
      },
    }),
    done: props.close,
  });
  return (
    <FormDialog title={texts.clusters.editQueue} form={form} submit={texts.common.save} close={props.close}>
      <TextField label={texts.fields.description} autoFocus {...form.text('description')} />
      <SelectField
        label={texts.clusters.affinity}
        {...form.text('affinity', 'retryAgentAffinity')}
        choices={Object.entries(texts.clusters.affinities).map(([value, label]) => ({ value, label }))}
      />
      <TextField
        label={texts.clusters.price}
        hint={texts.clusters.priceHint}
        type="number"
        {...form.text('price', 'pricePerAgentHour')}
      />
    </FormDialog>
  );
}
