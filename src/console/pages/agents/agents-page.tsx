import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Suspense, useDeferredValue } from 'react';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { agentsPage_organization$key } from '../../__generated__/agentsPage_organization.graphql';
import type { agentsPageQuery } from '../../__generated__/agentsPageQuery.graphql';
import type { agentsPageSubscription } from '../../__generated__/agentsPageSubscription.graphql';
import { nodesOf } from '../../relay/nodes';
import { useLive } from '../../relay/use-live';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { SelectField } from '../../ui/field';
import { More } from '../../ui/more';
import { Page } from '../../ui/page';
import { Loading, NotFound } from '../../ui/placeholder';
import { AgentTable } from './agent-table';

const route = getRouteApi('/organizations/$organization/agents');

const document = graphql`
  query agentsPageQuery($organization: ID!, $search: String, $busy: Boolean, $paused: Boolean) {
    organization(slug: $organization) {
      slug
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

const filters = { busy: { busy: true }, idle: { busy: false, paused: false }, paused: { paused: true } } as const;

/** Connected agents, live. */
export function AgentsPage() {
  const { organization } = route.useParams();
  const { search, state } = route.useSearch();
  const navigate = useNavigate({ from: '/organizations/$organization/agents' });
  const change = (part: { search?: string | undefined; state?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  return (
    <Page title={texts.resources.agents}>
      <div className="filters" role="search">
        <input
          className="input filter-search"
          type="search"
          aria-label={texts.resources.searchAgents}
          placeholder={texts.resources.searchAgents}
          value={search ?? ''}
          onChange={(event) => change({ search: event.target.value || undefined })}
        />
        <SelectField
          label={texts.fields.state}
          hideLabel
          value={state ?? ''}
          onChange={(next) => change({ state: next || undefined })}
          choices={[
            { value: '', label: texts.pipeline.anyState },
            { value: 'busy', label: texts.resources.busy },
            { value: 'idle', label: texts.resources.idle },
            { value: 'paused', label: texts.resources.paused },
          ]}
        />
      </div>
      <Suspense fallback={<Loading />}>
        <Agents organization={organization} search={useDeferredValue(search)} state={useDeferredValue(state)} />
      </Suspense>
    </Page>
  );
}

function Agents(props: { organization: string; search: string | undefined; state: string | undefined }) {
  const { organization } = props;
  const [fetchKey, refetch] = useRefetchKey();
  const { busy = null, paused = null }: { busy?: boolean | null; paused?: boolean | null } =
    filters[props.state as keyof typeof filters] ?? {};
  const data = useLazyLoadQuery<agentsPageQuery>(
    document,
    { organization, search: props.search ?? null, busy, paused },
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
  return <List slug={data.organization.slug} organization={data.organization} />;
}

function List({ slug, organization }: { slug: string; organization: agentsPage_organization$key }) {
  const { data, ...more } = usePaginationFragment<agentsPageQuery, agentsPage_organization$key>(fragment, organization);
  return (
    <>
      <AgentTable organization={slug} agents={nodesOf(data.agents)} />
      <More {...more} />
    </>
  );
}
