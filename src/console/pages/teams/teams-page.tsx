import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { teamsPage_organization$key } from '../../__generated__/teamsPage_organization.graphql';
import type { teamsPageEnableMutation } from '../../__generated__/teamsPageEnableMutation.graphql';
import type { teamsPageQuery } from '../../__generated__/teamsPageQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { ListPage } from '../../ui/list-page';
import { PagedTable } from '../../ui/paged-table';
import { NotFound } from '../../ui/placeholder';
import { NewTeamDialog } from './team-dialog';

const route = getRouteApi('/organizations/$organization/teams');

const document = graphql`
  query teamsPageQuery($organization: ID!) {
    organization(slug: $organization) {
      id
      slug
      isTeamsEnabled
      permissions {
        teamCreate {
          allowed
        }
        teamEnabledChange {
          allowed
        }
      }
      ...teamsPage_organization
    }
  }
`;

const fragment = graphql`
  fragment teamsPage_organization on Organization
  @refetchable(queryName: "teamsPageMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    slug
    teams(first: $count, after: $cursor) @connection(key: "teamsPage_teams") {
      edges {
        node {
          id
          name
          slug
          description
          privacy
          isDefaultTeam
          members(first: 1) {
            count
          }
        }
      }
    }
  }
`;

const enableDocument = graphql`
  mutation teamsPageEnableMutation($input: OrganizationTeamsEnableInput!) {
    organizationTeamsEnable(input: $input) {
      organization {
        id
        isTeamsEnabled
        permissions {
          teamCreate {
            allowed
          }
        }
      }
    }
  }
`;

/** Teams of an organization, and whether they decide about access. */
export function TeamsPage() {
  const { organization } = route.useParams();
  const navigate = useNavigate();
  const enable = useCommand<teamsPageEnableMutation>(enableDocument);
  const data = useLazyLoadQuery<teamsPageQuery>(document, { organization }, { fetchPolicy: 'store-and-network' });
  const found = data.organization;
  if (!found) return <NotFound />;
  const open = (team: string) =>
    void navigate({ to: '/organizations/$organization/teams/$team', params: { organization, team } });
  return (
    <ListPage
      title={texts.resources.teams}
      making={
        found.permissions.teamCreate?.allowed && {
          text: texts.teams.new,
          dialog: (close) => <NewTeamDialog organizationId={found.id} close={close} done={open} />,
        }
      }
    >
      {!found.isTeamsEnabled && (
        <div className="card card-body row row-wrap">
          <p className="grow">{texts.teams.off}</p>
          {found.permissions.teamEnabledChange?.allowed && (
            <button
              type="button"
              className="button"
              disabled={enable.pending}
              onClick={() => void enable.run({ input: { organizationId: found.id } })}
            >
              {texts.teams.enable}
            </button>
          )}
        </div>
      )}
      <List organization={found} />
    </ListPage>
  );
}

function List({ organization }: { organization: teamsPage_organization$key }) {
  const { data, ...more } = usePaginationFragment<teamsPageQuery, teamsPage_organization$key>(fragment, organization);
  return (
    <PagedTable
      more={more}
      label={texts.resources.teams}
      items={nodesOf(data.teams)}
      keyOf={({ id }) => id}
      empty={texts.resources.noTeams}
      columns={[
        {
          title: texts.fields.name,
          cell: ({ name, slug, isDefaultTeam }) => (
            <>
              <Link to="/organizations/$organization/teams/$team" params={{ organization: data.slug, team: slug }}>
                {name}
              </Link>{' '}
              {isDefaultTeam && <span className="tag">{texts.teams.default}</span>}
            </>
          ),
        },
        { title: texts.fields.description, cell: ({ description }) => description },
        {
          title: texts.fields.privacy,
          cell: ({ privacy }) => (privacy === 'SECRET' ? texts.teams.secret : texts.teams.visible),
        },
        { title: texts.fields.members, cell: ({ members }) => members?.count },
      ]}
    />
  );
}
