import { Link } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { events_build$data, events_build$key } from '../../../__generated__/events_build.graphql';
import type { eventsMoreQuery } from '../../../__generated__/eventsMoreQuery.graphql';
import type { eventsQuery } from '../../../__generated__/eventsQuery.graphql';
import { nodesOf } from '../../../relay/nodes';
import { texts } from '../../../texts/texts';
import type { ItemOf } from '../../../ui/list-page';
import { PagedTable } from '../../../ui/paged-table';
import { stateName } from '../../../ui/state';
import { RelativeTime } from '../../../ui/time';
import { plainLabel } from '../steps/job-view';
import { firstLine } from '../../../ui/first-line';

const document = graphql`
  query eventsQuery($build: ID!) {
    node(id: $build) {
      ... on Build @alias(as: "found") {
        ...events_build
      }
    }
  }
`;

const fragment = graphql`
  fragment events_build on Build
  @refetchable(queryName: "eventsMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 100 }, cursor: { type: "String" }) {
    id
    events(first: $count, after: $cursor) @connection(key: "events_events") {
      edges {
        node {
          uuid
          type
          from
          to
          reason
          timestamp
          job {
            ... on JobTypeCommand {
              uuid
              label
              command
            }
            ... on JobTypeBlock {
              uuid
              label
            }
            ... on JobTypeTrigger {
              uuid
              label
            }
          }
        }
      }
    }
  }
`;

const state = (word: string | null | undefined) => (word ? stateName(word.toUpperCase()) : '');

type Job = ItemOf<events_build$data, 'events'>['job'];

/** A link to the job of an event, on the steps of the build. */
function EventJob({ job }: { job: Job }) {
  if (!job?.uuid) return null;
  return (
    <Link to="." search={{}} hash={job.uuid}>
      {plainLabel(job.label) || firstLine(job.command) || texts.job.unnamed}
    </Link>
  );
}

/** State changes of the build and its jobs. */
export function Events({ buildId }: { buildId: string }) {
  const { node } = useLazyLoadQuery<eventsQuery>(document, { build: buildId }, { fetchPolicy: 'store-and-network' });
  return node?.found ? <List build={node.found} /> : null;
}

function List({ build }: { build: events_build$key }) {
  const { data, ...more } = usePaginationFragment<eventsMoreQuery, events_build$key>(fragment, build);
  return (
    <PagedTable
      more={more}
      label={texts.build.tabs.events}
      items={nodesOf(data.events)}
      keyOf={({ uuid }) => uuid}
      empty={texts.build.noEvents}
      columns={[
        { title: texts.build.when, cell: (event) => <RelativeTime at={event.timestamp} /> },
        { title: texts.build.event, cell: (event) => <code>{event.type}</code> },
        { title: texts.build.jobOfEvent, cell: ({ job }) => <EventJob job={job} /> },
        { title: texts.build.from, cell: (event) => state(event.from) },
        { title: texts.build.to, cell: (event) => state(event.to) },
        { title: texts.build.reason, cell: (event) => event.reason },
      ]}
    />
  );
}
