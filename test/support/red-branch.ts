import type { BuildRow, CulpritBuildRow, CulpritSearchRow, JobRow, PipelineRow } from '../../src/entities/database.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { JobRunner } from './job-runner.js';
import { runUntilIdle } from './run-until-idle.js';
import type { World } from './world.js';

/** SHA of a commit by its place on the branch. */
export const shaOf = (position: number) => String(position).padStart(40, 'c');

/** Place of a commit on the branch by its SHA. */
export const positionOf = (commit: string) => Number(commit.replace(/^c+/, ''));

/** A pipeline whose branch `main` turned red at one of its commits. */
export class RedBranch {
  readonly runner: JobRunner;

  private constructor(
    readonly world: World,
    readonly pipeline: PipelineRow,
  ) {
    this.runner = new JobRunner(world);
  }

  static async of(world: World, steps: string, fields: Parameters<World['pipeline']>[1] = {}): Promise<RedBranch> {
    return new RedBranch(world, await world.pipeline(steps, fields));
  }

  /** Builds a commit, and ends its jobs with these statuses by their label; 0 for others. */
  async build(position: number, statuses: Record<string, number> = {}, fields: object = {}): Promise<BuildRow> {
    const { build } = await this.world.perform(this.world.admin, createBuild, {
      pipeline: { id: this.pipeline.id },
      commit: shaOf(position),
      branch: 'main',
      ...fields,
    });
    await this.runner.runAll(build.id, (job) => statuses[job.label ?? ''] ?? 0);
    return this.read(build.id);
  }

  read(id: string): Promise<BuildRow> {
    return this.world.services.db.selectFrom('builds').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  }

  search(id: string): Promise<CulpritSearchRow> {
    const { db } = this.world.services;
    return db.selectFrom('culprit_searches').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  }

  tests(id: string): Promise<CulpritBuildRow[]> {
    const { db } = this.world.services;
    return db
      .selectFrom('culprit_builds')
      .selectAll()
      .where('searchId', '=', id)
      .orderBy('createdAt')
      .orderBy('position')
      .execute();
  }

  idle(): Promise<void> {
    return runUntilIdle(this.world.services);
  }

  /**
   * Runs the builds of a search, one after another, until it has ended; `statusOf` is the exit status of a job at a
   * commit. Returns the search, and the positions that were built at a time.
   */
  async runSearch(
    id: string,
    statusOf: (position: number, job: JobRow) => number,
  ): Promise<{ search: CulpritSearchRow; together: number[][] }> {
    const together: number[][] = [];
    for (let left = 200; left > 0; left -= 1) {
      await this.idle();
      const search = await this.search(id);
      if (search.nextLookAt === null) return { search, together };
      const open = (await this.tests(id)).filter(({ verdict }) => verdict === null);
      together.push(open.map(({ position }) => position));
      for (const { buildId, position } of open) {
        const { commit } = await this.read(buildId);
        if (commit !== search.commits[position - 1]) throw new Error('a build is of another commit');
        await this.runner.runAll(buildId, (job) => statusOf(positionOf(commit), job));
      }
    }
    throw new Error('the search does not end');
  }
}
