import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import type { BuildRow } from '../../entities/database.js';
import { parseConfigurationText } from '../../domain/pipelines/steps/configuration.js';
import type { Json, Step } from '../../domain/pipelines/steps/step.js';
import type { FollowedBuild, FollowedJob } from './followed-build.js';
import { type Reply, type ServerAddress, ServerCalls, ServerError } from './server-calls.js';
import type { Snapshot } from './working-tree.js';

export interface ServerBuildOptions extends ServerAddress {
  /** Slug of the pipeline; undefined for one by the names of the folder and the user. */
  pipelineSlug: string | undefined;
  /** Top folder of the working tree, which the pipeline names as its repository. */
  tree: string;
  snapshot: Snapshot;
  /** Makes the pipeline as JSON, with every step in a queue. */
  configurationFor: (queue: string) => string;
  env: Record<string, string>;
}

/** What the token must be allowed to do: the pipeline, its builds and logs, and the queue and token of this machine. */
const scopes = [
  'read_pipelines',
  'write_pipelines',
  'read_builds',
  'write_builds',
  'read_build_logs',
  'read_clusters',
  'write_clusters',
] as const;

/** Marks pipelines whose steps `slipway run` may replace. */
const ownTag = 'slipway-run';
/** Hours after which the token of this machine's agents is worthless, should this program not live to revoke it. */
const tokenHours = 24;
/** Other runs may replace the steps of the pipeline before the build has them. */
const attempts = 3;
const everyMs = 500;

/** A word for a slug or a key: lower-case letters, digits and dashes. */
const slugged = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40) || 'x';

/**
 * Creates a build of the working tree on a running server: in a pipeline that belongs to such builds, with a queue and
 * an agent token for this machine. Throws ServerError, in words for the user, for everything that the server refuses.
 */
export async function startServerBuild(options: ServerBuildOptions): Promise<FollowedBuild> {
  const calls = new ServerCalls(options);
  await calls.requireScopes(scopes);
  const user = slugged(userInfo().username);
  const queue = `run-${user}-${slugged(hostname().split('.')[0] ?? '')}`;
  const pipeline = await ownPipeline(calls, options, user, queue);
  const cluster = String(pipeline['cluster_id'] ?? '');
  if (cluster === '') throw new ServerError(`the pipeline ${pipeline.slug} is in no cluster`, null);
  const queueId = await ensureQueue(calls, cluster, queue);
  const token = await calls.call('POST', `/clusters/${cluster}/tokens`, {
    description: `slipway run of ${user} on ${hostname()}`,
    expires_at: new Date(Date.now() + tokenHours * 3_600_000).toISOString(),
  });
  const close = async (): Promise<void> => {
    // What is left behind is harmless and ends by itself; a server that has gone away must not hide the result.
    await calls.call('DELETE', `/clusters/${cluster}/tokens/${token.id}`).catch(() => undefined);
    await calls.call('DELETE', `/clusters/${cluster}/queues/${queueId}`).catch(() => undefined);
  };
  try {
    const path = `/pipelines/${pipeline.slug}`;
    const configuration = options.configurationFor(queue);
    const build = await createBuild(calls, path, configuration, options);
    return followed({ calls, path: `${path}/builds/${build.number}`, build, configuration, queue, close, token });
  } catch (error) {
    await close();
    throw error;
  }
}

/** Finds or creates the pipeline of such builds. Refuses one that has other steps of its own. */
async function ownPipeline(
  calls: ServerCalls,
  { organization, pipelineSlug, snapshot, tree, configurationFor }: ServerBuildOptions,
  user: string,
  queue: string,
): Promise<Reply> {
  const slug = pipelineSlug ?? `${slugged(snapshot.name)}-run-${user}`;
  try {
    const pipeline = await calls.call('GET', `/pipelines/${encodeURIComponent(slug)}`);
    if ((pipeline.tags as string[] | null)?.includes(ownTag)) return pipeline;
    throw new ServerError(
      `the pipeline ${slug} is not one of slipway run, which would replace its steps: name another, ` +
        `or tag it "${ownTag}"`,
      null,
    );
  } catch (error) {
    if (!(error instanceof ServerError) || error.status !== 404) throw error;
  }
  const create = calls.call('POST', '/pipelines', {
    name: slug,
    repository: tree,
    configuration: configurationFor(queue),
    default_branch: snapshot.defaultBranch,
    description: `Working tree of ${user} on ${hostname()}`,
    tags: [ownTag],
  });
  const created = await create.catch((error: unknown) => {
    if (!(error instanceof ServerError) || error.status !== 404) throw error;
    throw new ServerError(`the organization ${organization} does not exist, or the API token does not see it`, 404);
  });
  if (created.slug !== slug && pipelineSlug !== undefined)
    throw new ServerError(`the pipeline cannot have the slug ${slug}: the server made it ${created.slug}`, null);
  return created;
}

