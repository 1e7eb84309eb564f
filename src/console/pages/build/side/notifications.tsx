import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { notifications_build$key } from '../../../__generated__/notifications_build.graphql';
import type { notificationsMoreQuery } from '../../../__generated__/notificationsMoreQuery.graphql';
import type { notificationsQuery, notificationsQuery$data } from '../../../__generated__/notificationsQuery.graphql';
import { nodesOf } from '../../../relay/nodes';
import { texts } from '../../../texts/texts';
import { Table } from '../../../ui/page';
import { PagedTable } from '../../../ui/paged-table';
import { Section } from '../../../ui/section';
import { RelativeTime } from '../../../ui/time';

const document = graphql`
  query notificationsQuery($build: ID!) {
    node(id: $build) {
      ... on Build @alias(as: "found") {
        commitStatuses {
          commit
          context
          state
          description
          delivery
          error
          nextAttemptAt
          updatedAt
        }
        commitStatusPreview {
          commit
          context
          state
          description
          error
        }
        ...notifications_build
      }
    }
  }
`;

const fragment = graphql`
  fragment notifications_build on Build
  @refetchable(queryName: "notificationsMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 100 }, cursor: { type: "String" }) {
    id
    notifications(first: $count, after: $cursor) @connection(key: "notifications_notifications") {
      edges {
        node {
          uuid
          event
          kind
          target
          condition
          outcome
          detail
          updatedAt
        }
      }
    }
  }
`;

type Found = NonNullable<NonNullable<notificationsQuery$data['node']>['found']>;
type Status = Found['commitStatuses'][number];
type PlannedStatus = Found['commitStatusPreview'][number];

/** What the build told others: the statuses of its commit at the source provider, and each entry of `notify`. */
export function Notifications({ buildId }: { buildId: string }) {
  const { node } = useLazyLoadQuery<notificationsQuery>(
    document,
    { build: buildId },
    { fetchPolicy: 'store-and-network' },
  );
  if (!node?.found) return null;
  return (
    <div className="stack">
      <Section title={texts.build.statuses.title}>
        <Statuses statuses={node.found.commitStatuses} />
        <details className="card">
          <summary className="card-body">{texts.build.statuses.preview}</summary>
          <PlannedStatuses statuses={node.found.commitStatusPreview} />
        </details>
      </Section>
      <Section title={texts.build.notifications.title}>
        <Entries build={node.found} />
      </Section>
    </div>
  );
}

function Statuses({ statuses }: { statuses: readonly Status[] }) {
  const words = texts.build.statuses;
  return (
    <Table
      label={words.title}
      items={statuses}
      keyOf={({ commit, context }) => `${commit} ${context}`}
      empty={words.empty}
      columns={[
        { title: words.context, cell: ({ context }) => context },
        { title: words.state, cell: ({ state, description }) => <span title={description}>{state}</span> },
        { title: words.delivery, cell: ({ delivery }) => words.deliveries[delivery] ?? delivery },
        {
          title: texts.build.reason,
          cell: ({ error, nextAttemptAt }) => (
            <>
              {error}{' '}
              {nextAttemptAt && (
                <span className="muted">
                  {words.again} <RelativeTime at={nextAttemptAt} />
                </span>
              )}
            </>
          ),
        },
        { title: texts.build.when, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
      ]}
    />
  );
}

/** What the build would send as it is now, with reasons: also where it sends nothing. */
function PlannedStatuses({ statuses }: { statuses: readonly PlannedStatus[] }) {
  const words = texts.build.statuses;
  return (
    <Table
      label={words.preview}
      items={statuses}
      keyOf={({ context }) => context}
      empty={words.nothingPlanned}
      columns={[
        { title: words.context, cell: ({ context }) => context },
        { title: words.state, cell: ({ state }) => state },
        { title: words.line, cell: ({ description }) => description },
        { title: texts.build.reason, cell: ({ error }) => error },
      ]}
    />
  );
}

function Entries({ build }: { build: notifications_build$key }) {
  const { data, ...more } = usePaginationFragment<notificationsMoreQuery, notifications_build$key>(fragment, build);
  const words = texts.build.notifications;
  return (
    <PagedTable
      more={more}
      label={words.title}
      items={nodesOf(data.notifications)}
      keyOf={({ uuid }) => uuid}
      empty={words.empty}
      columns={[
        { title: words.kind, cell: ({ kind }) => <code>{kind}</code> },
        { title: words.target, cell: ({ target }) => target },
        { title: texts.build.event, cell: ({ event }) => <code>{event}</code> },
        { title: words.outcome, cell: ({ outcome }) => words.outcomes[outcome] ?? outcome },
        {
          title: texts.build.reason,
          cell: ({ condition, detail }) => (
            <>
              {condition && <code>{condition}</code>} {detail}
            </>
          ),
        },
        { title: texts.build.when, cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
      ]}
    />
  );
}
