import { sql } from 'kysely';
import { compiled } from '../database/compiled.js';
import { rowAs } from '../database/row-conversion.js';
import { limits } from '../domain/limits/limits.js';
import type { Scope } from '../domain/organizations/scopes.js';
import { Problem } from '../domain/problem.js';
import type { AgentRow, Db } from '../entities/database.js';
import type { AgentActor, OrganizationRole, RegistrationActor, SuiteActor, UserActor } from './actor.js';
import { addressIsAllowed } from './address-list.js';
import { readJobToken } from './job-token.js';
import type { SecretKeys } from './secret-keys.js';
import { hashToken, tokenPrefixes } from './secrets.js';

export const unauthenticatedMessage = 'Authentication required. Please supply a valid API Access Token';

const unauthenticated = (message: string) => new Problem('unauthenticated', message);

interface Facts {
  db: Db;
  now: Date;
}

interface UserFacts extends Facts {
  /** Address of the caller; null if it is not known. */
  ipAddress: string | null;
}

/**
 * The user behind `Authorization: Bearer <API token>`, with one statement. An organization that does not take API
 * tokens from the caller's address is like one that the token has no access to. Throws `unauthenticated` alike for no,
 * malformed, unknown, revoked and expired tokens.
 */
export async function authenticateUser(
  { db, now, ipAddress }: UserFacts,
  header: string | undefined,
): Promise<UserActor> {
  const token = /^Bearer +(\S{1,512})$/i.exec(header ?? '')?.[1];
  if (!token) throw unauthenticated(unauthenticatedMessage);
  const [row] = await tokenByHash(db, { hash: hashToken(token), now });
  if (!row) throw unauthenticated(unauthenticatedMessage);
  const refused = (row.allowedAddresses ?? []).filter(([, allowed]) => !addressIsAllowed(allowed, ipAddress));
  const closed = new Set([...(row.takenBack ?? []), ...refused.map(([id]) => id)]);
  return {
    kind: 'user',
    userId: row.userId,
    apiTokenId: row.id,
    sessionId: null,
    scopes: new Set(row.scopes),
    organizations: row.allOrganizations ? 'all' : new Set(row.organizations?.filter((id) => !closed.has(id))),
    // In an organization that is closed to it, the token may see only public resources.
    roles: new Map(row.roles?.filter(([id]) => !closed.has(id))),
    wroteLately: row.wroteLately,
  };
}

interface TokenRow {
  id: string;
  userId: string;
  scopes: Scope[];
  allOrganizations: boolean;
  wroteLately: boolean;
  roles: [string, OrganizationRole][] | null;
  organizations: string[] | null;
  takenBack: string[] | null;
  /** The organizations of the user that name addresses, each with them. */
  allowedAddresses: [string, string][] | null;
}

/** By the clock of the database, which all processes note changes by. */
const wroteLately = sql<boolean>`coalesce(
  t.wrote_at > now() - make_interval(secs => ${sql.lit(limits.ownWritesMs / 1000)}), false)`;

const tokenByHash = compiled<{ hash: string; now: Date }, TokenRow>('api-token.by-hash', (db, { hash, now }) =>
  db
    .selectFrom('api_tokens as t')
    .select(['t.id', 't.userId', 't.scopes', 't.allOrganizations'])
    .select(wroteLately.as('wroteLately'))
    .select(
      sql`(select json_agg(json_build_array(m.organization_id, m.role)) from organization_members m where
        m.user_id = t.user_id)`.as('roles'),
    )
    .select(
      sql`(select json_agg(o.organization_id) from api_token_organizations o where o.api_token_id = t.id)`.as(
        'organizations',
      ),
    )
    .select(
      sql`(select json_agg(r.organization_id) from api_token_revocations r where r.api_token_id = t.id)`.as(
        'takenBack',
      ),
    )
    .select(
      sql`(select json_agg(json_build_array(o.id, o.allowed_api_ip_addresses)) from organization_members m join
        organizations o on o.id = m.organization_id where m.user_id = t.user_id and o.allowed_api_ip_addresses is
          not null)`.as('allowedAddresses'),
    )
    .where('t.tokenHash', '=', hash)
    .where('t.revokedAt', 'is', null)
    .where((eb) => eb.or([eb('t.expiresAt', 'is', null), eb('t.expiresAt', '>', now)])),
);

