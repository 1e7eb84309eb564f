import type DataLoader from 'dataloader';
import { type RawBuilder, sql } from 'kysely';
import { teamSlugsOfPipeline, teamSlugsOfUser } from '../auth/team-slugs.js';
import { batchLoader, type ById, group, orderByIds, rowLoader } from './batch-loader.js';
import { compiled } from '../database/compiled.js';
import { idIn } from '../database/id-in.js';
import { setVersion, versionOf, withVersion } from '../database/row-version.js';
import type { PipelineCounts } from '../domain/pipelines/pipeline-counts.js';
import type { Json, JsonObject } from '../domain/pipelines/steps/step.js';
import { type TestMetrics, testMetrics } from '../domain/suites/results/metrics.js';
import type { Db, JobRow, Row, ShownNotificationRow } from '../entities/database.js';
import { shownColumns } from '../entities/shown-columns.js';
import { type StepUpload, stepUploadSelection } from '../entities/pipelines/shown-step-upload.js';
import { type CulpritTest, readCulpritTests } from './culprit-tests.js';
import { type JobOutline, jobOutlineLines, readJobOutlines } from './job-outlines.js';
import { readLines } from './lines.js';
import { LongTexts } from './long-texts.js';
import { pipelineCountLines, readPipelineCounts } from './pipeline-counts.js';

export interface StepSummary {
  id: string;
  key: string | null;
  label: string | null;
  groupId: string | null;
  signature: Json | null;
  /** Image in which the command runs. */
  image: string | null;
  checkout: JsonObject | null;
}

/** Position of a released block in its build, and the user who released it. */
export type Unblocking = Pick<JobRow, 'position' | 'unblockedById'>;

/** An upload that changed the environment of a build's pipeline. */
export interface EnvChange {
  sequence: number;
  before: Record<string, string>;
}

export interface Maintainers {
  userIds: string[];
  teamIds: string[];
}
/** A queue that jobs of its cluster are routed to. */
export interface RoutedQueue {
  id: string;
  key: string;
  clusterId: string;
  /** ID of the default queue of the cluster. */
  defaultQueueId: string | null;
}

const queuesOfClusters = compiled<{ ids: readonly string[] }, RoutedQueue>(
  'queues-of-clusters',
  (_db, { ids }) => sql`
    select q.id, q.key, q.cluster_id, c.default_queue_id from cluster_queues q join clusters c on c.id = q.cluster_id
    where q.cluster_id = any(${ids}::uuid[])`,
);

/** Hosts that an organization is connected to by an App; null without one. For a select. */
export const appHostsOf = (organizationId: RawBuilder<unknown>) =>
  sql<string[] | null>`(select json_agg(a.host order by a.host) from provider_connections a
    where a.organization_id = ${organizationId} and a.app_id is not null)`;

/** Blocks of a build that were released, in pipeline order; null without one. For a select. */
export const unblockingsOf = (buildId: RawBuilder<unknown>) =>
  sql<
    Unblocking[] | null
  >`(select json_agg(json_build_object('position', w.position, 'unblockedById', w.unblocked_by_id) order by w.position)
    from jobs w where w.build_id = ${buildId} and w.state = 'unblocked')`;

/** The keys of a loader, ids or pairs of ids with a space between, as `k (id, second, place)`. */
function keysOf(keys: readonly string[]) {
  const [ids, seconds] = [0, 1].map((place) => keys.map((key) => key.split(' ')[place] ?? null));
  return sql`unnest(${sql.val(ids)}::uuid[], ${sql.val(seconds)}::uuid[]) with ordinality as k(id, second, place)`;
}

/** Stored fields of the webhook delivery from which a build was created. */
export type KeptDelivery = Pick<Row<'webhook_deliveries'>, 'id' | 'deliveryId' | 'headers' | 'payload'>;

