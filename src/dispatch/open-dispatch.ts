import { sql } from 'kysely';
import { compiled } from '../database/compiled.js';
import type { OpenDatabase } from '../database/open.js';
import type { Services } from '../services/services.js';
import { AgentDispatch } from './agent-dispatch.js';
import type { Peers } from './wake-ups.js';

/** Channel on which replicas tell each other of jobs that became ready and of agents that were changed. */
const channel = 'slipway_dispatch';

export interface OpenDispatch {
  agents: AgentDispatch;
  stop(): Promise<void>;
}

/** Makes the services tell of their commits, and joins the other replicas on the same PostgreSQL. */
export function openDispatch(services: Services, database: Pick<OpenDatabase, 'listen'>): OpenDispatch {
  const { listen } = database;
  const agents = new AgentDispatch(services, { peers: listen ? peersThrough(services) : null });
  services.dispatch = agents;
  const listener =
    listen?.(channel, {
      heard: (payload) => agents.heard(payload),
      listening: () => agents.revisit(),
      lost: (error) => services.log.warn({ err: error }, 'changes of other replicas are not heard of for the moment'),
    }) ?? null;
  return {
    agents,
    stop: async () => {
      await agents.stop();
      await listener?.close();
    },
  };
}

const notify = compiled<{ name: string; payloads: readonly string[] }, never>(
  'notify-replicas',
  (_db, { name, payloads }) => sql`select pg_notify(${name}, payload) from unnest(${payloads}::text[]) as payload`,
);

function peersThrough({ db }: Pick<Services, 'db'>): Peers {
  return {
    notify: async (payloads) => {
      await notify(db, { name: channel, payloads });
    },
  };
}
