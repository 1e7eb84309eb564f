import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../request/context.js';
import { type AgentEvent, type AgentState, liveAgentStates, transitionAgent } from '../../domain/agents/agent-state.js';
import type { Disposition } from '../../domain/transition.js';
import type { AgentRow, Db } from '../../entities/database.js';
import { sqlList } from '../../entities/sql-list.js';

/** Columns that are changed without an event of the state machine, or beside those of the new state. */
export type AgentColumns = Partial<Omit<AgentRow, 'id' | 'connectionState' | 'heardMs'>>;

/** Events of an agent that leave it in its state: also a stop that was asked for before. */
export type AgentNote = 'register' | 'pause' | 'resume' | 'stop';

/**
 * An agent as it is going to be written after a move that was made; else what the transition table said of the event.
 */
export type MovedAgent = { kind: 'moved'; agent: AgentRow } | Exclude<Disposition<AgentState>, { kind: 'moved' }>;

type SignOfLife = Extract<AgentEvent, 'connect' | 'heartbeat'>;

/**
 * Moves an agent, whose row is locked, by an event if the transition table has the event in its state, and records the
 * event. Changes nothing otherwise. The row is written with what the transaction records next.
 */
export async function moveAgent(
  context: Context,
  agent: AgentRow,
  event: Exclude<AgentEvent, SignOfLife>,
  { reason, set }: { reason: string | null; set?: AgentColumns },
): Promise<MovedAgent> {
  const move = transitionAgent(agent.connectionState, event);
  if (move.kind !== 'moved') return move;
  const columns = { connectionState: move.to, ...columnsOf(event, move.to, context.now), ...set };
  await context.change('agents', [agent.id], {
    set: columns,
    where: { connectionState: agent.connectionState },
    all: true,
  });
  const moved = { ...agent, ...columns };
  recordAgentEvent(context, moved, event, agent.connectionState, reason);
  return { kind: 'moved', agent: moved };
}

/**
 * Stores a call of an agent, whose row is locked, and moves the agent if the event changes its state. `isAlive`:
 * whether the call is a sign of life. It is written now, alone, because the listening clock is an expression of the
 * database; the agent is returned with the clock as it was.
 */
export async function hearAgent(
  context: Context,
  agent: AgentRow,
  event: SignOfLife,
  { reason, set, isAlive = true }: { reason: string | null; set?: AgentColumns; isAlive?: boolean },
): Promise<AgentRow> {
  const { now, db } = context;
  const move = transitionAgent(agent.connectionState, event);
  const columns: Partial<AgentRow> = {
    ...set,
    ...(move.kind === 'moved' ? { connectionState: move.to, ...columnsOf(event, move.to, now) } : {}),
  };
  await db
    .updateTable('agents')
    .set({
      ...columns,
      ...(isAlive ? heardAt(now) : {}),
      // Its time counts from now on; what is not counted of that before it was lost is not any more.
      ...(move.kind === 'moved' ? { uncountedSinceAt: now, uncountedSinceMs: listenedMs } : {}),
    })
    .where('id', '=', agent.id)
    .execute();
  const heard = { ...agent, ...columns, ...(isAlive ? { heartbeatAt: now } : {}) };
  if (move.kind === 'moved')
    recordAgentEvent(context, heard, event === 'heartbeat' ? 'return' : event, agent.connectionState, reason);
  return heard;
}

/** The listening clock as it is now. */
const listenedMs = sql<number>`coalesce((select listened_ms from listening_clocks where name = 'agents'), 0)`;

/** Columns of a sign of life: the time of day to display, the listening clock for the rule of lost agents. */
export function heardAt(now: Date): { heartbeatAt: Date; heardMs: RawBuilder<number> } {
  return {
    heartbeatAt: now,
    heardMs: listenedMs,
  };
}

/** Columns that come with a move. */
function columnsOf(event: AgentEvent, to: AgentState, now: Date): Partial<AgentRow> {
  switch (event) {
    case 'connect':
      return { connectedAt: now };
    case 'disconnect':
      return { sessionTokenHash: null, disconnectedAt: now, ...(to === 'stopped' ? { stoppedAt: now } : {}) };
    case 'lose':
      return { lostAt: now };
    case 'heartbeat':
    case 'stop':
      return {};
  }
}