/**
 * Batched loaders of one request: one statement for each level of references, for any number of rows. They do not check
 * access, because they follow references from objects that the caller may see, inside one organization. Pipelines,
 * builds and jobs have separate access rules and are loaded by `references.ts`.
 */
export class Loaders {
  readonly user = this.byId('users');
  readonly organization = this.byId('organizations');
  readonly step = this.byId('steps');
  readonly agent = this.byId('agents');
  readonly cluster = this.byId('clusters');
  readonly clusterQueue = this.byId('cluster_queues');
  readonly agentToken = this.byId('agent_tokens');
  readonly team = this.byId('teams');
  readonly teamMember = this.byId('team_members');
  readonly teamPipeline = this.byId('team_pipelines');
  readonly rule = this.byId('rules');
  readonly teamSuite = this.byId('team_suites');
  readonly clusterSecret = this.byId('cluster_secrets');
  readonly organizationBanner = this.byId('organization_banners');
  readonly organizationInvitation = this.byId('organization_invitations');
  readonly organizationMember = this.byId('organization_members');
  readonly pipelineSchedule = this.byId('pipeline_schedules');
  readonly pipelineTemplate = this.byId('pipeline_templates');
  readonly notificationService = this.byId('notification_services');
  /** Notifications without their payloads. */
  readonly notification = this.loader<string, ShownNotificationRow | null>(async (ids) => {
    const query = this.db.selectFrom('notifications as n').select(shownColumns('notifications', 'n'));
    return orderByIds(ids, await query.where(idIn('n.id', ids)).execute());
  });
  readonly suite = this.byId('suites');

  /** Commits that a search for a culprit has tested, in the order of the branch. */
  readonly testsOfCulpritSearch = this.loader<string, CulpritTest[]>((ids) => readCulpritTests(this.db, ids));

  /** Role of a user in a team; the key is `teamId userId`. */
  readonly teamRole = this.loader<string, Row<'team_members'>['role'] | null>(async (keys) => {
    const pairs = keys.map((key) => key.split(' '));
    const rows = await this.db
      .selectFrom('team_members')
      .select(['teamId', 'userId', 'role'])
      .where('teamId', 'in', [...new Set(pairs.map(([teamId = '']) => teamId))])
      .where('userId', 'in', [...new Set(pairs.map(([, userId = '']) => userId))])
      .execute();
    const roles = new Map(rows.map((row) => [`${row.teamId} ${row.userId}`, row.role]));
    return keys.map((key) => roles.get(key) ?? null);
  });

  /** Membership of a user in an organization; the key is `organizationId userId`. */
  readonly memberOfOrganization = this.loader<string, Row<'organization_members'> | null>(async (keys) => {
    const pairs = keys.map((key) => key.split(' '));
    const rows = await this.db
      .selectFrom('organization_members')
      .selectAll()
      .where('organizationId', 'in', [...new Set(pairs.map(([organizationId = '']) => organizationId))])
      .where('userId', 'in', [...new Set(pairs.map(([, userId = '']) => userId))])
      .execute();
    const byPair = new Map(rows.map((row) => [`${row.organizationId} ${row.userId}`, row]));
    return keys.map((key) => byPair.get(key) ?? null);
  });

  /** Last use of an API token or a session of a user; null for never. */
  readonly lastUseOfUser = this.loader<string, Date | null>(async (ids) => {
    const { rows } = await sql<{ id: string; lastUsedAt: Date | null }>`
      select u.id, greatest(
        (select max(t.last_used_at) from api_tokens t where t.user_id = u.id),
        (select max(s.last_used_at) from sessions s where s.user_id = u.id)
      ) as last_used_at
      from unnest(${sql.val([...ids])}::uuid[]) as u(id)`.execute(this.db);
    const byUser = new Map(rows.map((row) => [row.id, row.lastUsedAt]));
    return ids.map((id) => byUser.get(id) ?? null);
  });
  /** Queues of a cluster that jobs are routed to, with the id of its default queue. */
  readonly queuesOfCluster = this.loader<string, RoutedQueue[]>(async (ids) => {
    const queues = group(await queuesOfClusters(this.db, { ids }), ({ clusterId }) => clusterId);
    return ids.map((id) => queues.get(id) ?? []);
  });
  readonly suiteRun = this.byId('suite_runs');
  readonly suiteTest = this.byId('suite_tests');

