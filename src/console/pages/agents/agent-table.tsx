import { Link } from '@tanstack/react-router';
import { graphql, useFragment } from 'react-relay';
import type { agentTable_agent$key } from '../../__generated__/agentTable_agent.graphql';
import { localPath } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { Table } from '../../ui/page';
import { RelativeTime } from '../../ui/time';
import { plainLabel } from '../build/steps/job-view';
import { AgentActions } from './agent-actions';

const fragment = graphql`
  fragment agentTable_agent on Agent @relay(plural: true) {
    id
    uuid
    name
    hostname
    version
    paused
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
`;

/** Agents and what each of them does now. */
export function AgentTable({ organization, agents }: { organization: string; agents: agentTable_agent$key }) {
  return (
    <Table
      label={texts.resources.agents}
      items={useFragment(fragment, agents)}
      keyOf={({ id }) => id}
      empty={texts.resources.noAgents}
      columns={[
        {
          title: texts.fields.name,
          cell: ({ uuid, name }) => (
            <Link to="/organizations/$organization/agents/$agent" params={{ organization, agent: uuid }}>
              {name}
            </Link>
          ),
        },
        { title: texts.fields.queue, cell: ({ clusterQueue }) => clusterQueue?.key },
        {
          title: texts.fields.job,
          cell: ({ job, paused }) => {
            if (job?.url) return <a href={localPath(job.url)}>{plainLabel(job.label) || job.command}</a>;
            return <span className="tag">{paused ? texts.resources.paused : texts.resources.idle}</span>;
          },
        },
        { title: texts.fields.host, cell: ({ hostname }) => hostname },
        { title: texts.fields.version, cell: ({ version }) => version },
        { title: texts.resources.connected, cell: ({ connectedAt }) => <RelativeTime at={connectedAt} /> },
        { title: texts.common.actions, cell: (agent) => <AgentActions agent={agent} /> },
      ]}
    />
  );
}
