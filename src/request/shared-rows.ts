import type { RowChange } from '../database/write-statement.js';
import type { AgentRow, BuildRow, JobRow, StepRow } from '../entities/database.js';

/** Steps and jobs of a build; of both at least what scheduling looks at. */
export interface LockedParts<Job = Pick<JobRow, 'id'>> {
  steps: Pick<StepRow, 'id'>[];
  jobs: Job[];
}

/** A command cannot share its transaction with others: the shared one is rolled back, and each command runs alone. */
export class SharedTransactionError extends Error {
  constructor() {
    super('this command cannot share its transaction with others');
  }
}

/**
 * Rows that were read for several operations of one moment. For commands they are locked, in the one transaction that
 * carries all of them out, and each command finds them as the ones before it are going to write them.
 */
export class SharedRows {
  private readonly jobs = new Map<string, { job: JobRow; agent: AgentRow | null }>();
  private readonly builds = new Map<string, BuildRow>();
  private readonly parts = new Map<string, LockedParts>();
  private readonly beside = new Map<string, unknown>();

  addJob(job: JobRow, build: BuildRow, agent: AgentRow | null): void {
    this.jobs.set(job.id, { job, agent });
    this.builds.set(build.id, build);
  }

  addParts(buildId: string, parts: LockedParts): void {
    this.parts.set(buildId, parts);
  }

  /** Keeps what else was read for an operation, by what it is about. */
  addBeside(about: string, value: unknown): void {
    this.beside.set(about, value);
  }

  /** A job with its build, and the agent that held it when the job was locked; null for one that is not locked. */
  job(id: string): { job: JobRow; build: BuildRow; agent: AgentRow | null } | null {
    const entry = this.jobs.get(id.toLowerCase());
    const build = entry && this.builds.get(entry.job.buildId);
    return build ? { ...entry, build } : null;
  }

  /** Null for a build whose parts were not loaded. */
  partsOf(buildId: string): LockedParts | null {
    return this.parts.get(buildId) ?? null;
  }

  besides(about: string): unknown {
    return this.beside.get(about);
  }

  /** Applies the changes that a command will write, so that later commands find the rows as they will be. */
  apply(changes: readonly RowChange[]): void {
    for (const { table, ids, set } of changes) {
      if (table === 'agents') continue;
      const values = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
      for (const id of ids) {
        if (table === 'builds') {
          const build = this.builds.get(id);
          if (build) this.builds.set(id, { ...build, ...values } as BuildRow);
          continue;
        }
        const known = this.jobs.get(id);
        if (known) this.jobs.set(id, { ...known, job: { ...known.job, ...values } as JobRow });
        for (const [buildId, { steps, jobs }] of this.parts) {
          const index = jobs.findIndex((job) => job.id === id);
          if (index < 0) continue;
          const changed = jobs.map((job, place) => (place === index ? { ...job, ...values } : job));
          this.parts.set(buildId, { steps, jobs: changed });
          break;
        }
      }
    }
  }
}
