import { z } from 'zod';
import { hashToken } from '../../../auth/secrets.js';
import type { Context } from '../../../request/context.js';
import { badgeBuildStates, type BadgeStatus, badgeStatus, badgeStatusOfStep } from '../../../domain/pipelines/badge.js';
import { limits } from '../../../domain/limits/limits.js';
import type { JobRow, PipelineRow } from '../../../entities/database.js';
import { webUrls } from '../../../services/web-urls.js';
import { visiblePipeline } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';

const input = z.object({
  /** The pipeline's badge token: the credential of this operation. */
  token: z.string().regex(/^[0-9a-f]{50}$/),
  branch: z.string().max(limits.branchLength).optional(),
  /** Label of a step, with or without its emoji. */
  step: z.string().max(limits.labelLength).optional(),
});

/**
 * Returns the status for a badge: of the last passed or failed build, on any branch or on one, or of the jobs of one of
 * its steps, and the page of the pipeline that the badge links to. The badge token is the credential.
 */
export const readBadge = defineOperation({
  name: 'badge.read',
  summary: 'Returns the status of the last finished build of a pipeline, for a badge.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input,
  subject: async (context, { token }) => {
    const pipeline = await context.db
      .selectFrom('pipelines')
      .selectAll()
      .where('badgeTokenHash', '=', hashToken(token))
      .executeTakeFirst();
    return pipeline ? visiblePipeline(context, pipeline) : null;
  },
  run: async (context, request, { organization, pipeline }): Promise<{ status: BadgeStatus; page: string }> => {
    const page = webUrls.pipeline(context.services.baseUrl, organization.slug, pipeline.slug);
    const build = await lastVerdict(context, pipeline, request.branch);
    if (!build || request.step === undefined) return { status: badgeStatus(build?.state ?? null), page };
    return { status: await statusOfStep(context, build.id, request.step), page };
  },
});

async function lastVerdict(context: Context, pipeline: PipelineRow, branch: string | undefined) {
  let query = context.db
    .selectFrom('builds')
    .select(['id', 'state'])
    .where('pipelineId', '=', pipeline.id)
    .where('state', 'in', [...badgeBuildStates])
    .where('culpritSearchId', 'is', null);
  if (branch !== undefined) query = query.where('branch', '=', branch);
  return query.orderBy('number', 'desc').limit(1).executeTakeFirst();
}

async function statusOfStep(context: Context, buildId: string, step: string): Promise<BadgeStatus> {
  const jobs: Pick<JobRow, 'label' | 'passed' | 'softFailed'>[] = await context.db
    .selectFrom('jobs')
    .select(['label', 'passed', 'softFailed'])
    .where('buildId', '=', buildId)
    .where('retried', '=', false)
    .where('label', 'is not', null)
    .execute();
  const stepLabel = plainLabel(step);
  return badgeStatusOfStep(
    jobs.filter(({ label }) => plainLabel(label ?? '') === stepLabel).map((job) => job.passed || job.softFailed),
  );
}

/** Normalizes a label for comparison: `:name:` emoji may be written with or without colons. */
function plainLabel(label: string): string {
  return label.replace(/:([\w+-]+):/g, '$1').trim();
}
