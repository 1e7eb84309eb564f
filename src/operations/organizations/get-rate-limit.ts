import { z } from 'zod';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationSubject } from '../../core/subject.js';
import { readRateLimit, type RateLimitState } from '../../resources/installation/rate-limits/read-rate-limit.js';

/** Returns how many requests an organization has made on /v2 in this minute, over all replicas, and how many it may make. */
export const getRateLimit = defineOperation({
  name: 'organization.rate-limit',
  summary: 'Returns the rate limit of an organization and how much of it is used.',
  kind: 'query',
  scope: 'read_organizations',
  access: 'member',
  input: z.object({ organization: organizationAddress }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, _input, { organization }: OrganizationSubject): Promise<RateLimitState> =>
    readRateLimit(context, organization.id),
});
