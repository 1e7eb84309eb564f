import { getRouteApi, Link } from '@tanstack/react-router';
import { graphql } from 'react-relay';
import type { pipelinesPageQuery } from '../../__generated__/pipelinesPageQuery.graphql';
import type { pipelinesPageSubscription } from '../../__generated__/pipelinesPageSubscription.graphql';
import type { pipelinesPage_organization$data } from '../../__generated__/pipelinesPage_organization.graphql';
import { useLive } from '../../relay/use-live';
import { texts } from '../../texts/texts';
import { CheckField } from '../../ui/field';
import { isFiltered } from '../../ui/filter-values';
import { ChoiceFilter, Filters, TextFilter, useFilters } from '../../ui/filters';
import { Icon } from '../../ui/icon';
import { ListPage } from '../../ui/list-page';
import { Placeholder } from '../../ui/placeholder';
import { PipelineRow } from './pipeline-row';

const route = getRouteApi('/$organization');

const document = graphql`
  query pipelinesPageQuery(
    $organization: ID!
    $search: String
    $tags: [String!]
    $team: TeamSelector
    $archived: Boolean!
  ) {
    organization(slug: $organization) {
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
      ...pipelinesPage_organization
    }
  }
`;

const fragment = graphql`
  fragment pipelinesPage_organization on Organization
  @refetchable(queryName: "pipelinesPageMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 40 }, cursor: { type: "String" }) {
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
  const filters = route.useSearch();
  const { shown, change } = useFilters(filters);
  useLive<pipelinesPageSubscription>(changes, { organization });
  const { noMatchTitle, noMatch, emptyTitle, empty } = texts.pipelines;
  return (
    <ListPage<pipelinesPageQuery, pipelinesPage_organization$data, 'pipelines'>
      title={texts.pipelines.title}
      query={document}
      variables={{
        organization,
        search: shown.search ?? null,
        tags: shown.tag ? [shown.tag] : null,
        team: shown.team ? `${organization}/${shown.team}` : null,
        archived: shown.archived ?? false,
      }}
      fragment={fragment}
      connection="pipelines"
      empty={({ organization: { permissions } }) =>
        isFiltered(shown) ? (
          <Placeholder title={noMatchTitle} text={noMatch} />
        ) : (
          <Placeholder title={emptyTitle} text={permissions.pipelineCreate?.allowed ? empty : texts.pipelines.hidden} />
        )
      }
      actions={({ organization: { permissions } }) =>
        permissions.pipelineCreate?.allowed && (
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
      filters={({ organization: { teams } }) => (
        <Filters>
          <TextFilter label={texts.pipelines.search} value={filters.search} onChange={(search) => change({ search })} />
          {(teams?.nodes ?? []).length > 0 && (
            <ChoiceFilter
              label={texts.pipelines.team}
              any={`${texts.pipelines.team}: ${texts.common.all}`}
              value={filters.team}
              onChange={(team) => change({ team })}
              choices={(teams?.nodes ?? []).map(({ slug, name }) => ({ value: slug, label: name }))}
            />
          )}
          {filters.tag && (
            <button type="button" className="tag tag-link" aria-pressed onClick={() => change({ tag: undefined })}>
              {filters.tag} <Icon name="close" size={12} />
            </button>
          )}
          <CheckField
            label={texts.pipelines.archived}
            checked={filters.archived ?? false}
            onChange={(archived) => change({ archived })}
          />
        </Filters>
      )}
    >
      {(pipelines) => (
        <ul className="card">
          {pipelines.map((pipeline) => (
            <PipelineRow key={pipeline.id} organization={organization} pipeline={pipeline} />
          ))}
        </ul>
      )}
    </ListPage>
  );
}