  /** Maintainers of a cluster: users who are members of its organization, and visible teams. */
  readonly maintainersOfCluster = this.loader<string, Maintainers>(async (ids) => {
    const rows = await this.db
      .selectFrom('cluster_maintainers as m')
      .leftJoin('organization_members as om', (join) =>
        join.onRef('om.userId', '=', 'm.userId').onRef('om.organizationId', '=', 'm.organizationId'),
      )
      .leftJoin('teams as t', (join) => join.onRef('t.id', '=', 'm.teamId').on('t.privacy', '=', 'visible'))
      .select(['m.clusterId', 'om.userId', 't.id as teamId'])
      .where('m.clusterId', 'in', ids)
      .orderBy('m.id')
      .execute();
    const byCluster = group(rows, (row) => row.clusterId);
    return ids.map((id) => {
      const maintainers = byCluster.get(id) ?? [];
      return {
        userIds: maintainers.flatMap(({ userId }) => userId ?? []),
        teamIds: maintainers.flatMap(({ teamId }) => teamId ?? []),
      };
    });
  });

  /** Stacks that registered for a queue, by their keys. */
  readonly stacksOfQueue = this.loader<string, Row<'stacks'>[]>(async (ids) => {
    const rows = await this.db
      .selectFrom('stacks')
      .selectAll()
      .where('clusterQueueId', 'in', ids)
      .orderBy('key')
      .execute();
    const byQueue = group(rows, (row) => row.clusterQueueId);
    return ids.map((id) => byQueue.get(id) ?? []);
  });

  /** Latest attempts of a build's jobs in pipeline order. */
  readonly jobsOfBuild = this.jobsOf(false);
  /** All attempts of a build's jobs in pipeline order. */
  readonly allJobsOfBuild = this.jobsOf(true);

  /** Outlines of the latest attempts of a build's jobs in pipeline order. */
  readonly jobOutlinesOfBuild = this.outlines(false, 'jobs latest');
  /** Outlines of all attempts of a build's jobs in pipeline order. */
  readonly allJobOutlinesOfBuild = this.outlines(true, 'jobs all');
  /** A job of a build; the key is `buildId jobId`. */
  readonly jobOfBuild = this.loader<string, JobRow | null>(async (keys) => {
    const query = withVersion(this.db.selectFrom('jobs').selectAll(), 'jobs');
    const rows = await query
      .where(
        idIn(
          'id',
          keys.map((key) => key.slice(-36)),
        ),
      )
      .execute();
    const byKey = new Map(rows.map((row) => [`${row.buildId} ${row.id}`, row]));
    return keys.map((key) => byKey.get(key) ?? null);
  }, 'row jobs');

  /** Fields of a step that lists of jobs return. Reading whole definitions would cost more than the rest of the job. */
  readonly stepSummary = this.loader<string, StepSummary | null>(async (ids) => {
    const signature = sql<Json | null>`definition -> 'signature'`.as('signature');
    const image = sql<string | null>`case when type = 'command' then definition ->> 'image' end`.as('image');
    const checkout =
      sql<JsonObject | null>`case when type = 'command' then nullif(definition -> 'checkout', 'null') end`.as(
        'checkout',
      );
    const query = this.db.selectFrom('steps').select(['id', 'key', 'label', 'groupId', signature, image, checkout]);
    return orderByIds(ids, await withVersion(query, 'steps').where(idIn('id', ids)).execute());
  }, 'row steps');

