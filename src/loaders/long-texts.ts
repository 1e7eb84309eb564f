import type DataLoader from 'dataloader';
import { sql } from 'kysely';
import { batchLoader, orderByIds } from './batch-loader.js';
import { limits } from '../domain/limits/limits.js';
import { Problem } from '../domain/problem.js';
import type { FailureDetail } from '../domain/suites/results/result.js';
import type { Db, PipelineRow } from '../entities/database.js';

/** Columns of a pipeline that hold its steps. */
export type StoredSteps = Pick<PipelineRow, 'configuration' | 'visualSteps'>;

/**
 * Loaders of columns that are long and that rows of lists lack (`entities/unshown-columns.ts`). Each batch is measured
 * before it is read, and all of a request share one budget: throws `too_large` where it is spent.
 */
export class LongTexts {
  /** Bodies of annotations by id: source text, and rendered HTML. */
  readonly annotationText = this.bodies('body');
  readonly annotationHtml = this.bodies('bodyHtml');

  /** Details of the failures of suite executions. */
  readonly failureDetails = batchLoader<string, FailureDetail[]>(async (ids) => {
    const bytes = sql<string>`coalesce(sum(octet_length(failure_expanded::text)), 0)`.as('bytes');
    const sum = await this.db.selectFrom('suite_executions').select(bytes).where('id', 'in', ids).executeTakeFirst();
    this.take(Number(sum?.bytes ?? 0), 'details of failures; ask for fewer executions at a time, or without them');
    const query = this.db.selectFrom('suite_executions').select(['id', 'failureExpanded']);
    const byId = new Map((await query.where('id', 'in', ids).execute()).map((row) => [row.id, row.failureExpanded]));
    return ids.map((id) => byId.get(id) ?? []);
  });

  /** Payloads of notifications, as JSON; null for one that is no longer stored. */
  readonly notificationPayload = batchLoader<string, string | null>(async (ids) => {
    const bytes = sql<string>`coalesce(sum(octet_length(payload)), 0)`.as('bytes');
    const sum = await this.db.selectFrom('notifications').select(bytes).where('id', 'in', ids).executeTakeFirst();
    this.take(Number(sum?.bytes ?? 0), 'payloads; ask for fewer deliveries at a time, or without them');
    const query = this.db.selectFrom('notifications').select(['id', 'payload']);
    const byId = new Map((await query.where('id', 'in', ids).execute()).map((row) => [row.id, row.payload]));
    return ids.map((id) => byId.get(id) ?? null);
  });

  /** Columns of pipelines that hold their steps; null for a pipeline that is gone. */
  private readonly stepsOfPipeline = batchLoader<string, StoredSteps | null>(async (ids) => {
    const bytes = sql<string>`coalesce(sum(coalesce(octet_length(configuration), 0) +
        coalesce(octet_length(visual_steps::text), 0)), 0)`.as('bytes');
    const sum = await this.db.selectFrom('pipelines').select(bytes).where('id', 'in', ids).executeTakeFirst();
    this.take(Number(sum?.bytes ?? 0), 'steps of pipelines; ask for fewer pipelines at a time');
    const query = this.db.selectFrom('pipelines').select(['id', 'configuration', 'visualSteps']);
    return orderByIds(ids, await query.where('id', 'in', ids).execute());
  });

  /** The steps of a pipeline: those in its row where it is whole, such as the row of a command. */
  async stepsOf(pipeline: { id: string } & Partial<StoredSteps>): Promise<StoredSteps | null> {
    const { id, configuration, visualSteps } = pipeline;
    if (configuration !== undefined && visualSteps !== undefined) return { configuration, visualSteps };
    return this.stepsOfPipeline.load(id);
  }

  private left: number;

  /** @param most bytes of all texts together */
  constructor(
    private readonly db: Db,
    private readonly most: number,
  ) {
    this.left = most;
  }

  private bodies(column: 'body' | 'bodyHtml'): DataLoader<string, string | null> {
    return batchLoader<string, string | null>(async (ids) => {
      const bytes = sql<string>`coalesce(sum(octet_length(coalesce(${sql.ref(column)}, body))), 0)`.as('bytes');
      const sum = await this.db.selectFrom('annotations').select(bytes).where('id', 'in', ids).executeTakeFirst();
      this.take(Number(sum?.bytes ?? 0), 'annotations; ask for fewer, or without their bodies');
      const rows = await this.db
        .selectFrom('annotations')
        .select(['id', `${column} as text`])
        .where('id', 'in', ids)
        .execute();
      const byId = new Map(rows.map((row) => [row.id, row.text]));
      return ids.map((id) => byId.get(id) ?? null);
    });
  }

  private take(bytes: number, advice: string): void {
    this.left -= bytes;
    if (this.left < 0) throw new Problem('too_large', `One reply holds at most ${this.most} bytes of ${advice}`);
  }
}

/** Bytes of long texts in a reply that may hold so many bytes. */
export const longTextBytes = (replyBytes: number): number => Math.min(limits.annotationReplyBytes, replyBytes);
