import { getRouteApi } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { membersPageQuery } from '../../__generated__/membersPageQuery.graphql';
import { texts } from '../../texts/texts';
import { Page, Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { RelativeTime } from '../../ui/time';

const route = getRouteApi('/organizations/$organization/users');

const document = graphql`
  query membersPageQuery($organization: ID!) {
    organization(slug: $organization) {
      members(first: 200, order: NAME) {
        edges {
          node {
            id
            role
            createdAt
            lastSeenAt
            user {
              name
              email
            }
          }
        }
      }
    }
  }
`;

export function MembersPage() {
  const { organization } = route.useParams();
  const data = useLazyLoadQuery<membersPageQuery>(document, { organization }, { fetchPolicy: 'store-and-network' });
  if (!data.organization) return <NotFound />;
  const items = data.organization.members?.edges?.flatMap((edge) => edge?.node ?? []) ?? [];
  return (
    <Page title={texts.resources.members}>
      <Table
        label={texts.resources.members}
        items={items}
        keyOf={({ id }) => id}
        empty={texts.resources.noMembers}
        columns={[
          { title: texts.fields.name, cell: ({ user }) => user.name },
          { title: texts.fields.email, cell: ({ user }) => user.email },
          { title: texts.fields.role, cell: ({ role }) => role.toLowerCase() },
          { title: texts.fields.lastSeen, cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} /> },
        ]}
      />
    </Page>
  );
}
