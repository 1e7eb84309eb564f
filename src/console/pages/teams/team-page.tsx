import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { teamPageDeleteMutation } from '../../__generated__/teamPageDeleteMutation.graphql';
import type { teamPageQuery } from '../../__generated__/teamPageQuery.graphql';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { Page } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { EditTeamDialog } from './team-dialog';
import { TeamMembers } from './team-members';
import { TeamPipelines } from './team-pipelines';
import { TeamSuites } from './team-suites';

const route = getRouteApi('/organizations/$organization/teams/$team');

const document = graphql`
  query teamPageQuery($slug: ID!) {
    team(slug: $slug) {
      id
      name
      description
      privacy
      isDefaultTeam
      defaultMemberRole
      membersCanCreatePipelines
      membersCanCreateSuites
      permissions {
        teamUpdate {
          allowed
        }
        teamDelete {
          allowed
        }
      }
      ...teamMembers_team
      ...teamPipelines_team
      ...teamSuites_team
    }
  }
`;

const deleteDocument = graphql`
  mutation teamPageDeleteMutation($input: TeamDeleteInput!) {
    teamDelete(input: $input) {
      deletedTeamID
    }
  }
`;

/** A team: its members, and the pipelines and suites that they have access to by it. */
export function TeamPage() {
  const { organization, team: slug } = route.useParams();
  const navigate = useNavigate();
  const [editing, setEditing] = useState(false);
  const [fetchKey, refetch] = useRefetchKey();
  const { team } = useLazyLoadQuery<teamPageQuery>(
    document,
    { slug: `${organization}/${slug}` },
    { fetchPolicy: 'store-and-network', fetchKey },
  );
  if (!team) return <NotFound />;
  const shared = { organization, refetch };
  return (
    <Page
      title={team.name}
      crumbs={
        <Link to="/organizations/$organization/teams" params={{ organization }}>
          {texts.resources.teams}
        </Link>
      }
      actions={
        <>
          {team.permissions.teamUpdate?.allowed && (
            <button type="button" className="button" onClick={() => setEditing(true)}>
              {texts.common.edit}
            </button>
          )}
          {team.permissions.teamDelete?.allowed && (
            <ConfirmButton<teamPageDeleteMutation>
              label={texts.common.delete}
              question={texts.common.deleteQuestion(team.name)}
              mutation={deleteDocument}
              input={{ id: team.id }}
              done={() => void navigate({ to: '/organizations/$organization/teams', params: { organization } })}
            />
          )}
        </>
      }
    >
      {team.description && <p className="muted">{team.description}</p>}
      <TeamMembers team={team} {...shared} />
      <TeamPipelines team={team} {...shared} />
      <TeamSuites team={team} {...shared} />
      {editing && (
        <EditTeamDialog
          id={team.id}
          values={{
            name: team.name,
            description: team.description ?? '',
            privacy: team.privacy,
            isDefaultTeam: team.isDefaultTeam,
            defaultMemberRole: team.defaultMemberRole,
            membersCanCreatePipelines: team.membersCanCreatePipelines,
            membersCanCreateSuites: team.membersCanCreateSuites,
          }}
          close={() => setEditing(false)}
          done={(next) =>
            void navigate({
              to: '/organizations/$organization/teams/$team',
              params: { organization, team: next || slug },
              replace: true,
            })
          }
        />
      )}
    </Page>
  );
}
