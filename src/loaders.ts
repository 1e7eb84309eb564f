import DataLoader from 'dataloader';
import { sql } from 'kysely';
import type { Json } from './domain/steps/step.js';
import type { Db, JobRow, Row } from './entities/database.js';

/** Tables whose rows are read by id along references. */
type ById = 'users' | 'organizations' | 'pipelines' | 'builds' | 'jobs' | 'steps' | 'agents' | 'clusters' | 'cluster_queues' | 'agent_tokens' | 'teams' | 'team_members' | 'team_pipelines' | 'organization_members' | 'pipeline_templates';

export interface PipelineCounts {
  scheduledBuildsCount: number;
  runningBuildsCount: number;
  scheduledJobsCount: number;
  runningJobsCount: number;
  waitingJobsCount: number;
}

export interface StepSummary {
  id: string;
  key: string | null;
  groupId: string | null;
  signature: Json | null;
}

/** What is kept of the delivery that a build was made of. */
export type KeptDelivery = Pick<Row<'webhook_deliveries'>, 'id' | 'deliveryId' | 'headers' | 'payload'>;

const noCounts: PipelineCounts = { scheduledBuildsCount: 0, runningBuildsCount: 0, scheduledJobsCount: 0, runningJobsCount: 0, waitingJobsCount: 0 };

/**
 * References of one request, batched: one statement a level however many rows ask. They check no rights: they
 * follow links from things the caller was already shown, inside one organization.
 */
export class Loaders {
  readonly user = this.byId('users');
  readonly organization = this.byId('organizations');
  readonly pipeline = this.byId('pipelines');
  readonly build = this.byId('builds');
  readonly job = this.byId('jobs');
  readonly step = this.byId('steps');
  readonly agent = this.byId('agents');
  readonly cluster = this.byId('clusters');
  readonly clusterQueue = this.byId('cluster_queues');
  readonly agentToken = this.byId('agent_tokens');
  readonly team = this.byId('teams');
  readonly teamMember = this.byId('team_members');
  readonly teamPipeline = this.byId('team_pipelines');
  readonly organizationMember = this.byId('organization_members');
  readonly pipelineTemplate = this.byId('pipeline_templates');

  /** Latest attempts of a build's jobs in pipeline order. */
  readonly jobsOfBuild = this.jobsOf(false);
  /** All attempts of a build's jobs in pipeline order. */
  readonly allJobsOfBuild = this.jobsOf(true);

