import { listeningLagMs } from './listening.js';
import { disposition, from, type Disposition, type Moves } from '../transition.js';

/** Connection states of an agent. */
export const agentStates = ['never_connected', 'connected', 'stopping', 'stopped', 'disconnected', 'lost'] as const;
export type AgentState = (typeof agentStates)[number];

/** Agents whose session may still give a sign of life without coming back first. */
export const liveAgentStates: readonly AgentState[] = ['never_connected', 'connected', 'stopping'];

/**
 * | event | meaning |
 * |---|---|
 * | connect | the agent's connect call |
 * | heartbeat | a sign of life: heartbeat or ping |
 * | stop | someone asked it to stop; its next ping is answered with `disconnect` |
 * | disconnect | it said goodbye |
 * | lose | no sign of life for three minutes |
 */
export const agentEvents = ['connect', 'heartbeat', 'stop', 'disconnect', 'lose'] as const;
export type AgentEvent = (typeof agentEvents)[number];

/**
 * THE transition table of agents. A connect repeated while stopping must not undo the stop, and an agent that was only
 * frozen or cut off comes back with its next heartbeat: its old job is fenced by the attempt, not by this state.
 */
export const agentTransitions: Record<AgentEvent, Moves<AgentState>> = {
  connect: from<AgentState>(['never_connected', 'lost'], 'connected'),
  heartbeat: from<AgentState>(['lost'], 'connected'),
  stop: from<AgentState>(['never_connected', 'connected'], 'stopping'),
  disconnect: { ...from<AgentState>(['never_connected', 'connected', 'lost'], 'disconnected'), stopping: 'stopped' },
  lose: from(liveAgentStates, 'lost'),
};

/** Decides one event for one agent. */
export function transitionAgent(state: AgentState, event: AgentEvent): Disposition<AgentState> {
  return disposition(agentTransitions[event], state, event, 'An agent');
}

/** Seconds between an agent's pings. */
export const pingIntervalSeconds = 2;

/** Silence, while the installation listened, that makes an agent lost; it is marked lost within ten seconds. */
export const agentLostAfterMs = 3 * 60_000;

/**
 * Milliseconds for which the number in the name of a lost agent stays reserved, because the agent may come back. Agents
 * name folders after themselves: with a new name after each kill, an agent would fill its disk.
 */
export const lostNameReservedMs = 60 * 60_000;

/**
 * Returns the value of the listening clock, in milliseconds, at or before which an agent's last sign of life makes it
 * lost.
 */
export const lostIfHeardBy = (listenedMs: number): number => listenedMs - agentLostAfterMs - listeningLagMs;

/**
 * Whether an agent must be marked lost; `heardMs` is the value of the listening clock at its last heartbeat, ping or
 * registration.
 */
export function isAgentLost(agent: { state: AgentState; heardMs: number }, listenedMs: number): boolean {
  return transitionAgent(agent.state, 'lose').kind === 'moved' && agent.heardMs <= lostIfHeardBy(listenedMs);
}

export interface AgentAvailability {
  state: AgentState;
  paused: boolean;
  /** Set at registration (acquire-job agents) or by its last finish call (one-shot agents). */
  ignoreInDispatches: boolean;
  /** A job assigned to, accepted or run by it. */
  hasJob: boolean;
}

/** Whether an agent may be offered a job. */
export function isAgentAvailable(agent: AgentAvailability): boolean {
  return agent.state === 'connected' && !agent.paused && !agent.ignoreInDispatches && !agent.hasJob;
}
