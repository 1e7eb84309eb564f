import { z } from 'zod';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationSubject } from '../../core/subject.js';
import { type Insight, insightGroups } from '../../domain/builds/insights/insight.js';
import { lastHours } from '../../domain/builds/insights/insight-times.js';
import { text } from '../../domain/input-text.js';
import { limits } from '../../domain/limits/limits.js';
import { Problem } from '../../domain/problem.js';
import { readTimeRange } from '../../domain/time-range.js';
import { findInsightSubjects } from '../../resources/builds/insights/insight-subjects.js';
import { loadInsights } from '../../resources/builds/insights/load-insights.js';

/** GET insights: tells how long builds and jobs took and waited, and how they ended, grouped as the caller wants. */
export const getInsights = defineOperation({
  name: 'organization.insights',
  summary:
    'Tells durations, waits, failures and retries of builds and jobs by pipeline, branch, queue, step, day or hour.',
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
    // In place of both, the last hours that are over.
    hours: z.number().int().min(1).max(limits.insightHours).nullish(),
    // The only ones that are counted, as keys of rows name them.
    pipeline: text(limits.filterLength).nullish(),
    branch: text(limits.filterLength).nullish(),
    queue: text(limits.filterLength).nullish(),
    step: text(limits.filterLength)
      .refine((step) => step.includes('/'), 'must be the slug of a pipeline, a slash and the name of a step')
      .nullish(),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (
    context,
    { by, from, to, hours, ...filters },
    { organization }: OrganizationSubject,
  ): Promise<Insight[]> => {
    if (hours && (from || to)) throw new Problem('invalid', 'hours takes the place of from and to');
    const range = hours
      ? lastHours(hours, context.now)
      : readTimeRange({ from, to, mostDays: limits.insightRangeDays }, context.now);
    const subjects = await findInsightSubjects(context, organization, filters);
    return subjects ? loadInsights(context, { ...subjects, organizationId: organization.id, by, ...range }) : [];
  },
});