  /** What lists of jobs show of a step: reading whole definitions costs more than all the rest of a job. */
  readonly stepSummary = this.loader<string, StepSummary | null>(async (ids) => {
    const signature = sql<Json | null>`definition -> 'signature'`.as('signature');
    const rows = await this.db.selectFrom('steps').select(['id', 'key', 'groupId', signature]).where('id', 'in', ids).execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id) ?? null);
  });

  readonly metaDataOfBuild = this.loader<string, Record<string, string>>(async (ids) => {
    const rows = await this.db.selectFrom('build_meta_data').select(['buildId', 'key', 'value']).where('buildId', 'in', ids).orderBy('key').execute();
    const byBuild = group(rows, (row) => row.buildId);
    return ids.map((id) => Object.fromEntries((byBuild.get(id) ?? []).map((row) => [row.key, row.value])));
  });

  /** Counts of unfinished builds and jobs, counted live: they cannot drift (I12). */
  readonly pipelineCounts = this.loader<string, PipelineCounts>(async (ids) => {
    const builds = await this.db
      .selectFrom('builds')
      .select(['pipelineId', 'state'])
      .select(sql<number>`count(*)::int`.as('count'))
      .where('pipelineId', 'in', ids)
      .where('state', 'in', ['scheduled', 'running', 'failing', 'canceling', 'creating', 'blocked'])
      .groupBy(['pipelineId', 'state'])
      .execute();
    const jobs = await this.db
      .selectFrom('jobs')
      .select(['pipelineId', 'state'])
      .select(sql<number>`count(*)::int`.as('count'))
      .where('pipelineId', 'in', ids)
      .where('type', 'in', ['command', 'trigger'])
      .where('state', 'in', ['pending', 'waiting', 'blocked', 'unblocked', 'limiting', 'limited', 'scheduled', 'reserved', 'assigned', 'accepted', 'running', 'canceling', 'timing_out'])
      .groupBy(['pipelineId', 'state'])
      .execute();
    const counts = new Map(ids.map((id) => [id, { ...noCounts }]));
    for (const { pipelineId, state, count } of builds) {
      const of = counts.get(pipelineId);
      if (!of) continue;
      if (state === 'scheduled' || state === 'creating') of.scheduledBuildsCount += count;
      else if (state !== 'blocked') of.runningBuildsCount += count;
    }
    for (const { pipelineId, state, count } of jobs) {
      const of = counts.get(pipelineId);
      if (!of) continue;
      if (['scheduled', 'limiting', 'limited', 'reserved', 'assigned'].includes(state)) of.scheduledJobsCount += count;
      else if (['accepted', 'running', 'canceling', 'timing_out'].includes(state)) of.runningJobsCount += count;
      else of.waitingJobsCount += count;
    }
    return ids.map((id) => counts.get(id) ?? noCounts);
  });

  readonly deliveryOfBuild = this.loader<string, KeptDelivery | null>(async (ids) => {
    const rows = await this.db
      .selectFrom('webhook_delivery_builds as b')
      .innerJoin('webhook_deliveries as d', 'd.id', 'b.deliveryId')
      .select(['b.buildId', 'd.id', 'd.deliveryId', 'd.headers', 'd.payload'])
      .where('b.buildId', 'in', ids)
      .execute();
    const byBuild = new Map(rows.map((row) => [row.buildId, row]));
    return ids.map((id) => byBuild.get(id) ?? null);
  });

  /** The provider's id of the webhook that was made for a pipeline. */
  readonly webhookOfPipeline = this.loader<string, string | null>(async (ids) => {
    const rows = await this.db.selectFrom('pipeline_webhooks').select(['pipelineId', 'externalId']).where('pipelineId', 'in', ids).execute();
    const byPipeline = new Map(rows.map((row) => [row.pipelineId, row.externalId]));
    return ids.map((id) => byPipeline.get(id) ?? null);
  });

  constructor(private readonly db: Db) {}

  private byId<T extends ById>(table: T): DataLoader<string, Row<T> | null> {
    return this.loader<string, Row<T> | null>(async (ids) => {
      const rows = (await this.db.selectFrom(table as 'users').selectAll().where('id', 'in', ids).execute()) as unknown as (Row<T> & { id: string })[];
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => byId.get(id) ?? null);
    });
  }

  private jobsOf(includeRetried: boolean): DataLoader<string, JobRow[]> {
    return this.loader<string, JobRow[]>(async (ids) => {
      let query = this.db.selectFrom('jobs').selectAll().where('buildId', 'in', ids);
      if (!includeRetried) query = query.where('retried', '=', false);
      const byBuild = group(await query.orderBy('position').orderBy('id').execute(), (row) => row.buildId);
      return ids.map((id) => byBuild.get(id) ?? []);
    });
  }

  private loader<K, V>(batch: (keys: K[]) => Promise<V[]>): DataLoader<K, V> {
    return new DataLoader<K, V>((keys) => batch([...keys]), { maxBatchSize: 1000 });
  }
}

function group<T>(rows: T[], key: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const of = groups.get(key(row));
    if (of) of.push(row);
    else groups.set(key(row), [row]);
  }
  return groups;
}

/** A reference that may be absent: null stays null without a statement. */
export async function loadOrNull<V>(loader: DataLoader<string, V | null>, id: string | null): Promise<V | null> {
  return id === null ? null : loader.load(id);
}

