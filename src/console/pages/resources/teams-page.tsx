import { getRouteApi, Link } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { teamsPageQuery } from '../../__generated__/teamsPageQuery.graphql';
import { texts } from '../../texts/texts';
import { Page, Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';

const route = getRouteApi('/organizations/$organization/teams');

const document = graphql`
  query teamsPageQuery($organization: ID!) {
    organization(slug: $organization) {
      teams(first: 100) {
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
  }
`;

export function TeamsPage() {
  const { organization } = route.useParams();
  const data = useLazyLoadQuery<teamsPageQuery>(document, { organization }, { fetchPolicy: 'store-and-network' });
  if (!data.organization) return <NotFound />;
  const items = data.organization.teams?.edges?.flatMap((edge) => edge?.node ?? []) ?? [];
  return (
    <Page title={texts.resources.teams}>
      <Table
        label={texts.resources.teams}
        items={items}
        keyOf={({ id }) => id}
        empty={texts.resources.noTeams}
        columns={[
          {
            title: texts.fields.name,
            cell: ({ name, slug }) => (
              <Link to="/organizations/$organization/teams/$team" params={{ organization, team: slug }}>
                {name}
              </Link>
            ),
          },
          { title: texts.fields.description, cell: ({ description }) => description },
          { title: texts.fields.privacy, cell: ({ privacy }) => privacy.toLowerCase() },
          { title: texts.fields.members, cell: ({ members }) => members?.count },
        ]}
      />
    </Page>
  );
}
