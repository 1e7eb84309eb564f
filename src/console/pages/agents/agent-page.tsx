import { getRouteApi, Link } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { agentPage_agent$key } from '../../__generated__/agentPage_agent.graphql';
import type { agentPageQuery } from '../../__generated__/agentPageQuery.graphql';
import type { agentPageSubscription } from '../../__generated__/agentPageSubscription.graphql';
import { nodesOf } from '../../relay/nodes';
import { useLive } from '../../relay/use-live';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { More } from '../../ui/more';
import { Page } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { Section } from '../../ui/section';
import { RelativeTime } from '../../ui/time';
import { JobRow } from './job-row';
import { AgentActions } from './agent-actions';

const route = getRouteApi('/organizations/$organization/agents/$agent');

const document = graphql`
  query agentPageQuery($slug: ID!) {
    agent(slug: $slug) {
      id
      uuid
      name
      connectionState
      hostname
      ipAddress
      version
      pid
      userAgent
      priority
      metaData
      connectedAt
      heartbeatAt
      disconnectedAt
      lostAt
      paused
      pausedAt
      pausedNote
      pausedBy {
        name
      }
      operatingSystem {
        name
      }
      clusterQueue {
        uuid
        key
        cluster {
          uuid
          name
        }
      }
      organization {
        id
      }
      ...agentActions_agent
      ...agentPage_agent
    }
  }
`;

const fragment = graphql`
  fragment agentPage_agent on Agent
  @refetchable(queryName: "agentPageMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 30 }, cursor: { type: "String" }) {
    jobs(first: $count, after: $cursor) @connection(key: "agentPage_jobs") {
      edges {
        node {
          ... on Node {
            id
          }
          ...jobRow_job
        }
      }
    }
  }
`;

const changes = graphql`
  subscription agentPageSubscription($organization: ID!, $after: String) {
    agents(id: $organization, after: $after) {
      cursor
      agent {
        id
      }
    }
  }
`;

/** An agent: where it runs, what it takes, and the jobs that it had. */
export function AgentPage() {
  const { organization, agent: uuid } = route.useParams();
  const [fetchKey, refetch] = useRefetchKey();
  const { agent } = useLazyLoadQuery<agentPageQuery>(
    document,
    { slug: `${organization}/${uuid}` },
    { fetchPolicy: 'store-and-network', fetchKey },
  );
  useLive<agentPageSubscription>(
    changes,
    { organization },
    {
      onNext: ({ agents }) => {
        if (agent && agents.agent?.id === agent.id) refetch();
      },
    },
  );
  if (!agent) return <NotFound />;
  const queue = agent.clusterQueue;
  return (
    <Page
      title={agent.name}
      crumbs={
        <Link to="/organizations/$organization/agents" params={{ organization }}>
          {texts.resources.agents}
        </Link>
      }
      actions={<AgentActions agent={agent} />}
    >
      <dl className="facts card card-body">
        <dt>{texts.fields.state}</dt>
        <dd>
          {agent.connectionState}
          {agent.paused && (
            <>
              {' · '}
              {texts.agents.pausedBy(agent.pausedBy?.name ?? '')} <RelativeTime at={agent.pausedAt} />
              {agent.pausedNote && <>: {agent.pausedNote}</>}
            </>
          )}
        </dd>
        {queue?.cluster && (
          <>
            <dt>{texts.fields.queue}</dt>
            <dd>
              <Link
                to="/organizations/$organization/clusters/$cluster"
                params={{ organization, cluster: queue.cluster.uuid }}
              >
                {queue.cluster.name}
              </Link>
              {' / '}
              <Link
                to="/organizations/$organization/clusters/$cluster/queues/$queue"
                params={{ organization, cluster: queue.cluster.uuid, queue: queue.uuid }}
              >
                {queue.key}
              </Link>
            </dd>
          </>
        )}
        <dt>{texts.agents.tags}</dt>
        <dd className="row row-wrap">
          {(agent.metaData ?? []).map((tag) => (
            <code key={tag} className="tag">
              {tag}
            </code>
          ))}
        </dd>
        <dt>{texts.fields.host}</dt>
        <dd>
          {agent.hostname} {agent.ipAddress} {agent.operatingSystem?.name}
        </dd>
        <dt>{texts.fields.version}</dt>
        <dd>
          {agent.version} <span className="muted">{agent.userAgent}</span>
        </dd>
        <dt>{texts.job.priority}</dt>
        <dd>{agent.priority ?? 0}</dd>
        <dt>{texts.resources.connected}</dt>
        <dd>
          <RelativeTime at={agent.connectedAt} />
        </dd>
        <dt>{texts.agents.heartbeat}</dt>
        <dd>
          <RelativeTime at={agent.heartbeatAt} />
        </dd>
        {(agent.lostAt ?? agent.disconnectedAt) && (
          <>
            <dt>{agent.lostAt ? texts.agents.lost : texts.agents.disconnected}</dt>
            <dd>
              <RelativeTime at={agent.lostAt ?? agent.disconnectedAt} />
            </dd>
          </>
        )}
      </dl>
      <Section title={texts.agents.jobs}>
        <Jobs agent={agent} />
      </Section>
    </Page>
  );
}

function Jobs({ agent }: { agent: agentPage_agent$key }) {
  const { data, ...more } = usePaginationFragment<agentPageQuery, agentPage_agent$key>(fragment, agent);
  const jobs = nodesOf(data.jobs);
  if (jobs.length === 0) return <p className="card card-body muted">{texts.agents.noJobs}</p>;
  return (
    <>
      <ul className="card">
        {jobs.map((job) => (
          <JobRow key={job.id} job={job} />
        ))}
      </ul>
      <More {...more} />
    </>
  );
}