  /** Blocks of a build that were released, in pipeline order. */
  readonly unblockingsOfBuild = this.loader<string, Unblocking[]>(async (ids) => {
    const { rows } = await sql<{ unblockings: Unblocking[] | null }>`
      select ${unblockingsOf(sql`k.id`)} as unblockings from ${keysOf(ids)} order by k.place`.execute(this.db);
    return rows.map(({ unblockings }) => unblockings ?? []);
  });

  /** Uploads that changed the pipeline's environment of a build, with the environment before each, in order. */
  readonly envChangesOfBuild = this.loader<string, EnvChange[]>(async (ids) => {
    const rows = await this.db
      .selectFrom('step_uploads')
      .select(['buildId', 'sequence', 'pipelineEnvBefore'])
      .where('buildId', 'in', ids)
      .where('pipelineEnvBefore', 'is not', null)
      .orderBy('sequence')
      .execute();
    const byBuild = group(rows, (row) => row.buildId);
    return ids.map((id) =>
      (byBuild.get(id) ?? []).map(({ sequence, pipelineEnvBefore }) => ({ sequence, before: pipelineEnvBefore ?? {} })),
    );
  });

  /** Pipeline uploads without their texts. */
  readonly stepUpload = this.loader<string, StepUpload | null>(async (ids) => {
    const query = this.db.selectFrom('step_uploads as u').select(stepUploadSelection);
    return orderByIds(ids, await query.where(idIn('u.id', ids)).execute());
  });
  /** Text of a pipeline upload as JSON; null where it is not kept. */
  readonly stepUploadDefinition = this.loader<string, string | null>(async (ids) => {
    const query = this.db.selectFrom('step_uploads').select(['id', 'definition']);
    const rows = orderByIds(ids, await query.where(idIn('id', ids)).execute());
    return rows.map((row) => row?.definition ?? null);
  });

  /** Slugs of the visible teams with access to a pipeline, in alphabetical order. */
  readonly teamSlugsOfPipeline = this.loader<string, string[]>(async (ids) => {
    const { rows } = await sql<{ slugs: string[] | null }>`
      select ${teamSlugsOfPipeline(sql`k.id`)} as slugs from ${keysOf(ids)} order by k.place`.execute(this.db);
    return rows.map(({ slugs }) => slugs ?? []);
  });

  /** Hosts that an organization is connected to by an App, which mints tokens for the checkouts of jobs. */
  readonly appHostsOfOrganization = this.loader<string, string[]>(async (ids) => {
    const { rows } = await sql<{ hosts: string[] | null }>`
      select ${appHostsOf(sql`k.id`)} as hosts from ${keysOf(ids)} order by k.place`.execute(this.db);
    return rows.map(({ hosts }) => hosts ?? []);
  });

  /** Slugs of a user's teams in an organization, in alphabetical order; the key is `organizationId userId`. */
  readonly teamSlugsOfUser = this.loader<string, string[]>(async (keys) => {
    const { rows } = await sql<{ slugs: string[] | null }>`
      select ${teamSlugsOfUser(sql`k.id`, sql`k.second`)} as slugs from ${keysOf(keys)} order by k.place`.execute(
      this.db,
    );
    return rows.map(({ slugs }) => slugs ?? []);
  });

  readonly metaDataOfBuild = this.loader<string, Record<string, string>>(async (ids) => {
    const query = this.db.selectFrom('build_meta_data').select(['buildId', 'key', 'value']);
    const rows = await withVersion(query, 'build_meta_data').where(idIn('build_id', ids)).orderBy('key').execute();
    const byBuild = group(rows, (row) => row.buildId);
    return ids.map((id) => {
      const own = byBuild.get(id) ?? [];
      const metaData = Object.fromEntries(own.map((row) => [row.key, row.value]));
      setVersion(metaData, own.map(versionOf).join(' '));
      return metaData;
    });
  }, 'set build_meta_data');

