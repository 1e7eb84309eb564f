import { z } from 'zod';
import { organizationAddress } from '../../core/address.js';
import { findOrganization, findPipeline } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationSubject } from '../../core/subject.js';
import { type Insight, insightGroups } from '../../domain/builds/insights/insight.js';
import { text } from '../../domain/input-text.js';
import { limits } from '../../domain/limits/limits.js';
import { readTimeRange } from '../../domain/time-range.js';
import { loadInsights } from '../../resources/builds/insights/load-insights.js';

/** GET insights: tells how long builds and jobs took and waited, and how they ended, grouped as the caller wants. */
export const getInsights = defineOperation({
  name: 'organization.insights',
  summary: 'Tells durations, waits, failures and retries of builds and jobs by pipeline, branch, queue or step.',
  kind: 'query',
  mayLag: true,
  scope: 'read_builds',
  access: 'visible',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    by: z.enum(insightGroups).default('pipeline'),
    from: z.date().nullish(),
    to: z.date().nullish(),
    /** Slug of the only pipeline. */
    pipeline: text(limits.filterLength).nullish(),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, { by, pipeline, ...times }, { organization }: OrganizationSubject): Promise<Insight[]> => {
    const range = readTimeRange(times, context.now);
    const only = pipeline ? await findPipeline(context, { organization: organization.slug, slug: pipeline }) : null;
    if (pipeline && !only) return [];
    const pipelineId = only?.pipeline.id ?? null;
    return loadInsights(context, { organizationId: organization.id, pipelineId, by, ...range });
  },
});
