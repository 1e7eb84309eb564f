import type { Context } from '../../request/context.js';
import type { AgentRow } from '../../entities/database.js';
import { callingSession } from '../builds/jobs/held-job.js';
import type { Subject } from '../../core/subject.js';

export interface OwnAgent extends Subject {
  agent: AgentRow;
}

/** Finds the calling agent by its session token; `lock` reads its row again under its lock. */
export async function ownAgent(context: Context, { lock = false } = {}): Promise<OwnAgent | null> {
  const session = callingSession(context);
  return lock ? lockAgent(context, session.id) : { agent: session };
}

/** Locks an agent's row. Jobs and builds are locked before agents, never after. */
export async function lockAgent(context: Context, id: string): Promise<OwnAgent | null> {
  const agent = await context.db.selectFrom('agents').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return agent ? { agent } : null;
}