async function ensureQueue(calls: ServerCalls, cluster: string, key: string): Promise<string> {
  const find = async (): Promise<string | undefined> => {
    const queues = (await calls.call('GET', `/clusters/${cluster}/queues?per_page=100`)) as {
      id: string;
      key: string;
    }[];
    return queues.find((each) => each.key === key)?.id;
  };
  const known = await find();
  if (known !== undefined) return known;
  try {
    const { id } = await calls.call('POST', `/clusters/${cluster}/queues`, {
      key,
      description: 'Agents of slipway run on one machine',
    });
    return id as string;
  } catch (error) {
    // Another run on this machine may have been faster.
    const id = await find();
    if (id === undefined) throw error;
    return id;
  }
}

/** Gives the pipeline its steps and builds it, again where another run has replaced the steps in between. */
async function createBuild(
  calls: ServerCalls,
  path: string,
  configuration: string,
  { snapshot, env }: ServerBuildOptions,
): Promise<Reply> {
  const description = `Working tree of ${userInfo().username} on ${hostname()}, run ${randomUUID()}`;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    await calls.call('PATCH', path, { configuration, description });
    const build = await calls.call('POST', `${path}/builds`, {
      commit: snapshot.commit,
      branch: snapshot.branch,
      message: snapshot.message,
      author: snapshot.author,
      env,
      ignore_pipeline_branch_filters: true,
    });
    // Steps and description change together.
    if ((await calls.call('GET', path)).description === description) return build;
    await calls.call('PUT', `${path}/builds/${build.number}/cancel`);
  }
  throw new ServerError('other runs keep replacing the steps of the pipeline: name another by --pipeline-slug', null);
}

interface Followed {
  calls: ServerCalls;
  path: string;
  build: Reply;
  configuration: string;
  queue: string;
  token: Reply;
  close: () => Promise<void>;
}

function followed({ calls, path, build, configuration, queue, token, close }: Followed): FollowedBuild {
  const steps = stepsByName(configuration);
  return {
    endpoint: calls.agentEndpoint,
    agentToken: String(token.token),
    page: typeof build.web_url === 'string' ? build.web_url : null,
    everyMs,
    read: async () => {
      const now = await calls.call('GET', `${path}?include_retried_jobs=true`);
      const jobs = now.jobs as Reply[];
      const state = (now.blocked === true ? 'blocked' : now.state) as BuildRow['state'];
      return { state, jobs: jobs.map((job) => followedJob(job, steps)) };
    },
    readLog: (job, start) => calls.bytes(`${path}/jobs/${job.id}/log.txt`, start),
    // Uploaded steps may name other queues, whose agents take them.
    isOurs: ({ agentQueryRules }) => agentQueryRules.includes(`queue=${queue}`),
    unblock: async (job, fields) => void (await calls.call('PUT', `${path}/jobs/${job.id}/unblock`, { fields })),
    cancel: async () => {
      try {
        await calls.call('PUT', `${path}/cancel`);
      } catch (error) {
        // It has ended meanwhile.
        if (!(error instanceof ServerError) || error.status !== 422) throw error;
      }
    },
    close,
  };
}

const types = { script: 'command', waiter: 'wait', manual: 'block', trigger: 'trigger' } as const;

/** A job of /v2 as the program reads jobs of its own server. */
function followedJob(job: Reply, steps: ReadonlyMap<string, Step>): FollowedJob {
  const label = (job.name ?? job.label ?? null) as string | null;
  const ended = job.state === 'passed' || job.state === 'failed';
  const time = (text: unknown) => (typeof text === 'string' ? new Date(text) : null);
  return {
    id: job.id as string,
    type: types[job.type as keyof typeof types],
    state: ended ? 'finished' : job.state,
    passed: job.state === 'passed',
    softFailed: job.soft_failed === true,
    retried: job.retried === true,
    label: label === '' ? null : label,
    command: (job.command ?? null) as string | null,
    priority: Number(job.priority?.number ?? 0),
    agentQueryRules: (job.agent_query_rules ?? []) as string[],
    exitStatus: (job.exit_status ?? null) as number | null,
    brokenReason: (job.broken_reason ?? null) as string | null,
    parallelGroupIndex: (job.parallel_group_index ?? null) as number | null,
    parallelGroupTotal: (job.parallel_group_total ?? null) as number | null,
    matrix: (job.matrix ?? null) as Json,
    startedAt: time(job.started_at),
    finishedAt: time(job.finished_at),
    definition: steps.get(String(job.step_key)) ??
      steps.get(String(label)) ?? { type: 'block', key: job.step_key ?? null, label, prompt: null, fields: [] },
    logSize: null,
  };
}

/** The steps of the file by key and label: /v2 shows neither the prompt of a block nor its fields. */
function stepsByName(configuration: string): Map<string, Step> {
  const parsed = parseConfigurationText(configuration);
  const all = parsed.ok
    ? parsed.definition.steps.flatMap((step): Step[] => (step.type === 'group' ? [step, ...step.steps] : [step]))
    : [];
  return new Map(
    all.flatMap((step) => [step.label, step.key].flatMap((name): [string, Step][] => (name ? [[name, step]] : []))),
  );
}