  /** Numbers of unfinished builds and jobs of a pipeline. */
  readonly pipelineCounts = this.loader<string, PipelineCounts>(async (ids) => {
    const lines = await readLines(this.db, pipelineCountLines(ids));
    return ids.map((id) => readPipelineCounts(lines.get(id) ?? ''));
  }, 'counts pipelines');

  /** Metrics of tests, computed from their current executions. */
  readonly testMetrics = this.loader<string, TestMetrics>(async (ids) => {
    const rows = await this.db
      .selectFrom('suite_executions')
      .select(['testId', 'result'])
      .select([
        sql<number>`count(*)::int`.as('count'),
        sql<number>`count(duration)::int`.as('timed'),
        sql<number | null>`sum(duration)`.as('sum'),
        sql<number | null>`min(duration)`.as('least'),
        sql<number | null>`max(duration)`.as('most'),
      ])
      .where('testId', 'in', ids)
      .groupBy(['testId', 'result'])
      .execute();
    const byTest = group(rows, (row) => row.testId);
    return ids.map((id) => testMetrics(byTest.get(id) ?? []));
  });

  /** IDs of the teams with access to a test's suite that own the test, in the order of its owners. */
  readonly ownersOfTest = this.loader<string, string[]>(async (ids) => {
    const rows = await this.db
      .selectFrom('suite_tests as t')
      .innerJoin('team_suites as a', 'a.suiteId', 't.suiteId')
      .innerJoin('teams as m', 'm.id', 'a.teamId')
      .select(['t.id as testId', 'm.id'])
      .where(idIn('t.id', ids))
      .where(sql<boolean>`m.slug = any(t.owners)`)
      .orderBy(sql`array_position(t.owners, m.slug)`)
      .execute();
    const byTest = group(rows, (row) => row.testId);
    return ids.map((id) => (byTest.get(id) ?? []).map((team) => team.id));
  }, 'test owners');

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

  /** The provider's id of the webhook that Slipway created for a pipeline. */
  readonly webhookOfPipeline = this.loader<string, string | null>(async (ids) => {
    const rows = await this.db
      .selectFrom('pipeline_webhooks')
      .select(['pipelineId', 'externalId'])
      .where('pipelineId', 'in', ids)
      .execute();
    const byPipeline = new Map(rows.map((row) => [row.pipelineId, row.externalId]));
    return ids.map((id) => byPipeline.get(id) ?? null);
  });

  /** Columns that are long, beside the rows that lack them. */
  readonly longTexts: LongTexts;

  /** @param textBytes bytes of long texts that may be loaded */
  constructor(
    private readonly db: Db,
    textBytes: number,
  ) {
    this.longTexts = new LongTexts(db, textBytes);
  }

  private byId<T extends ById>(table: T): DataLoader<string, Row<T> | null> {
    return rowLoader(() => this.db, table);
  }

  private outlines(includeRetried: boolean, name: string): DataLoader<string, JobOutline[]> {
    return this.loader<string, JobOutline[]>(async (ids) => {
      const lines = await readLines(this.db, jobOutlineLines(ids, includeRetried));
      return ids.map((id) => readJobOutlines(lines.get(id) ?? ''));
    }, name);
  }

  private jobsOf(includeRetried: boolean): DataLoader<string, JobRow[]> {
    return this.loader<string, JobRow[]>(async (ids) => {
      let query = withVersion(this.db.selectFrom('jobs').selectAll(), 'jobs').where(idIn('build_id', ids));
      if (!includeRetried) query = query.where('retried', '=', false);
      const byBuild = group(await query.orderBy('position').orderBy('id').execute(), (row) => row.buildId);
      return ids.map((id) => byBuild.get(id) ?? []);
    });
  }

  private loader<K, V>(batch: (keys: K[]) => Promise<V[]>, name: string | null = null): DataLoader<K, V> {
    return batchLoader(batch, name);
  }
}
