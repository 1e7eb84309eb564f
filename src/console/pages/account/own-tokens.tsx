import { useState } from 'react';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { ownTokens_viewer$key } from '../../__generated__/ownTokens_viewer.graphql';
import type { ownTokensQuery } from '../../__generated__/ownTokensQuery.graphql';
import type { ownTokensRevokeMutation } from '../../__generated__/ownTokensRevokeMutation.graphql';
import { nodesOf } from '../../relay/nodes';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { PagedTable } from '../../ui/paged-table';
import { Section } from '../../ui/section';
import { ShownOnce } from '../../ui/shown-once';
import { NewTokenDialog } from './token-dialog';
import { tokenColumns } from './token-columns';

const document = graphql`
  query ownTokensQuery {
    viewer {
      organizations(first: 100) {
        nodes {
          id
          name
        }
      }
      ...ownTokens_viewer
    }
  }
`;

const fragment = graphql`
  fragment ownTokens_viewer on Viewer
  @refetchable(queryName: "ownTokensMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    apiAccessTokens(first: $count, after: $cursor) @connection(key: "ownTokens_apiAccessTokens") {
      edges {
        node {
          id
          description
          scopes
          createdAt
          lastAccessedAt
          ipAddress
          expiresAt
          organizations {
            name
          }
        }
      }
    }
  }
`;

const revokeDocument = graphql`
  mutation ownTokensRevokeMutation($input: APIAccessTokenRevokeInput!) {
    apiAccessTokenRevoke(input: $input) {
      revokedApiAccessTokenId
    }
  }
`;

/** API tokens of the person who is signed in. */
export function OwnTokens() {
  const [fetchKey, refetch] = useRefetchKey();
  const [creating, setCreating] = useState(false);
  const [token, setToken] = useState<string | null>(null);
  const { viewer } = useLazyLoadQuery<ownTokensQuery>(document, {}, { fetchKey, fetchPolicy: 'store-and-network' });
  if (!viewer) return null;
  return (
    <Section
      title={texts.resources.apiTokens}
      actions={
        <button type="button" className="button button-primary" onClick={() => setCreating(true)}>
          {texts.account.newToken}
        </button>
      }
    >
      <List viewer={viewer} refetch={refetch} />
      {creating && (
        <NewTokenDialog
          organizations={viewer.organizations?.nodes ?? []}
          close={() => setCreating(false)}
          done={(value) => {
            setCreating(false);
            setToken(value);
            refetch();
          }}
        />
      )}
      {token && <ShownOnce title={texts.account.newToken} value={token} close={() => setToken(null)} />}
    </Section>
  );
}

function List({ viewer, refetch }: { viewer: ownTokens_viewer$key; refetch: () => void }) {
  const { data, ...more } = usePaginationFragment<ownTokensQuery, ownTokens_viewer$key>(fragment, viewer);
  const tokens = nodesOf(data.apiAccessTokens);
  return (
    <PagedTable
      more={more}
      label={texts.resources.apiTokens}
      items={tokens}
      keyOf={({ id }) => id}
      empty={texts.resources.noApiTokens}
      columns={tokenColumns<(typeof tokens)[number]>({
        about: [
          {
            title: texts.account.organizations,
            cell: ({ organizations }) => organizations?.map(({ name }) => name).join(', ') ?? texts.common.all,
          },
        ],
        actions: ({ id, description }) => (
          <ConfirmButton<ownTokensRevokeMutation>
            label={texts.common.revoke}
            question={texts.common.revokeQuestion(description)}
            mutation={revokeDocument}
            input={{ id }}
            done={refetch}
          />
        ),
      })}
    />
  );
}
