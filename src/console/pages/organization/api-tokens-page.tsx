import { getRouteApi, Link } from '@tanstack/react-router';
import { graphql } from 'react-relay';
import type { apiTokensPageMutation } from '../../__generated__/apiTokensPageMutation.graphql';
import type { apiTokensPageQuery } from '../../__generated__/apiTokensPageQuery.graphql';
import type { apiTokensPage_organization$data } from '../../__generated__/apiTokensPage_organization.graphql';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { ListPage } from '../../ui/list-page';
import { tokenColumns } from '../account/token-columns';

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
  return (
    <ListPage<apiTokensPageQuery, apiTokensPage_organization$data, 'apiAccessTokens'>
      title={texts.resources.apiTokens}
      query={document}
      variables={{ organization }}
      fetchKey={fetchKey}
      fragment={fragment}
      connection="apiAccessTokens"
      empty={texts.resources.noApiTokens}
      columns={({ organization: { id: organizationId } }) =>
        tokenColumns({
          about: [{ title: texts.fields.owner, cell: ({ owner }) => owner?.name }],
          actions: ({ id, description }) => (
            <ConfirmButton<apiTokensPageMutation>
              label={texts.common.revoke}
              question={texts.common.revokeQuestion(description ?? '')}
              mutation={mutation}
              input={{ apiAccessTokenId: id, organizationId }}
              done={refetch}
            />
          ),
        })
      }
      actions={
        <Link className="button button-primary" to="/account">
          {texts.account.own}
        </Link>
      }
      before={<p className="muted">{texts.organization.tokens}</p>}
    />
  );
}
