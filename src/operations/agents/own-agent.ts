import type { Context } from '../../context.js';
import type { AgentRow } from '../../entities/database.js';
import { callingSession } from '../jobs/held-job.js';
import type { Subject } from '../subject.js';

export interface OwnAgent extends Subject {
  agent: AgentRow;
}

/** The calling agent, by its session token; with `lock` its row as it is now, under its lock. */
export async function ownAgent(context: Context, { lock = false } = {}): Promise<OwnAgent | null> {
  const session = callingSession(context);
  return lock ? lockAgent(context, session.id) : { agent: session };
}

/** An agent's row under its lock. Jobs and builds are locked before agents, never after. */
export async function lockAgent(context: Context, id: string): Promise<OwnAgent | null> {
  const agent = await context.db.selectFrom('agents').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return agent ? { agent } : null;
}
