import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useDeferredValue } from 'react';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { pipelinesPage_organization$key } from '../../__generated__/pipelinesPage_organization.graphql';
import type { pipelinesPageListQuery } from '../../__generated__/pipelinesPageListQuery.graphql';
import type { pipelinesPageQuery } from '../../__generated__/pipelinesPageQuery.graphql';
import type { pipelinesPageSubscription } from '../../__generated__/pipelinesPageSubscription.graphql';
import { useLive } from '../../relay/use-live';
import { texts } from '../../texts/texts';
import { CheckField, SelectField } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { More } from '../../ui/more';
import { Page } from '../../ui/page';
import { Loading, NotFound, Placeholder } from '../../ui/placeholder';
import { PipelineRow } from './pipeline-row';

const route = getRouteApi('/$organization');

const document = graphql`
  query pipelinesPageQuery($organization: ID!) {
    organization(slug: $organization) {
      name
      permissions {
        pipelineCreate {
          allowed
        }
      }
      teams(first: 100) {
        nodes {
          slug
          name
        }
      }
    }
  }
`;

const listDocument = graphql`
  query pipelinesPageListQuery(
    $organization: ID!
    $search: String
    $tags: [String!]
    $team: TeamSelector
    $archived: Boolean!
  ) {
    organization(slug: $organization) {
      ...pipelinesPage_organization
    }
  }
`;

const fragment = graphql`
  fragment pipelinesPage_organization on Organization
  @refetchable(queryName: "pipelinesPageMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 40 }, cursor: { type: "String" }) {
    slug
    pipelines(
      first: $count
      after: $cursor
      search: $search
      tags: $tags
      team: $team
      archived: $archived
      order: NAME_WITH_FAVORITES_FIRST
    ) @connection(key: "pipelinesPage_pipelines") {
      edges {
        node {
          id
          ...pipelineRow_pipeline
        }
      }
    }
  }
`;

const changes = graphql`
  subscription pipelinesPageSubscription($organization: ID!, $after: String) {
    pipelines(id: $organization, after: $after) {
      cursor
      build {
        id
        state
        startedAt
        finishedAt
      }
      pipeline {
        id
        ...pipelineRow_pipeline
      }
    }
  }
`;

/** The pipelines of an organization. */
export function PipelinesPage() {
  const { organization } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/$organization' });
  const { organization: found } = useLazyLoadQuery<pipelinesPageQuery>(document, { organization });
  const shown = useDeferredValue(search);
  useLive<pipelinesPageSubscription>(changes, { organization });
  if (!found) return <NotFound />;
  const change = (part: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const teams = found.teams?.nodes ?? [];
  return (
    <Page
      title={texts.pipelines.title}
      actions={
        found.permissions.pipelineCreate?.allowed && (
          <Link
            className="button button-primary"
            to="/organizations/$organization/pipelines/new"
            params={{ organization }}
          >
            <Icon name="plus" />
            {texts.pipelines.new}
          </Link>
        )
      }
    >
      <div className="filters" role="search">
        <input
          className="input filter-search"
          type="search"
          aria-label={texts.pipelines.search}
          placeholder={texts.pipelines.search}
          value={search.search ?? ''}
          onChange={(event) => change({ search: event.target.value || undefined })}
        />
        {teams.length > 0 && (
          <SelectField
            label={texts.pipelines.team}
            hideLabel
            value={search.team ?? ''}
            onChange={(team) => change({ team: team || undefined })}
            choices={[
              { value: '', label: `${texts.pipelines.team}: ${texts.common.all}` },
              ...teams.map(({ slug, name }) => ({ value: slug, label: name })),
            ]}
          />
        )}
        {search.tag && (
          <button type="button" className="tag tag-link" aria-pressed onClick={() => change({ tag: undefined })}>
            {search.tag} <Icon name="close" size={12} />
          </button>
        )}
        <CheckField
          label={texts.pipelines.archived}
          checked={search.archived ?? false}
          onChange={(archived) => change({ archived: archived || undefined })}
        />
      </div>
      <Suspense fallback={<Loading />}>
        <List organization={organization} {...shown} />
      </Suspense>
    </Page>
  );
}

interface Filters {
  search?: string | undefined;
  tag?: string | undefined;
  team?: string | undefined;
  archived?: boolean | undefined;
}

function List({ organization, search, tag, team, archived = false }: Filters & { organization: string }) {
  const data = useLazyLoadQuery<pipelinesPageListQuery>(
    listDocument,
    {
      organization,
      search: search ?? null,
      tags: tag ? [tag] : null,
      team: team ? `${organization}/${team}` : null,
      archived,
    },
    { fetchPolicy: 'store-and-network' },
  );
  if (!data.organization) return <NotFound />;
  return <Rows organization={data.organization} filtered={Boolean(search || tag || team || archived)} />;
}

function Rows({ organization, filtered }: { organization: pipelinesPage_organization$key; filtered: boolean }) {
  const { data, ...more } = usePaginationFragment<pipelinesPageListQuery, pipelinesPage_organization$key>(
    fragment,
    organization,
  );
  const pipelines = data.pipelines?.edges?.flatMap((edge) => edge?.node ?? []) ?? [];
  if (pipelines.length === 0) {
    const { noMatchTitle, noMatch, emptyTitle, empty } = texts.pipelines;
    return filtered ? (
      <Placeholder title={noMatchTitle} text={noMatch} />
    ) : (
      <Placeholder title={emptyTitle} text={empty} />
    );
  }
  return (
    <>
      <ul className="card">
        {pipelines.map((pipeline) => (
          <PipelineRow key={pipeline.id} organization={data.slug} pipeline={pipeline} />
        ))}
      </ul>
      <More {...more} />
    </>
  );
}
