import { v7 } from 'uuid';
import { newToken, tokenPrefixes } from '../../auth/secrets.js';
import { readConfig } from '../../server/config.js';
import { Context } from '../../request/context.js';
import { perform } from '../../core/operation.js';
import type { JobRow } from '../../entities/database.js';
import { cancelBuild } from '../../operations/builds/cancel.js';
import { createSecret } from '../../operations/agents/secrets/create.js';
import { createBuild } from '../../operations/builds/create.js';
import { unblockJob } from '../../operations/builds/jobs/unblock.js';
import { applyPlan } from '../../operations/installation/provisioning/apply.js';
import { createPipeline } from '../../operations/pipelines/create.js';
import { logStore, logView } from '../../resources/builds/logs/log-store.js';
import { startServer } from '../../server/server.js';
import type { Logger } from '../../services/services.js';
import { readLog } from '../../storage/logs/read-log.js';
import type { FollowedBuild } from './followed-build.js';
import type { Snapshot } from './working-tree.js';

const organization = 'local';
const cluster = 'This machine';

export interface LocalBuildOptions {
  /** Holds everything that the server writes. */
  folder: string;
  snapshot: Snapshot;
  /** The pipeline as JSON. */
  configuration: string;
  env: Record<string, string>;
  secrets: Record<string, string>;
  log: Logger;
}

const everyMs = 150;

type LocalJob = JobRow & { definition: unknown };

/** Starts a server in memory and creates the pipeline and its build. */
export async function startLocalBuild(options: LocalBuildOptions): Promise<FollowedBuild> {
  const { folder, snapshot, log } = options;
  const config = readConfig({
    PORT: '0',
    DATA_DIR: folder,
    METRICS: 'off',
    DISK_RESERVE: '0',
    DRAIN_DELAY: '0',
    RATE_LIMIT_ORGANIZATION: '0',
    RATE_LIMIT_USER: '0',
  });
  const server = await startServer(config, { log, ephemeral: true });
  try {
    const { services } = server;
    const context = () =>
      new Context(services, {
        actor: { kind: 'system', cause: 'slipway run' },
        surface: 'system',
        requestId: v7(),
      });
    const agentToken = newToken(tokenPrefixes.agentRegistration);
    await perform(applyPlan, context(), plan(agentToken));
    const { pipeline } = await perform(createPipeline, context(), {
      organization: { slug: organization },
      name: /[a-z0-9]/i.test(snapshot.name) ? snapshot.name.slice(0, 90) : 'repository',
      repository: snapshot.repository,
      configuration: options.configuration,
      defaultBranch: snapshot.defaultBranch,
    });
    const { clusterId } = pipeline;
    if (clusterId !== null)
      for (const [key, value] of Object.entries(options.secrets))
        await perform(createSecret, context(), { cluster: { id: clusterId }, key, value });
    const { build } = await perform(createBuild, context(), {
      pipeline: { id: pipeline.id },
      commit: snapshot.commit,
      branch: snapshot.branch,
      message: snapshot.message,
      author: snapshot.author,
      // Agents know the number when they upload a pipeline; here its variables are replaced before there is a job.
      env: { BUILDKITE_BUILD_NUMBER: '1', ...options.env },
    });
    return {
      endpoint: `${server.url}/v3`,
      agentToken,
      page: null,
      everyMs,
      isOurs: () => true,
      read: async () => {
        const rows = await services.db
          .selectFrom('jobs as j')
          .innerJoin('steps as s', 's.id', 'j.stepId')
          .selectAll('j')
          .select('s.definition')
          .where('j.buildId', '=', build.id)
          .orderBy('s.position')
          .orderBy('j.position')
          .orderBy('j.id')
          .execute();
        const current = await services.db
          .selectFrom('builds')
          .selectAll()
          .where('id', '=', build.id)
          .executeTakeFirstOrThrow();
        return { state: current.state, jobs: rows as LocalJob[] };
      },
      readLog: (job, start) =>
        readLog(logStore(services, pipeline.organizationId), logView(job as LocalJob), { start }),
      unblock: async (job, fields) => void (await perform(unblockJob, context(), { job: { id: job.id }, fields })),
      cancel: async () => void (await perform(cancelBuild, context(), { build: { id: build.id } })),
      close: () => server.close(),
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

function plan(agentToken: string) {
  return {
    organizations: [
      {
        slug: organization,
        name: 'Local',
        defaultCluster: cluster,
        clusters: [
          {
            name: cluster,
            queues: [{ key: 'default' }],
            defaultQueue: 'default',
            agentTokens: [{ description: 'slipway run', token: agentToken }],
          },
        ],
      },
    ],
  };
}
