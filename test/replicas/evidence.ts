import pg from 'pg';
import type { AgentWork } from './protocol-agent.js';

/** Runs statements on a database of one's own connection. */
export async function queryAll<T extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** A migrated-by-the-server, empty database that goes with the test. */
export async function ownDatabase(server: string, name: string): Promise<{ url: string; drop(): Promise<void> }> {
  await queryAll(server, `create database ${name}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).toString();
  return { url, drop: () => queryAll(server, `drop database if exists ${name} with (force)`).then(() => undefined) };
}

/** Job attempts that more than one agent was told it owns (I1). */
export function sharedAttempts({ acceptances }: AgentWork): string[] {
  const owners = new Map<string, Set<string>>();
  for (const { token, agent } of acceptances) owners.set(token, (owners.get(token) ?? new Set()).add(agent));
  return [...owners].filter(([, agents]) => agents.size > 1).map(([token]) => token);
}
