import { getRouteApi } from '@tanstack/react-router';
import { graphql } from 'react-relay';
import type { auditPageQuery, AuditSubjectType } from '../../__generated__/auditPageQuery.graphql';
import type { auditPage_organization$data } from '../../__generated__/auditPage_organization.graphql';
import { texts } from '../../texts/texts';
import { ChoiceFilter, Filters, useFilters } from '../../ui/filters';
import { JsonBlock } from '../../ui/json-block';
import { type ItemOf, ListPage } from '../../ui/list-page';
import { RelativeTime } from '../../ui/time';
import { enumText, subjectName } from './audit-texts';

const route = getRouteApi('/organizations/$organization/audit-log');

const document = graphql`
  query auditPageQuery($organization: ID!, $subjects: [AuditSubjectType!]) {
    organization(slug: $organization) {
      permissions {
        auditEventsView {
          allowed
        }
      }
      ...auditPage_organization
    }
  }
`;

const fragment = graphql`
  fragment auditPage_organization on Organization
  @refetchable(queryName: "auditPageMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    auditEvents(first: $count, after: $cursor, subjectType: $subjects) @connection(key: "auditPage_auditEvents") {
      edges {
        node {
          id
          operation
          type
          occurredAt
          data
          actor {
            name
            type
          }
          subject {
            name
            type
            uuid
          }
          context {
            ... on AuditAPIContext {
              requestIpAddress
              requestUserAgent
            }
            ... on AuditWebContext {
              requestIpAddress
              requestUserAgent
            }
          }
        }
      }
    }
  }
`;

/** Kinds of things that events can be about here. */
const subjects: AuditSubjectType[] = [
  'PIPELINE',
  'PIPELINE_SCHEDULE',
  'PIPELINE_TEMPLATE',
  'CLUSTER',
  'CLUSTER_QUEUE',
  'CLUSTER_TOKEN',
  'SECRET',
  'ORGANIZATION',
  'ORGANIZATION_MEMBER',
  'TEAM',
  'TEAM_MEMBER',
  'TEAM_PIPELINE',
  'NOTIFICATION_SERVICE',
  'API_ACCESS_TOKEN',
  'SUITE',
];

/** Who changed what in the organization, newest first. */
export function AuditPage() {
  const { organization } = route.useParams();
  const filters = route.useSearch();
  const { shown, change } = useFilters(filters);
  const subject = subjects.find((each) => each === shown.subject);
  return (
    <ListPage<auditPageQuery, auditPage_organization$data, 'auditEvents'>
      title={texts.resources.audit}
      query={document}
      variables={{ organization, subjects: subject ? [subject] : null }}
      fragment={fragment}
      connection="auditEvents"
      empty={({ organization: { permissions } }) =>
        permissions.auditEventsView?.allowed ? texts.resources.noAudit : texts.resources.deniedAudit
      }
      filters={
        <Filters>
          <ChoiceFilter
            label={texts.fields.subject}
            any={`${texts.fields.subject}: ${texts.common.all}`}
            value={filters.subject}
            onChange={(next) => change({ subject: next })}
            choices={subjects.map((value) => ({ value, label: enumText(value) }))}
          />
        </Filters>
      }
    >
      {(events) => (
        <ul className="card">
          {events.map((event) => (
            <Event key={event.id} slug={organization} event={event} />
          ))}
        </ul>
      )}
    </ListPage>
  );
}

type AuditEvent = ItemOf<auditPage_organization$data, 'auditEvents'>;

function Event({ slug, event }: { slug: string; event: AuditEvent }) {
  return (
    <li>
      <details className="entry">
        <summary>
          <span className="grow">
            <strong>{event.actor?.name}</strong> <code>{event.operation}</code> {subjectName(event.subject?.name, slug)}
          </span>
          {event.subject?.type && <span className="tag">{enumText(event.subject.type)}</span>}
          <RelativeTime at={event.occurredAt} />
        </summary>
        <div className="card-body stack">
          <dl className="facts">
            <dt>{texts.build.event}</dt>
            <dd>{enumText(event.type)}</dd>
            <dt>{texts.fields.subject}</dt>
            <dd>
              {event.subject?.name} <code>{event.subject?.uuid}</code>
            </dd>
            {event.context?.requestIpAddress && (
              <>
                <dt>{texts.account.ip}</dt>
                <dd>
                  {event.context.requestIpAddress} <span className="muted">{event.context.requestUserAgent}</span>
                </dd>
              </>
            )}
          </dl>
          <JsonBlock label={texts.organization.change} json={event.data} />
        </div>
      </details>
    </li>
  );
}
