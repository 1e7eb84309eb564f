import { getRouteApi } from '@tanstack/react-router';
import { graphql } from 'react-relay';
import type { agentsPageQuery } from '../../__generated__/agentsPageQuery.graphql';
import type { agentsPageSubscription } from '../../__generated__/agentsPageSubscription.graphql';
import type { agentsPage_organization$data } from '../../__generated__/agentsPage_organization.graphql';
import { useLive } from '../../relay/use-live';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { ChoiceFilter, Filters, TextFilter, useFilters } from '../../ui/filters';
import { ListPage } from '../../ui/list-page';
import { stateVariables } from './agent-states';
import { AgentTable } from './agent-table';

const route = getRouteApi('/organizations/$organization/agents');

const document = graphql`
  query agentsPageQuery($organization: ID!, $search: String, $busy: Boolean, $paused: Boolean) {
    organization(slug: $organization) {
      ...agentsPage_organization
    }
  }
`;

const fragment = graphql`
  fragment agentsPage_organization on Organization
  @refetchable(queryName: "agentsPageMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    agents(first: $count, after: $cursor, search: $search, isRunningJob: $busy, paused: $paused)
      @connection(key: "agentsPage_agents", filters: ["search", "isRunningJob", "paused"]) {
      edges {
        node {
          id
          ...agentTable_agent
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

/** Connected agents, live. */
export function AgentsPage() {
  const { organization } = route.useParams();
  const filters = route.useSearch();
  const { shown, change } = useFilters(filters);
  const [fetchKey, refetch] = useRefetchKey();
  useLive<agentsPageSubscription>(
    changes,
    { organization },
    {
      onNext: ({ agents }) => {
        if (agents.event) refetch();
      },
    },
  );
  return (
    <ListPage<agentsPageQuery, agentsPage_organization$data, 'agents'>
      title={texts.resources.agents}
      query={document}
      variables={{ organization, search: shown.search ?? null, ...stateVariables(shown.state) }}
      fetchKey={fetchKey}
      fragment={fragment}
      connection="agents"
      empty={texts.resources.noAgents}
      filters={
        <Filters>
          <TextFilter
            label={texts.resources.searchAgents}
            value={filters.search}
            onChange={(search) => change({ search })}
          />
          <ChoiceFilter
            label={texts.fields.state}
            any={texts.pipeline.anyState}
            value={filters.state}
            onChange={(state) => change({ state })}
            choices={[
              { value: 'busy', label: texts.resources.busy },
              { value: 'idle', label: texts.resources.idle },
              { value: 'paused', label: texts.resources.paused },
            ]}
          />
        </Filters>
      }
    >
      {(agents) => <AgentTable organization={organization} agents={agents} />}
    </ListPage>
  );
}
