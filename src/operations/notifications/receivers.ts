import type { Context } from '../../context.js';
import { matchesBranch } from '../../domain/branch-pattern.js';
import type { NotificationEvent } from '../../domain/notification-events.js';
import type { AgentRow, BuildRow, JobRow, NotificationServiceRow } from '../../entities/database.js';

interface Told {
  organizationId: string;
  event: NotificationEvent;
  /** Order among the events of one build; 0 for agents, whose events are ordered by id. */
  sequence: number;
  /** What order is kept within: the build's id, or the agent's. */
  orderKey: string;
}

/** Something that happened and is told: about a build, a job with its build, or an agent. */
export type Happening = Told & ({ build: BuildRow; job?: JobRow; agent?: undefined } | { agent: AgentRow; build?: undefined; job?: undefined });

/** Who is told, and where. `serviceId` is null for a `notify` entry of a pipeline. */
export interface Receiver {
  serviceId: string | null;
  url: string;
}

/** The services of the organizations concerned, as a function from a happening to those that want it. */
export async function serviceReceivers(context: Context, happenings: readonly Happening[]): Promise<(happening: Happening) => Receiver[]> {
  const organizations = [...new Set(happenings.map((each) => each.organizationId))];
  const services = await context.db.selectFrom('notification_services').selectAll().where('organizationId', 'in', organizations).where('enabled', '=', true).orderBy('id').execute();
  const wanting = services.filter((service) => happenings.some((each) => each.organizationId === service.organizationId && service.events.includes(each.event)));
  if (wanting.length === 0) return () => [];
  const scoped = await pipelinesInScope(context, wanting, happenings);
  return (happening) =>
    wanting
      .filter((service) => service.organizationId === happening.organizationId && service.events.includes(happening.event) && scoped(service, happening))
      .filter(({ branchConfiguration }) => !happening.build || matchesBranch(branchConfiguration, happening.build.branch))
      .map((service) => ({ serviceId: service.id, url: service.url }));
}

/** Whether a happening is in a service's scope; teams and clusters of the pipelines concerned are read once for all. */
async function pipelinesInScope(context: Context, services: readonly NotificationServiceRow[], happenings: readonly Happening[]): Promise<(service: NotificationServiceRow, happening: Happening) => boolean> {
  const ids = [...new Set(happenings.flatMap(({ build }) => (build ? [build.pipelineId] : [])))];
  const of = (scope: NotificationServiceRow['scope']) => ids.length > 0 && services.some((service) => service.scope === scope);
  const teams = of('some_teams') ? await context.db.selectFrom('team_pipelines').select(['pipelineId', 'teamId']).where('pipelineId', 'in', ids).execute() : [];
  const clusters = of('some_clusters') ? await context.db.selectFrom('pipelines').select(['id', 'clusterId']).where('id', 'in', ids).execute() : [];
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
