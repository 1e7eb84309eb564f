import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Suspense, useDeferredValue } from 'react';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { auditPage_organization$key } from '../../__generated__/auditPage_organization.graphql';
import type { auditPageQuery, AuditSubjectType } from '../../__generated__/auditPageQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { SelectField } from '../../ui/field';
import { JsonBlock } from '../../ui/json-block';
import { More } from '../../ui/more';
import { Page } from '../../ui/page';
import { Loading, NotFound } from '../../ui/placeholder';
import { RelativeTime } from '../../ui/time';

const route = getRouteApi('/organizations/$organization/audit-log');

const document = graphql`
  query auditPageQuery($organization: ID!, $subjects: [AuditSubjectType!]) {
    organization(slug: $organization) {
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

const words = (name: string) => name.toLowerCase().replaceAll('_', ' ');

/** Who changed what in the organization, newest first. */
export function AuditPage() {
  const { organization } = route.useParams();
  const { subject } = route.useSearch();
  const navigate = useNavigate({ from: '/organizations/$organization/audit-log' });
  const shown = useDeferredValue(subject);
  return (
    <Page title={texts.resources.audit}>
      <div className="filters" role="search">
        <SelectField
          label={texts.fields.subject}
          hideLabel
          value={subject ?? ''}
          onChange={(next) => void navigate({ search: { subject: next || undefined }, replace: true })}
          choices={[
            { value: '', label: `${texts.fields.subject}: ${texts.common.all}` },
            ...subjects.map((value) => ({ value, label: words(value) })),
          ]}
        />
      </div>
      <Suspense fallback={<Loading />}>
        <Events organization={organization} subject={subjects.find((each) => each === shown) ?? null} />
      </Suspense>
    </Page>
  );
}

function Events({ organization, subject }: { organization: string; subject: AuditSubjectType | null }) {
  const data = useLazyLoadQuery<auditPageQuery>(
    document,
    { organization, subjects: subject ? [subject] : null },
    { fetchPolicy: 'store-and-network' },
  );
  return data.organization ? <List slug={organization} organization={data.organization} /> : <NotFound />;
}

function List({ slug, organization }: { slug: string; organization: auditPage_organization$key }) {
  const { data, ...more } = usePaginationFragment<auditPageQuery, auditPage_organization$key>(fragment, organization);
  const events = nodesOf(data.auditEvents);
  // What the provisioning file names is named with its organization, which is that of the page.
  const nameOf = (name: string | null | undefined) =>
    name?.startsWith(`${slug}/`) ? name.slice(slug.length + 1) : name;
  if (events.length === 0) return <p className="card card-body muted">{texts.resources.noAudit}</p>;
  return (
    <>
      <ul className="card">
        {events.map((event) => (
          <li key={event.id}>
            <details className="entry">
              <summary>
                <span className="grow">
                  <strong>{event.actor?.name}</strong> <code>{event.operation}</code> {nameOf(event.subject?.name)}
                </span>
                {event.subject?.type && <span className="tag">{words(event.subject.type)}</span>}
                <RelativeTime at={event.occurredAt} />
              </summary>
              <div className="card-body stack">
                <dl className="facts">
                  <dt>{texts.build.event}</dt>
                  <dd>{words(event.type)}</dd>
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
        ))}
      </ul>
      <More {...more} />
    </>
  );
}
