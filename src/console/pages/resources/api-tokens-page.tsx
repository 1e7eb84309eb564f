import { getRouteApi } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { apiTokensPageMutation } from '../../__generated__/apiTokensPageMutation.graphql';
import type { apiTokensPageQuery } from '../../__generated__/apiTokensPageQuery.graphql';
import { useCommand } from '../../relay/use-command';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { Page, Table } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { RelativeTime } from '../../ui/time';

const route = getRouteApi('/organizations/$organization/api-tokens');

const document = graphql`
  query apiTokensPageQuery($organization: ID!) {
    organization(slug: $organization) {
      id
      apiAccessTokens(first: 100) {
        edges {
          node {
            id
            description
            scopes
            lastAccessedAt
            expiresAt
            owner {
              name
            }
          }
        }
      }
    }
  }
`;

const mutation = graphql`
  mutation apiTokensPageMutation($input: OrganizationAPIAccessTokenRevokeMutationInput!) {
    organizationApiAccessTokenRevoke(input: $input) {
      revokedApiAccessTokenId
    }
  }
`;

/** API tokens that work in an organization; administrators revoke them. */
export function ApiTokensPage() {
  const { organization } = route.useParams();
  const [fetchKey, refetch] = useRefetchKey();
  const data = useLazyLoadQuery<apiTokensPageQuery>(
    document,
    { organization },
    { fetchKey, fetchPolicy: 'store-and-network' },
  );
  const { run, pending } = useCommand<apiTokensPageMutation>(mutation);
  const found = data.organization;
  if (!found) return <NotFound />;
  const revoke = async (apiAccessTokenId: string) => {
    if (await run({ input: { apiAccessTokenId, organizationId: found.id } })) refetch();
  };
  return (
    <Page title={texts.resources.apiTokens}>
      <Table
        label={texts.resources.apiTokens}
        items={found.apiAccessTokens.edges?.flatMap((edge) => edge?.node ?? []) ?? []}
        keyOf={({ id }) => id}
        empty={texts.resources.noApiTokens}
        columns={[
          { title: texts.fields.description, cell: ({ description }) => description },
          { title: texts.fields.owner, cell: ({ owner }) => owner?.name },
          { title: texts.fields.scopes, cell: ({ scopes }) => scopes.length },
          { title: texts.fields.lastUsed, cell: ({ lastAccessedAt }) => <RelativeTime at={lastAccessedAt} /> },
          { title: texts.fields.expires, cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
          {
            title: texts.common.actions,
            cell: ({ id }) => (
              <button type="button" className="button button-danger" disabled={pending} onClick={() => void revoke(id)}>
                {texts.common.revoke}
              </button>
            ),
          },
        ]}
      />
    </Page>
  );
}
