import { z } from 'zod';
import { organizationAddress } from '../../core/address.js';
import { findOrganization } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { OrganizationSubject } from '../../core/subject.js';
import {
  PointBudgets,
  type PointsLeft,
  pointsWindowSeconds,
} from '../../resources/installation/rate-limits/point-budgets.js';
import {
  rateLimitWindowMs,
  requestsInWindow,
  windowEndOf,
} from '../../resources/installation/rate-limits/requests-in-window.js';

/** A budget of calls. */
export interface RateLimit {
  /** `rest`: requests to /v2; `graphql`: points of complexity. */
  api: 'rest' | 'graphql';
  /** Who shares it: everybody in the organization, or the calls of one person. */
  sharedBy: 'organization' | 'user';
  /** Requests or points of a window; null without a limit. */
  limit: number | null;
  /** Seconds of a window. */
  windowSeconds: number;
  /**
   * Requests that replicas have reserved in this window, and points that they have told of, both in steps of a
   * hundredth of the limit. Null without a limit.
   */
  used: number | null;
}

export interface RateLimits {
  limits: RateLimit[];
  /** End of the window that requests to /v2 are counted in. */
  requestWindowEnd: Date;
  /** End of the window that points are counted in. */
  pointsWindowEnd: Date;
}

/**
 * Returns the rate limits of an organization and of the caller, with what is used of those that all replicas count
 * together.
 */
export const getRateLimits = defineOperation({
  name: 'organization.rate-limit',
  summary: 'Returns the rate limits of an organization and of the caller, and how much of them is used.',
  kind: 'query',
  scope: 'read_organizations',
  access: 'member',
  input: z.object({ organization: organizationAddress }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, _input, { organization }: OrganizationSubject): Promise<RateLimits> => {
    const { limits } = context.services;
    const userId = context.userId;
    const used = await requestsInWindow(context, [organization.id, ...(userId === null ? [] : [userId])]);
    const rest = (sharedBy: RateLimit['sharedBy'], limit: number, subjectId: string | null): RateLimit => ({
      api: 'rest',
      sharedBy,
      limit: limit || null,
      windowSeconds: rateLimitWindowMs / 1000,
      used: limit ? Math.min(limit, used.get(subjectId ?? '') ?? 0) : null,
    });
    const points = await PointBudgets.of(context.services).ask({ userId, organizationId: organization.id });
    const graphql = (sharedBy: RateLimit['sharedBy'], left: PointsLeft | null): RateLimit => ({
      api: 'graphql',
      sharedBy,
      limit: left?.limit ?? null,
      windowSeconds: pointsWindowSeconds,
      used: left && left.limit - left.remaining,
    });
    const secondsOfPoints = points.organization?.reset ?? pointsWindowSeconds;
    return {
      limits: [
        rest('organization', limits.requestsPerMinuteOrganization, organization.id),
        rest('user', limits.requestsPerMinuteUser, userId),
        graphql('organization', points.organization),
        graphql('user', points.user),
      ],
      requestWindowEnd: windowEndOf(context.now),
      pointsWindowEnd: new Date(context.now.getTime() + secondsOfPoints * 1000),
    };
  },
});
