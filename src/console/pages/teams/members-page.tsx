import { getRouteApi, Link } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { membersPage_organization$key } from '../../__generated__/membersPage_organization.graphql';
import type { membersPageQuery } from '../../__generated__/membersPageQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { ListPage } from '../../ui/list-page';
import { PagedTable } from '../../ui/paged-table';
import { NotFound } from '../../ui/placeholder';
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
    slug
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
  const data = useLazyLoadQuery<membersPageQuery>(
    document,
    { organization },
    { fetchPolicy: 'store-and-network', fetchKey },
  );
  if (!data.organization) return <NotFound />;
  return (
    <ListPage title={texts.resources.members}>
      <List organization={data.organization} />
      {data.organization.permissions.organizationInvitationCreate?.allowed && (
        <Invitations organization={data.organization} refetch={refetch} />
      )}
    </ListPage>
  );
}

function List({ organization }: { organization: membersPage_organization$key }) {
  const { data, ...more } = usePaginationFragment<membersPageQuery, membersPage_organization$key>(
    fragment,
    organization,
  );
  return (
    <PagedTable
      more={more}
      label={texts.resources.members}
      items={nodesOf(data.members)}
      keyOf={({ id }) => id}
      empty={texts.resources.noMembers}
      columns={[
        {
          title: texts.fields.name,
          cell: ({ user }) => (
            <Link to="/organizations/$organization/users/$user" params={{ organization: data.slug, user: user.uuid }}>
              {user.name}
            </Link>
          ),
        },
        { title: texts.fields.email, cell: ({ user }) => user.email },
        { title: texts.fields.role, cell: ({ role }) => texts.members.roles[role] },
        { title: texts.fields.lastSeen, cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} /> },
      ]}
    />
  );
}
