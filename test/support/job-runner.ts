import { inTransaction } from '../../src/database/transaction.js';
import type { JobRow } from '../../src/entities/database.js';
import { finishTransaction } from '../../src/core/finish-transaction.js';
import { advanceBuild } from '../../src/engine/builds/advance-build.js';
import { endJob } from '../../src/engine/builds/end-job.js';
import { moveJob } from '../../src/engine/state/jobs.js';
import type { World } from './world.js';

/**
 * Plays the agents' part without agents: starts and ends scheduled jobs under their build's lock, as the real verbs do.
 */
export class JobRunner {
  constructor(private readonly world: World) {}

  jobs(buildId: string): Promise<JobRow[]> {
    return this.world.services.db
      .selectFrom('jobs')
      .selectAll()
      .where('buildId', '=', buildId)
      .orderBy('position')
      .orderBy('id')
      .execute();
  }

  /** States of a build's jobs in pipeline order, retried ones in brackets. */
  async states(buildId: string): Promise<string[]> {
    return (await this.jobs(buildId)).map((job) => (job.retried ? `(${job.state})` : job.state));
  }

  async start(jobId: string): Promise<void> {
    await this.underLock(jobId, async (context, build, job) => {
      if (job.state !== 'scheduled') throw new Error(`the job is ${job.state}`);
      const acquired = await moveJob(context, job, 'acquire', { reason: 'acquired' });
      if (acquired.kind === 'moved') await moveJob(context, acquired.job, 'start', { reason: 'started' });
      await advanceBuild(context, build, { reason: 'started' });
    });
  }

  /** Ends a running job with an exit status. */
  async finish(jobId: string, exitStatus: number): Promise<void> {
    await this.underLock(jobId, async (context, build, job) => {
      await endJob(context, build, job, { event: exitStatus === 0 ? 'pass' : 'fail', exitStatus, reason: 'agent' });
    });
  }

  async run(jobId: string, exitStatus = 0): Promise<void> {
    await this.start(jobId);
    await this.finish(jobId, exitStatus);
  }

  /** Runs scheduled jobs of a build until none is left, with the exit status of each command. */
  async runAll(buildId: string, exitStatus: (job: JobRow) => number = () => 0): Promise<void> {
    for (let left = 100; left > 0; left -= 1) {
      const next = (await this.jobs(buildId)).find((job) => job.type === 'command' && job.state === 'scheduled');
      if (!next) return;
      await this.run(next.id, exitStatus(next));
    }
    throw new Error('the build never comes to rest');
  }

  private async underLock(
    jobId: string,
    work: (
      context: ReturnType<World['system']>,
      build: Awaited<ReturnType<typeof readBuild>>,
      job: JobRow,
    ) => Promise<void>,
  ): Promise<void> {
    await inTransaction(this.world.services.db, 'test.job-runner', async (trx) => {
      const context = this.world.system().withDb(trx);
      const build = await readBuild(context, jobId);
      const job = await trx.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow();
      await work(context, build, job);
      await finishTransaction(context);
    });
  }
}

async function readBuild(context: ReturnType<World['system']>, jobId: string) {
  const { buildId } = await context.db
    .selectFrom('jobs')
    .select('buildId')
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow();
  return context.db.selectFrom('builds').selectAll().where('id', '=', buildId).forUpdate().executeTakeFirstOrThrow();
}
