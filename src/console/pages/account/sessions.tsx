import { graphql, useLazyLoadQuery } from 'react-relay';
import type { sessionsAllMutation } from '../../__generated__/sessionsAllMutation.graphql';
import type { sessionsQuery } from '../../__generated__/sessionsQuery.graphql';
import type { sessionsRevokeMutation } from '../../__generated__/sessionsRevokeMutation.graphql';
import { nodesOf } from '../../relay/nodes';
import { useRefetchKey } from '../../relay/use-refetch-key';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { Table } from '../../ui/page';
import { Section } from '../../ui/section';
import { RelativeTime } from '../../ui/time';

const document = graphql`
  query sessionsQuery {
    viewer {
      sessions(first: 50) {
        edges {
          node {
            id
            method
            current
            createdAt
            lastUsedAt
            ipAddress
            userAgent
          }
        }
      }
    }
  }
`;

const revokeDocument = graphql`
  mutation sessionsRevokeMutation($input: SessionRevokeInput!) {
    sessionRevoke(input: $input) {
      revokedSessionId
    }
  }
`;

const allDocument = graphql`
  mutation sessionsAllMutation($input: SessionRevokeAllInput!) {
    sessionRevokeAll(input: $input) {
      revokedSessionIds
    }
  }
`;

/** Where the person is signed in; there are 50 sessions at most. */
export function Sessions() {
  const [fetchKey, refetch] = useRefetchKey();
  const { viewer } = useLazyLoadQuery<sessionsQuery>(document, {}, { fetchKey, fetchPolicy: 'store-and-network' });
  const sessions = nodesOf(viewer?.sessions);
  return (
    <Section
      title={texts.account.tabs.sessions}
      actions={
        sessions.length > 1 && (
          <ConfirmButton<sessionsAllMutation>
            label={texts.account.endOthers}
            question={texts.account.endOthersQuestion}
            mutation={allDocument}
            input={{ keepCurrent: true }}
            done={refetch}
          />
        )
      }
    >
      <Table
        label={texts.account.tabs.sessions}
        items={sessions}
        keyOf={({ id }) => id}
        empty={texts.account.noSessions}
        columns={[
          {
            title: texts.account.browser,
            cell: ({ userAgent, current }) => (
              <>
                {userAgent} {current && <span className="tag">{texts.account.current}</span>}
              </>
            ),
          },
          { title: texts.account.method, cell: ({ method }) => texts.account.methods[method] },
          { title: texts.account.ip, cell: ({ ipAddress }) => ipAddress },
          { title: texts.fields.created, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
          { title: texts.fields.lastUsed, cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
          {
            title: texts.common.actions,
            cell: ({ id, current }) =>
              !current && (
                <ConfirmButton<sessionsRevokeMutation>
                  label={texts.account.end}
                  question={texts.account.endQuestion}
                  mutation={revokeDocument}
                  input={{ id }}
                  done={refetch}
                />
              ),
          },
        ]}
      />
    </Section>
  );
}
