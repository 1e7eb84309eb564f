import { getRouteApi } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { agentsPageQuery } from '../../__generated__/agentsPageQuery.graphql';
import type { agentsPageSubscription } from '../../__generated__/agentsPageSubscription.graphql';
import { useLive } from '../../relay/use-live';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { Page, Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { RelativeTime } from '../../ui/time';
import { AgentActions } from './agent-actions';

const route = getRouteApi('/organizations/$organization/agents');

const document = graphql`
  query agentsPageQuery($organization: ID!) {
    organization(slug: $organization) {
      agents(first: 200) {
        edges {
          node {
            id
            name
            hostname
            version
            paused
            isRunningJob
            connectedAt
            clusterQueue {
              key
            }
            job {
              ... on JobTypeCommand {
                label
                command
                url
              }
            }
            ...agentActions_agent
          }
        }
      }
    }
  }
`;

const changes = graphql`
  subscription agentsPageSubscription($organization: ID!, $after: String) {
    agents(id: $organization, after: $after) {
      cursor
      event {
        type
      }
    }
  }
`;

/** Connected agents and what each of them does now. */
export function AgentsPage() {
  const { organization } = route.useParams();
  const [fetchKey, refetch] = useRefetchKey();
  const data = useLazyLoadQuery<agentsPageQuery>(
    document,
    { organization },
    { fetchKey, fetchPolicy: 'store-and-network' },
  );
  useLive<agentsPageSubscription>(
    changes,
    { organization },
    {
      onNext: ({ agents }) => {
        if (agents.event) refetch();
      },
    },
  );
  if (!data.organization) return <NotFound />;
  return (
    <Page title={texts.resources.agents}>
      <Table
        label={texts.resources.agents}
        items={data.organization.agents?.edges?.flatMap((edge) => edge?.node ?? []) ?? []}
        keyOf={({ id }) => id}
        empty={texts.resources.noAgents}
        columns={[
          { title: texts.fields.name, cell: ({ name }) => name },
          { title: texts.fields.queue, cell: ({ clusterQueue }) => clusterQueue?.key },
          {
            title: texts.fields.job,
            cell: ({ job, paused }) => {
              if (job?.url) return <a href={localPath(job.url)}>{job.label || job.command}</a>;
              return <span className="tag">{paused ? texts.resources.paused : texts.resources.idle}</span>;
            },
          },
          { title: texts.fields.host, cell: ({ hostname }) => hostname },
          { title: texts.fields.version, cell: ({ version }) => version },
          { title: texts.resources.connected, cell: ({ connectedAt }) => <RelativeTime at={connectedAt} /> },
          { title: texts.common.actions, cell: (agent) => <AgentActions agent={agent} /> },
        ]}
      />
    </Page>
  );
}

function localPath(url: string): string {
  const { pathname, hash } = new URL(url);
  return pathname + hash;
}
