import { z } from 'zod';
import type { Context } from '../../context.js';
import { badgeBuildStates, type BadgeStatus, badgeStatus, badgeStatusOfStep } from '../../domain/badge.js';
import { limits } from '../../domain/limits.js';
import type { JobRow, PipelineRow } from '../../entities/database.js';
import { visiblePipeline } from '../find.js';
import { defineOperation } from '../operation.js';

const input = z.object({
  /** The pipeline's badge token: the credential of this operation. */
  token: z.string().regex(/^[0-9a-f]{50}$/),
  branch: z.string().max(limits.branchLength).optional(),
  /** Label of a step, emoji written out or left away. */
  step: z.string().max(limits.labelLength).optional(),
});

/**
 * The status a badge shows: of the last build that ended with a verdict, on any branch or one, or of the jobs of one
 * of its steps (rest-facts 8.6). Whoever holds the token may ask.
 */
export const readBadge = defineOperation({
  name: 'badge.read',
  summary: 'Status of the last finished build of a pipeline, for a badge.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input,
  subject: async (context, { token }) => {
    const pipeline = await context.db.selectFrom('pipelines').selectAll().where('badgeToken', '=', token).executeTakeFirst();
    return pipeline ? visiblePipeline(context, pipeline) : null;
  },
  run: async (context, asked, { pipeline }): Promise<{ status: BadgeStatus }> => {
    const build = await lastVerdict(context, pipeline, asked.branch);
    if (!build || asked.step === undefined) return { status: badgeStatus(build?.state ?? null) };
    return { status: await statusOfStep(context, build.id, asked.step) };
  },
});

async function lastVerdict(context: Context, pipeline: PipelineRow, branch: string | undefined) {
  let query = context.db.selectFrom('builds').select(['id', 'state']).where('pipelineId', '=', pipeline.id).where('state', 'in', [...badgeBuildStates]);
  if (branch !== undefined) query = query.where('branch', '=', branch);
  return query.orderBy('id', 'desc').limit(1).executeTakeFirst();
}

async function statusOfStep(context: Context, buildId: string, step: string): Promise<BadgeStatus> {
  const jobs: Pick<JobRow, 'label' | 'passed' | 'softFailed'>[] = await context.db
    .selectFrom('jobs')
    .select(['label', 'passed', 'softFailed'])
    .where('buildId', '=', buildId)
    .where('retried', '=', false)
    .where('label', 'is not', null)
    .execute();
  const wanted = plainLabel(step);
  return badgeStatusOfStep(jobs.filter(({ label }) => plainLabel(label ?? '') === wanted).map((job) => job.passed || job.softFailed));
}

/** A label for comparing: `:name:` emoji may be written with or without their colons. */
function plainLabel(label: string): string {
  return label.replace(/:([\w+-]+):/g, '$1').trim();
}
