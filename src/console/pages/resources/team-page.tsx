import { getRouteApi, Link } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { teamPageQuery } from '../../__generated__/teamPageQuery.graphql';
import { texts } from '../../texts/texts';
import { Page, Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';

const route = getRouteApi('/organizations/$organization/teams/$team');

const document = graphql`
  query teamPageQuery($slug: ID!) {
    team(slug: $slug) {
      name
      description
      members(first: 200) {
        edges {
          node {
            id
            role
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

/** A team and its members. */
export function TeamPage() {
  const { organization, team: slug } = route.useParams();
  const { team } = useLazyLoadQuery<teamPageQuery>(
    document,
    { slug: `${organization}/${slug}` },
    { fetchPolicy: 'store-and-network' },
  );
  if (!team) return <NotFound />;
  return (
    <Page
      title={team.name}
      crumbs={
        <Link to="/organizations/$organization/teams" params={{ organization }}>
          {texts.resources.teams}
        </Link>
      }
    >
      {team.description && <p className="muted">{team.description}</p>}
      <Table
        label={texts.resources.members}
        items={team.members?.edges?.flatMap((edge) => edge?.node ?? []) ?? []}
        keyOf={({ id }) => id}
        empty={texts.resources.noMembers}
        columns={[
          { title: texts.fields.name, cell: ({ user }) => user?.name },
          { title: texts.fields.email, cell: ({ user }) => user?.email },
          { title: texts.fields.role, cell: ({ role }) => role.toLowerCase() },
        ]}
      />
    </Page>
  );
}
