import type { Context } from '../../request/context.js';
import { matchesBranch } from '../../domain/pipelines/branch-pattern.js';
import { type NotifiedState, notifiedState } from '../../domain/integrations/notified-states.js';
import { eventsOfService } from '../../domain/integrations/service-events.js';
import type { NotificationEvent, StepEvent } from '../../domain/integrations/notification-events.js';
import type { ChannelName } from '../../domain/integrations/service-providers.js';
import type { StepOutcome, StepState } from '../../domain/builds/step-attributes.js';
import type { Json, JsonObject, StepType } from '../../domain/pipelines/steps/step.js';
import type {
  AgentRow,
  BuildRow,
  JobRow,
  NotificationServiceRow,
  ShownAgentTokenRow,
} from '../../entities/database.js';
import { previousResult } from './notification-facts.js';

interface EventFacts {
  organizationId: string;
  event: NotificationEvent | StepEvent;
  /** Order among the events of one build; 0 for agents, whose events are ordered by id. */
  sequence: number;
  /** Id of the build, agent or agent token within which order is kept. */
  orderKey: string;
  /** Registration token that did not allow an address. */
  clusterToken?: ShownAgentTokenRow;
  blockedIp?: string | null;
  /** Why a job promised to fail. */
  promiseReason?: string | null;
}

/** An event that is sent to receivers: about a build, a job with its build, or an agent. */
export type NotifiableEvent = EventFacts &
  (
    | { build: BuildRow; job?: JobRow; step?: StepOfEvent; agent?: undefined }
    | { agent: AgentRow; build?: undefined; job?: undefined; step?: undefined }
    | { agent?: undefined; build?: undefined; job?: undefined; step?: undefined }
  );

/** A step with `notify` whose event it is. */
export interface StepOfEvent {
  id: string;
  key: string | null;
  label: string | null;
  type: StepType;
  notify: readonly Json[];
  state: StepState;
  outcome: StepOutcome;
}

/** Receiver of a notification. */
export interface Receiver {
  channel: ChannelName;
  /** Null for an entry of `notify` that needs no service. */
  serviceId: string | null;
  url: string;
  /** Deliveries to the same receiver wait for it together, and are ordered. */
  receiver: string;
  /** Room, address or key; empty if there is none. */
  target: JsonObject;
  buildNotificationId?: string;
}

/** The services of an organization that an event goes to. */
export interface SubscribedServices {
  /** Those that want the event. */
  receivers(): Receiver[];
  /** Those of Slack that reach the event's pipeline, whatever they want by themselves. */
  chat(): Promise<NotificationServiceRow[]>;
}

/** Loads the services of the organizations; returns a function from an event to its services. */
export async function subscribedServices(
  context: Context,
  notifiableEvents: readonly NotifiableEvent[],
): Promise<(notifiableEvent: NotifiableEvent) => SubscribedServices> {
  const organizations = [...new Set(notifiableEvents.map((each) => each.organizationId))];
  const services = await context.db
    .selectFrom('notification_services')
    .selectAll()
    .where('organizationId', 'in', organizations)
    .where('enabled', '=', true)
    .orderBy('id')
    .execute();
  const wants = (service: NotificationServiceRow, { organizationId, event }: NotifiableEvent) =>
    organizationId === service.organizationId && eventsOfService(service).includes(event);
  const wanting = services.filter((service) => notifiableEvents.some((each) => wants(service, each)));
  const scoped = await pipelinesInScope(context, wanting, notifiableEvents);
  const statesOf = await statesOfEvents(context, wanting, notifiableEvents);
  const receiversOf = (notifiableEvent: NotifiableEvent) => {
    const states = statesOf(notifiableEvent);
    return wanting
      .filter((service) => wants(service, notifiableEvent) && scoped(service, notifiableEvent))
      .filter(
        ({ branchConfiguration }) =>
          !notifiableEvent.build || matchesBranch(branchConfiguration, notifiableEvent.build.branch),
      )
      .filter(({ withheldStates }) => states.length === 0 || states.some((state) => !withheldStates.includes(state)))
      .map(receiverOfService);
  };
  return (notifiableEvent) => ({
    receivers: () => receiversOf(notifiableEvent),
    chat: async () => {
      const chats = services.filter(
        ({ organizationId, provider }) =>
          organizationId === notifiableEvent.organizationId && chatProviders.has(provider),
      );
      const reaches = await pipelinesInScope(context, chats, [notifiableEvent]);
      return chats.filter((service) => reaches(service, notifiableEvent));
    },
  });
}

const chatProviders: ReadonlySet<string> = new Set(['slack', 'slack_workspace']);

/** A service as the receiver of an event; a webhook alone has a URL that its deliveries show. */
export function receiverOfService({ id, url, provider }: NotificationServiceRow): Receiver {
  const address = provider === 'webhook' ? url : `${provider.replaceAll('_', '-')}:${id}`;
  return { channel: provider, serviceId: id, url: address, receiver: id, target: {} };
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
  return ({ scope, scopeIds }, { build, agent, clusterToken }) => {
    if (scope === 'all') return true;
    const within = (id: string | null | undefined) => id != null && scopeIds.includes(id);
    if (agent) return scope === 'some_clusters' && within(agent.clusterId);
    if (!build) return scope === 'some_clusters' && within(clusterToken?.clusterId);
    if (scope === 'some_projects') return within(build.pipelineId);
    if (scope === 'some_clusters') return within(clusterOf.get(build.pipelineId));
    return teams.some((row) => row.pipelineId === build.pipelineId && within(row.teamId));
  };
}
