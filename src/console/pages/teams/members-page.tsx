import { getRouteApi, Link } from '@tanstack/react-router';
import { graphql } from 'react-relay';
import type { membersPageQuery } from '../../__generated__/membersPageQuery.graphql';
import type { membersPage_organization$data } from '../../__generated__/membersPage_organization.graphql';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { ListPage } from '../../ui/list-page';
import { RelativeTime } from '../../ui/time';
import { Invitations } from './invitations';

const route = getRouteApi('/organizations/$organization/users');

const document = graphql`
  query membersPageQuery($organization: ID!) {
    organization(slug: $organization) {
      permissions {
        organizationInvitationCreate {
          allowed
        }
      }
      ...membersPage_organization
      ...invitations_organization
    }
  }
`;

const fragment = graphql`
  fragment membersPage_organization on Organization
  @refetchable(queryName: "membersPageMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    members(first: $count, after: $cursor, order: NAME) @connection(key: "membersPage_members") {
      edges {
        node {
          id
          role
          createdAt
          lastSeenAt
          user {
            uuid
            name
            email
          }
        }
      }
    }
  }
`;

/** Members of an organization. */
export function MembersPage() {
  const { organization } = route.useParams();
  const [fetchKey, refetch] = useRefetchKey();
  return (
    <ListPage<membersPageQuery, membersPage_organization$data, 'members'>
      title={texts.resources.members}
      query={document}
      variables={{ organization }}
      fetchKey={fetchKey}
      fragment={fragment}
      connection="members"
      empty={texts.resources.noMembers}
      columns={[
        {
          title: texts.fields.name,
          cell: ({ user }) => (
            <Link to="/organizations/$organization/users/$user" params={{ organization, user: user.uuid }}>
              {user.name}
            </Link>
          ),
        },
        { title: texts.fields.email, cell: ({ user }) => user.email },
        { title: texts.fields.role, cell: ({ role }) => texts.members.roles[role] },
        { title: texts.fields.lastSeen, cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} /> },
      ]}
      after={({ organization: reply }) =>
        reply.permissions.organizationInvitationCreate?.allowed && (
          <Invitations organization={reply} refetch={refetch} />
        )
      }
    />
  );
}
