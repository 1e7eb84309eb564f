import { sql } from 'kysely';
import type { CredentialUse } from '../../auth/credential-uses.js';
import type { Services } from '../../services/services.js';

const atOnce = 1_000;

/** Writes the last uses of API tokens and sessions that this process noted. Returns the number of credentials. */
export async function writeCredentialUses({ db, credentialUses }: Services): Promise<number> {
  const tokens = [...(credentialUses?.take('api_token') ?? [])];
  const sessions = [...(credentialUses?.take('session') ?? [])];
  for (let start = 0; start < tokens.length; start += atOnce) {
    // The uses of other replicas may be later, and rows that are locked, as while a token is revoked, are not waited
    // for.
    await sql`
      with locked as (
        select t.id from api_tokens t join ${usesOf(tokens.slice(start, start + atOnce))} on u.id = t.id
        where t.last_used_at is null or t.last_used_at < u.at order by t.id for update of t skip locked
      )
      update api_tokens t set last_used_at = u.at, last_used_ip_address = u.ip
      from locked l join ${usesOf(tokens.slice(start, start + atOnce))} on u.id = l.id
      where t.id = l.id`.execute(db);
  }
  for (let start = 0; start < sessions.length; start += atOnce) {
    await sql`
      with locked as (
        select s.id from sessions s join ${usesOf(sessions.slice(start, start + atOnce))} on u.id = s.id
        where s.last_used_at < u.at order by s.id for update of s skip locked
      )
      update sessions s set last_used_at = u.at, ip_address = u.ip, user_agent = u.agent
      from locked l join ${usesOf(sessions.slice(start, start + atOnce))} on u.id = l.id
      where s.id = l.id`.execute(db);
  }
  return tokens.length + sessions.length;
}

/** The uses as a table `(id, at, ip, agent)`. */
function usesOf(uses: readonly [string, CredentialUse][]) {
  const rows = uses.map(([id, { at, ipAddress, userAgent }]) => ({
    id,
    at: at.toISOString(),
    ip: ipAddress,
    agent: userAgent?.slice(0, 1000).replaceAll('\0', '') ?? null,
  }));
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as u(id uuid, at timestamptz, ip text, agent text)`;
}
