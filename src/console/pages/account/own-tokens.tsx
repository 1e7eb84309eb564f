import { useState } from 'react';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { ownTokens_viewer$key } from '../../__generated__/ownTokens_viewer.graphql';
import type { ownTokensQuery } from '../../__generated__/ownTokensQuery.graphql';
import type { ownTokensRevokeMutation } from '../../__generated__/ownTokensRevokeMutation.graphql';
import { nodesOf } from '../../relay/nodes';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { More } from '../../ui/more';
import { Table } from '../../ui/page';
import { Section } from '../../ui/section';
import { ShownOnce } from '../../ui/shown-once';
import { RelativeTime } from '../../ui/time';
import { NewTokenDialog } from './token-dialog';

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
  return (
    <>
      <Table
        label={texts.resources.apiTokens}
        items={nodesOf(data.apiAccessTokens)}
        keyOf={({ id }) => id}
        empty={texts.resources.noApiTokens}
        columns={[
          { title: texts.fields.description, cell: ({ description }) => description },
          {
            title: texts.fields.scopes,
            cell: ({ scopes }) => (
              <details>
                <summary>{texts.account.scopeCount(scopes.length)}</summary>
                <code>{scopes.map((scope) => scope.toLowerCase()).join(', ')}</code>
              </details>
            ),
          },
          {
            title: texts.account.organizations,
            cell: ({ organizations }) => organizations?.map(({ name }) => name).join(', ') ?? texts.common.all,
          },
          {
            title: texts.fields.lastUsed,
            cell: ({ lastAccessedAt, ipAddress }) =>
              lastAccessedAt ? (
                <>
                  <RelativeTime at={lastAccessedAt} /> <span className="muted">{ipAddress}</span>
                </>
              ) : (
                texts.common.never
              ),
          },
          {
            title: texts.fields.expires,
            cell: ({ expiresAt }) => (expiresAt ? <RelativeTime at={expiresAt} /> : texts.common.never),
          },
          {
            title: texts.common.actions,
            cell: ({ id, description }) => (
              <ConfirmButton<ownTokensRevokeMutation>
                label={texts.common.revoke}
                question={texts.common.revokeQuestion(description)}
                mutation={revokeDocument}
                input={{ id }}
                done={refetch}
              />
            ),
          },
        ]}
      />
      <More {...more} />
    </>
  );
}
