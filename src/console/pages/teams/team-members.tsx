import { useState } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { teamMembers_team$key } from '../../__generated__/teamMembers_team.graphql';
import type { teamMembersAddMutation, TeamMemberRole } from '../../__generated__/teamMembersAddMutation.graphql';
import type { teamMembersMoreQuery } from '../../__generated__/teamMembersMoreQuery.graphql';
import type { teamMembersRoleMutation } from '../../__generated__/teamMembersRoleMutation.graphql';
import { nodesOf } from '../../relay/nodes';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { SelectField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { useForm } from '../../ui/use-form';
import { AccessList } from './access-list';
import { MemberField } from '../fields/member-field';

const fragment = graphql`
  fragment teamMembers_team on Team
  @refetchable(queryName: "teamMembersMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    id
    permissions {
      teamMemberCreate {
        allowed
      }
    }
    members(first: $count, after: $cursor, order: NAME) @connection(key: "teamMembers_members") {
      edges {
        node {
          id
          role
          permissions {
            teamMemberUpdate {
              allowed
            }
            teamMemberDelete {
              allowed
            }
          }
          user {
            name
            email
          }
        }
      }
    }
  }
`;

const addDocument = graphql`
  mutation teamMembersAddMutation($input: TeamMemberCreateInput!) {
    teamMemberCreate(input: $input) {
      clientMutationId
    }
  }
`;

const roleDocument = graphql`
  mutation teamMembersRoleMutation($input: TeamMemberUpdateInput!) {
    teamMemberUpdate(input: $input) {
      teamMember {
        id
        role
      }
    }
  }
`;

const removeDocument = graphql`
  mutation teamMembersRemoveMutation($input: TeamMemberDeleteInput!) {
    teamMemberDelete(input: $input) {
      deletedTeamMemberID
    }
  }
`;

const roles = () => [
  { value: 'MEMBER', label: texts.teams.member },
  { value: 'MAINTAINER', label: texts.teams.maintainer },
];

interface Props {
  organization: string;
  team: teamMembers_team$key;
  refetch: () => void;
}

/** Members of a team with their roles. */
export function TeamMembers({ organization, team, refetch }: Props) {
  const { data, ...more } = usePaginationFragment<teamMembersMoreQuery, teamMembers_team$key>(fragment, team);
  const [adding, setAdding] = useState(false);
  const role = useCommand<teamMembersRoleMutation>(roleDocument);
  const items = nodesOf(data.members).map((member) => ({
    id: member.id,
    name: member.user?.name ?? '',
    email: member.user?.email ?? '',
    level: member.role,
    mayChange: member.permissions.teamMemberUpdate?.allowed ?? false,
    mayRemove: member.permissions.teamMemberDelete?.allowed ?? false,
  }));
  return (
    <AccessList
      title={texts.resources.members}
      empty={texts.resources.noMembers}
      items={items}
      more={more}
      columns={[
        { title: texts.fields.name, cell: ({ name }) => name },
        { title: texts.fields.email, cell: ({ email }) => email },
      ]}
      levels={roles()}
      levelTitle={texts.fields.role}
      setLevel={({ id }, next) => void role.run({ input: { id, role: next as TeamMemberRole } })}
      add={data.permissions.teamMemberCreate?.allowed ? texts.teams.addMember : null}
      openDialog={() => setAdding(true)}
      removal={removeDocument}
      refetch={refetch}
    >
      {adding && (
        <AddMember organization={organization} teamId={data.id} close={() => setAdding(false)} done={refetch} />
      )}
    </AccessList>
  );
}

function AddMember(props: { organization: string; teamId: string; close: () => void; done: () => void }) {
  const form = useForm<{ user: string; role: string }, teamMembersAddMutation>(addDocument, {
    key: `team-member:${props.teamId}`,
    secret: true,
    initial: { user: '', role: 'MEMBER' },
    variables: ({ user, role }) => ({
      input: { teamID: props.teamId, userID: user, role: role as TeamMemberRole },
    }),
    done: () => {
      props.close();
      props.done();
    },
  });
  const error = form.list('user', 'userID', 'userId');
  return (
    <FormDialog title={texts.teams.addMember} form={form} submit={texts.common.add} close={props.close}>
      <MemberField
        label={texts.fields.email}
        required
        autoFocus
        organization={props.organization}
        error={error}
        onPick={(user) => form.change({ user })}
      />
      <SelectField label={texts.fields.role} {...form.text('role')} choices={roles()} />
    </FormDialog>
  );
}
