import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { graphql } from 'react-relay';
import type { teamsPageEnableMutation } from '../../__generated__/teamsPageEnableMutation.graphql';
import type { teamsPageQuery } from '../../__generated__/teamsPageQuery.graphql';
import type { teamsPage_organization$data } from '../../__generated__/teamsPage_organization.graphql';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { ListPage } from '../../ui/list-page';
import { NewTeamDialog } from './team-dialog';

const route = getRouteApi('/organizations/$organization/teams');

const document = graphql`
  query teamsPageQuery($organization: ID!) {
    organization(slug: $organization) {
      id
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
  const open = (team: string) =>
    void navigate({ to: '/organizations/$organization/teams/$team', params: { organization, team } });
  return (
    <ListPage<teamsPageQuery, teamsPage_organization$data, 'teams'>
      title={texts.resources.teams}
      query={document}
      variables={{ organization }}
      fragment={fragment}
      connection="teams"
      empty={texts.resources.noTeams}
      columns={[
        {
          title: texts.fields.name,
          cell: ({ name, slug, isDefaultTeam }) => (
            <>
              <Link to="/organizations/$organization/teams/$team" params={{ organization, team: slug }}>
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
      creation={({ organization: { id, permissions } }) =>
        permissions.teamCreate?.allowed && {
          text: texts.teams.new,
          dialog: (close) => <NewTeamDialog organizationId={id} close={close} done={open} />,
        }
      }
      before={({ organization: { id, isTeamsEnabled, permissions } }) =>
        !isTeamsEnabled && (
          <div className="card card-body row row-wrap">
            <p className="grow">{texts.teams.off}</p>
            {permissions.teamEnabledChange?.allowed && (
              <button
                type="button"
                className="button"
                disabled={enable.pending}
                onClick={() => void enable.run({ input: { organizationId: id } })}
              >
                {texts.teams.enable}
              </button>
            )}
          </div>
        )
      }
    />
  );
}
