import { getRouteApi, Link } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { apiTokensPage_organization$key } from '../../__generated__/apiTokensPage_organization.graphql';
import type { apiTokensPageMutation } from '../../__generated__/apiTokensPageMutation.graphql';
import type { apiTokensPageQuery } from '../../__generated__/apiTokensPageQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { Page } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { TokenTable } from '../account/token-table';

const route = getRouteApi('/organizations/$organization/api-tokens');

const document = graphql`
  query apiTokensPageQuery($organization: ID!) {
    organization(slug: $organization) {
      id
      ...apiTokensPage_organization
    }
  }
`;

const fragment = graphql`
  fragment apiTokensPage_organization on Organization
  @refetchable(queryName: "apiTokensPageMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    id
    apiAccessTokens(first: $count, after: $cursor) @connection(key: "apiTokensPage_apiAccessTokens") {
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
`;

const mutation = graphql`
  mutation apiTokensPageMutation($input: OrganizationAPIAccessTokenRevokeMutationInput!) {
    organizationApiAccessTokenRevoke(input: $input) {
      revokedApiAccessTokenId
    }
  }
`;

/** API tokens of members that work in the organization; administrators take this access from them. */
export function ApiTokensPage() {
  const { organization } = route.useParams();
  const [fetchKey, refetch] = useRefetchKey();
  const data = useLazyLoadQuery<apiTokensPageQuery>(
    document,
    { organization },
    { fetchKey, fetchPolicy: 'store-and-network' },
  );
  if (!data.organization) return <NotFound />;
  return (
    <Page
      title={texts.resources.apiTokens}
      actions={
        <Link className="button button-primary" to="/account">
          {texts.account.own}
        </Link>
      }
    >
      <p className="muted">{texts.organization.tokens}</p>
      <List organization={data.organization} refetch={refetch} />
    </Page>
  );
}

function List({ organization, refetch }: { organization: apiTokensPage_organization$key; refetch: () => void }) {
  const { data, ...more } = usePaginationFragment<apiTokensPageQuery, apiTokensPage_organization$key>(
    fragment,
    organization,
  );
  return (
    <TokenTable
      tokens={nodesOf(data.apiAccessTokens)}
      more={more}
      about={[{ title: texts.fields.owner, cell: ({ owner }) => owner?.name }]}
      actions={({ id, description }) => (
        <ConfirmButton<apiTokensPageMutation>
          label={texts.common.revoke}
          question={texts.common.revokeQuestion(description ?? '')}
          mutation={mutation}
          input={{ apiAccessTokenId: id, organizationId: data.id }}
          done={refetch}
        />
      )}
    />
  );
}
