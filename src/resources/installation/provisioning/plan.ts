import { z } from 'zod';
import { agentHourPrice } from '../../../domain/agents/agent-hour-price.js';
import { limits } from '../../../domain/limits/limits.js';
import { buildExport } from '../../../domain/retention/build-export.js';
import { organizationRetention } from '../../../domain/retention/policy.js';
import { isReservedSlug, organizationSlug } from '../../../domain/organizations/organization-slug.js';
import {
  plannedConnection,
  plannedPipeline,
  plannedRule,
  plannedSecret,
  plannedService,
  plannedTemplate,
} from './plan-declared.js';
import { canonicalScope, heldScopes, scopes } from '../../../domain/organizations/scopes.js';

const text = (longest: number) =>
  z.string().trim().min(1, 'must not be empty').max(longest, `must be at most ${longest} characters`);
const id = z
  .guid('must be a UUID')
  .transform((value) => value.toLowerCase())
  .optional();
const slug = text(limits.slugLength).regex(organizationSlug, 'must be letters, digits and hyphens');
const email = z
  .string()
  .max(limits.personLength)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address');
const description = text(limits.descriptionLength);
const secret = z
  .string()
  .regex(/^\S+$/, 'must not be empty or hold white space')
  .max(255, 'must be at most 255 characters');
const listOf = <T extends z.ZodType>(item: T) => z.array(item).default([]);

const user = z.strictObject({
  email,
  name: text(limits.nameLength),
  id,
  password: z
    .string()
    .min(1, 'must not be empty')
    .max(limits.passwordLength, `must be at most ${limits.passwordLength} characters`)
    .optional(),
});

const member = z.strictObject({ user: email, role: z.enum(['admin', 'member'], 'must be admin or member') });

const queue = z.strictObject({
  key: slug,
  id,
  description: description.optional(),
  pricePerAgentHour: agentHourPrice.optional(),
});
const agentToken = z.strictObject({ description, token: secret });

const cluster = z.strictObject({
  name: text(limits.nameLength),
  id,
  description: description.optional(),
  queues: listOf(queue),
  defaultQueue: slug.optional(),
  agentTokens: listOf(agentToken),
});

const team = z.strictObject({
  slug,
  name: text(limits.nameLength),
  id,
  members: listOf(
    z.strictObject({ user: email, role: z.enum(['maintainer', 'member'], 'must be maintainer or member') }),
  ),
  pipelines: listOf(
    z.strictObject({
      slug,
      accessLevel: z.enum(
        ['read_only', 'build_and_read', 'manage_build_and_read'],
        'must be read_only, build_and_read or manage_build_and_read',
      ),
    }),
  ),
});

const suite = z.strictObject({
  slug,
  name: text(limits.nameLength),
  id,
  defaultBranch: text(limits.branchLength),
  token: secret,
});

/** Who may join by single sign-on: people whose provider verified an email address of one of these domains. */
const sso = z.strictObject({
  domains: z
    .array(
      text(limits.personLength)
        .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'must be a domain, such as example.com')
        .transform((domain) => domain.toLowerCase()),
    )
    .max(limits.ssoDomains, `must be at most ${limits.ssoDomains} domains`),
  role: z.enum(['admin', 'member'], 'must be admin or member').default('member'),
});

const organization = z.strictObject({
  slug: slug.refine((value) => !isReservedSlug(value), 'is reserved for the service itself'),
  name: text(limits.nameLength),
  id,
  plan: z.enum(['standard', 'enterprise'], 'must be standard or enterprise').optional(),
  teamsEnabled: z.boolean().optional(),
  defaultCluster: text(limits.nameLength).optional(),
  retention: organizationRetention.optional(),
  buildExport: buildExport.optional(),
  sso: sso.optional(),
  members: listOf(member),
  clusters: listOf(cluster),
  teams: listOf(team),
  suites: listOf(suite),
  templates: listOf(plannedTemplate),
  pipelines: listOf(plannedPipeline),
  rules: listOf(plannedRule),
  secrets: listOf(plannedSecret),
  notificationServices: listOf(plannedService),
  providerConnections: listOf(plannedConnection),
});

const scope = z.string().transform((word, context): string => {
  if (canonicalScope(word)) return word;
  context.addIssue({ code: 'custom', message: `there is no scope ${word}` });
  return z.NEVER;
});

/** ISO 8601; without a zone it is UTC, a bare date is its first moment. */
const time = z.string().transform((value, context): Date => {
  const date = z.iso.date().safeParse(value).success;
  const local = z.iso.datetime({ local: true }).safeParse(value).success && !value.endsWith('Z');
  if (date || local || z.iso.datetime({ offset: true }).safeParse(value).success)
    return new Date(local ? `${value}Z` : value);
  context.addIssue({ code: 'custom', message: 'must be an ISO 8601 time, such as 2030-01-31T12:00:00Z' });
  return z.NEVER;
});

/** `all`, or a list; the message of anything else names both. */
const allOr = <T extends z.ZodType>(list: T) => z.union([z.literal('all'), list]);

const apiToken = z.strictObject({
  user: email,
  description,
  token: secret.min(20, 'must be at least 20 characters'),
  scopes: allOr(z.array(scope)).transform((document): string[] =>
    document === 'all' ? [...scopes] : heldScopes(document),
  ),
  organizations: allOr(z.array(slug).min(1, 'must name at least one organization')),
  expiresAt: time.optional(),
});

/** The plan: the provisioning file in camelCase. Absent fields keep the stored value; a new row gets the default. */
export const provisioningPlan = z.strictObject({
  users: listOf(user),
  organizations: listOf(organization),
  apiTokens: listOf(apiToken),
});

export type ProvisioningPlan = z.output<typeof provisioningPlan>;
export type PlannedOrganization = ProvisioningPlan['organizations'][number];
export type PlannedSso = z.output<typeof sso>;
export type PlannedCluster = PlannedOrganization['clusters'][number];
export type PlannedTeam = PlannedOrganization['teams'][number];
export type PlannedApiToken = ProvisioningPlan['apiTokens'][number];