/**
 * Changes columns of an agent that are no state, with what the transaction records next; does nothing if the agent was
 * deleted. Returns the agent as it is going to be written.
 */
export async function changeAgent<Agent extends Pick<AgentRow, 'id'>>(
  context: Context,
  agent: Agent,
  set: AgentColumns,
): Promise<Agent & AgentColumns> {
  await context.change('agents', [agent.id], { set, all: false });
  return { ...agent, ...set };
}

/** Records an event of an agent that is no move. */
export function noteAgent(context: Context, agent: AgentRow, note: AgentNote, reason: string | null): void {
  recordAgentEvent(context, agent, note, note === 'register' ? null : agent.connectionState, reason);
}

function recordAgentEvent(
  context: Context,
  agent: AgentRow,
  event: Exclude<AgentEvent, 'heartbeat'> | 'return' | AgentNote,
  from: AgentState | null,
  reason: string | null,
): void {
  context.record({
    organizationId: agent.organizationId,
    subject: 'agent',
    subjectId: agent.id,
    agentId: agent.id,
    type: `agent.${event}`,
    from,
    to: agent.connectionState,
    reason,
  });
}

/** Ends the sessions of all agents of a deleted organization, now and without events: nobody sees them any more. */
export async function disconnectAgentsUnseen({ db, now }: Context, organizationId: string): Promise<void> {
  await db
    .updateTable('agents')
    .set({ sessionTokenHash: null, connectionState: 'disconnected', disconnectedAt: now })
    .where('organizationId', '=', organizationId)
    .where('sessionTokenHash', 'is not', null)
    .execute();
}

/**
 * Stores heartbeats of live agents by the hashes of their session tokens, in one statement. Agents whose rows another
 * transaction holds are left out, so that this waits for nobody. Returns the agents whose heartbeat was stored.
 */
export async function storeHeartbeats(
  db: Db,
  sessionTokenHashes: readonly string[],
  now: Date,
): Promise<{ id: string; sessionTokenHash: string }[]> {
  const { rows } = await sql<{ id: string; sessionTokenHash: string }>`
    update agents set heartbeat_at = ${now.toISOString()}::timestamptz,
      heard_ms = ${listenedMs}
    where id in (
      select id from agents where session_token_hash = any(${sessionTokenHashes}::text[])
        and connection_state in ${sql.raw(sqlList(liveAgentStates))}
      order by id for update skip locked
    )
    returning id, session_token_hash`.execute(db);
  return rows;
}

/** Pings of agents: milliseconds since each, and whether it is a sign of life. */
export interface StoredPings {
  ids: readonly string[];
  ages: readonly number[];
  alive: readonly boolean[];
}

/**
 * Stores pings as of the time at which they came, in one statement; as signs of life only those that are more than
 * `signOfLifeMs` after the last. Agents whose rows another transaction holds are left out. Returns the number of
 * agents.
 */
export async function storePings(
  db: Db,
  { ids, ages, alive }: StoredPings,
  now: Date,
  signOfLifeMs: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update agents set pinged_at = noted.at,
      heartbeat_at = case when noted.sign_of_life then noted.at else agents.heartbeat_at end,
      heard_ms = case when noted.sign_of_life
        then greatest(agents.heard_ms, ${listenedMs} - noted.age)
        else agents.heard_ms end
    from (
      select a.id, p.age, p.at, p.alive and a.heartbeat_at < p.at - make_interval(secs =>
        ${signOfLifeMs / 1000}) as sign_of_life
      from (
        select id, age, alive, ${now.toISOString()}::timestamptz - make_interval(secs => age / 1000.0) as at
        from unnest(${ids}::uuid[], ${ages}::int8[], ${alive}::bool[]) as p(id, age, alive)
      ) as p join agents a using (id) order by a.id for update of a skip locked
    ) as noted
    where agents.id = noted.id`.execute(db);
  return Number(numAffectedRows ?? 0);
}