/**
 * Returns the caller behind `Authorization: Token <…>` of the agent protocol: a registration, session or job token.
 * Throws `unauthenticated` for any other.
 */
export async function authenticateAgent(
  facts: Facts,
  secretKey: SecretKeys,
  header: string | undefined,
): Promise<AgentActor | RegistrationActor> {
  const token = /^Token +(\S{1,512})$/i.exec(header ?? '')?.[1];
  if (!token) throw unauthenticated('Authentication required. Please supply an agent token');
  const actor = token.startsWith(tokenPrefixes.job)
    ? await jobActor(facts, secretKey, token)
    : ((await sessionActor(facts, token)) ?? (await registrationActor(facts, token)));
  if (!actor) throw unauthenticated('The agent token is not valid');
  return actor;
}

const agentOfJob = compiled<{ jobId: string; attempt: number }, { agent: AgentRow }>(
  'agent-of-job',
  (db, { jobId, attempt }) =>
    db
      .selectFrom('jobs as j')
      .innerJoin('agents as a', 'a.id', 'j.agentId')
      .innerJoin('pipelines as p', 'p.id', 'j.pipelineId')
      .select(rowAs('agents', 'a', 'agent'))
      .where('j.id', '=', jobId)
      .where('j.attempt', '=', attempt),
);

const agentOfSession = compiled<{ tokenHash: string }, { agent: AgentRow }>('agent-of-session', (db, { tokenHash }) =>
  db
    .selectFrom('agents as a')
    .select(rowAs('agents', 'a', 'agent'))
    .where('a.sessionTokenHash', '=', tokenHash),
);

async function jobActor({ db }: Facts, secretKey: SecretKeys, token: string): Promise<AgentActor | null> {
  const claim = readJobToken(secretKey, token);
  if (!claim) return null;
  const [row] = await agentOfJob(db, claim);
  return row ? { kind: 'agent', agent: row.agent, job: { id: claim.jobId, attempt: claim.attempt } } : null;
}

async function sessionActor({ db }: Facts, token: string): Promise<AgentActor | null> {
  const [row] = await agentOfSession(db, { tokenHash: hashToken(token) });
  return row ? { kind: 'agent', agent: row.agent, job: null } : null;
}

async function registrationActor({ db, now }: Facts, token: string): Promise<RegistrationActor | null> {
  const row = await db
    .selectFrom('agent_tokens')
    .select(['id', 'organizationId', 'clusterId'])
    .where('tokenHash', '=', hashToken(token))
    .where('revokedAt', 'is', null)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .executeTakeFirst();
  return row
    ? { kind: 'registration', agentTokenId: row.id, organizationId: row.organizationId, clusterId: row.clusterId }
    : null;
}

/**
 * The suite behind `Authorization: Token token="…"`, which some clients send without quotes or without the name
 *. Throws `unauthenticated` for anything else.
 */
export async function authenticateSuite({ db }: Pick<Facts, 'db'>, header: string | undefined): Promise<SuiteActor> {
  const token = /^Token +(?:token=)?("?)([^\s"]{1,512})\1 *$/i.exec(header ?? '')?.[2];
  const row =
    token &&
    (await db
      .selectFrom('suites')
      .select(['id', 'organizationId'])
      .where('tokenHash', '=', hashToken(token))
      .executeTakeFirst());
  if (!row) throw unauthenticated('Authentication required. Please supply a valid test suite token');
  return { kind: 'suite', suiteId: row.id, organizationId: row.organizationId };
}
