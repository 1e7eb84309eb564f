import type { Context } from '../../request/context.js';
import { matchesBranch } from '../../domain/pipelines/branch-pattern.js';
import { type NotifiedState, notifiedState } from '../../domain/integrations/notified-states.js';
import type { NotificationEvent } from '../../domain/integrations/notification-events.js';
import type { AgentRow, BuildRow, JobRow, NotificationServiceRow } from '../../entities/database.js';
import { previousResult } from './notification-facts.js';

interface EventFacts {
  organizationId: string;
  event: NotificationEvent;
  /** Order among the events of one build; 0 for agents, whose events are ordered by id. */
  sequence: number;
  /** Id of the build or agent within which order is kept. */
  orderKey: string;
}

/** An event that is sent to receivers: about a build, a job with its build, or an agent. */
export type NotifiableEvent = EventFacts &
  ({ build: BuildRow; job?: JobRow; agent?: undefined } | { agent: AgentRow; build?: undefined; job?: undefined });

/** Receiver of a notification; `serviceId` is null for a `notify` entry of a pipeline. */
export interface Receiver {
  serviceId: string | null;
  url: string;
}

/** Loads the services of the organizations; returns a function from an event to the services that want it. */
export async function serviceReceivers(
  context: Context,
  notifiableEvents: readonly NotifiableEvent[],
): Promise<(notifiableEvent: NotifiableEvent) => Receiver[]> {
  const organizations = [...new Set(notifiableEvents.map((each) => each.organizationId))];
  const services = await context.db
    .selectFrom('notification_services')
    .selectAll()
    .where('organizationId', 'in', organizations)
    .where('enabled', '=', true)
    .orderBy('id')
    .execute();
  const wanting = services.filter((service) =>
    notifiableEvents.some(
      (each) => each.organizationId === service.organizationId && service.events.includes(each.event),
    ),
  );
  if (wanting.length === 0) return () => [];
  const scoped = await pipelinesInScope(context, wanting, notifiableEvents);
  const statesOf = await statesOfEvents(context, wanting, notifiableEvents);
  return (notifiableEvent) => {
    const states = statesOf(notifiableEvent);
    return wanting
      .filter(
        (service) =>
          service.organizationId === notifiableEvent.organizationId &&
          service.events.includes(notifiableEvent.event) &&
          scoped(service, notifiableEvent),
      )
      .filter(
        ({ branchConfiguration }) =>
          !notifiableEvent.build || matchesBranch(branchConfiguration, notifiableEvent.build.branch),
      )
      .filter(({ withheldStates }) => states.length === 0 || states.some((state) => !withheldStates.includes(state)))
      .map((service) => ({ serviceId: service.id, url: service.url }));
  };
}

/**
 * Outcomes that an event tells of: none if it tells of none, two for a build that passed where the one before failed.
 * What came before is read only where a service tells the two apart.
 */
async function statesOfEvents(
  context: Context,
  services: readonly NotificationServiceRow[],
  notifiableEvents: readonly NotifiableEvent[],
): Promise<(notifiableEvent: NotifiableEvent) => NotifiedState[]> {
  const stateOf = ({ event, build }: NotifiableEvent) => (build ? notifiedState(event, build.state) : null);
  const telling = new Set(
    services
      .filter(
        ({ withheldStates }) => withheldStates.includes('build_passed') && !withheldStates.includes('build_fixed'),
      )
      .map(({ organizationId }) => organizationId),
  );
  const fixed = new Set<string>();
  for (const notifiableEvent of notifiableEvents) {
    const { build, organizationId } = notifiableEvent;
    if (!build || !telling.has(organizationId) || stateOf(notifiableEvent) !== 'build_passed') continue;
    if ((await previousResult(context, build)) === 'failed') fixed.add(build.id);
  }
  return (notifiableEvent) => {
    const state = stateOf(notifiableEvent);
    if (state === null) return [];
    return state === 'build_passed' && fixed.has(notifiableEvent.build?.id ?? '') ? [state, 'build_fixed'] : [state];
  };
}

/** Whether an event is in a service's scope; teams and clusters of the pipelines are read once for all events. */
async function pipelinesInScope(
  context: Context,
  services: readonly NotificationServiceRow[],
  notifiableEvents: readonly NotifiableEvent[],
): Promise<(service: NotificationServiceRow, notifiableEvent: NotifiableEvent) => boolean> {
  const ids = [...new Set(notifiableEvents.flatMap(({ build }) => (build ? [build.pipelineId] : [])))];
  const of = (scope: NotificationServiceRow['scope']) =>
    ids.length > 0 && services.some((service) => service.scope === scope);
  const teams = of('some_teams')
    ? await context.db
        .selectFrom('team_pipelines')
        .select(['pipelineId', 'teamId'])
        .where('pipelineId', 'in', ids)
        .execute()
    : [];
  const clusters = of('some_clusters')
    ? await context.db.selectFrom('pipelines').select(['id', 'clusterId']).where('id', 'in', ids).execute()
    : [];
  const clusterOf = new Map(clusters.map((row) => [row.id, row.clusterId]));
  return ({ scope, scopeIds }, { build, agent }) => {
    if (scope === 'all') return true;
    const within = (id: string | null | undefined) => id != null && scopeIds.includes(id);
    if (agent) return scope === 'some_clusters' && within(agent.clusterId);
    if (scope === 'some_projects') return within(build.pipelineId);
    if (scope === 'some_clusters') return within(clusterOf.get(build.pipelineId));
    return teams.some((row) => row.pipelineId === build.pipelineId && within(row.teamId));
  };
}
