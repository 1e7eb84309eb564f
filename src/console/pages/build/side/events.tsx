import { graphql, useLazyLoadQuery } from 'react-relay';
import type { eventsQuery } from '../../../__generated__/eventsQuery.graphql';
import { texts } from '../../../texts/texts';
import { Table } from '../../../ui/page';
import { stateName } from '../../../ui/state';
import { RelativeTime } from '../../../ui/time';

const document = graphql`
  query eventsQuery($build: ID!) {
    node(id: $build) {
      ... on Build {
        events(first: 200) {
          nodes {
            uuid
            type
            from
            to
            reason
            timestamp
          }
        }
      }
    }
  }
`;

const state = (word: string | null | undefined) => (word ? stateName(word.toUpperCase()) : '');

/** State changes of the build and its jobs. */
export function Events({ buildId }: { buildId: string }) {
  const { node } = useLazyLoadQuery<eventsQuery>(document, { build: buildId }, { fetchPolicy: 'store-and-network' });
  return (
    <Table
      label={texts.build.tabs.events}
      items={node?.events?.nodes ?? []}
      keyOf={({ uuid }) => uuid}
      empty={texts.build.noEvents}
      columns={[
        { title: texts.build.when, cell: (event) => <RelativeTime at={event.timestamp} /> },
        { title: texts.build.event, cell: (event) => <code>{event.type}</code> },
        { title: texts.build.from, cell: (event) => state(event.from) },
        { title: texts.build.to, cell: (event) => state(event.to) },
        { title: texts.build.reason, cell: (event) => event.reason },
      ]}
    />
  );
}
