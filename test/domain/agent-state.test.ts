import {
  agentEvents, agentStates, isAgentAvailable, isAgentGone, isAgentLost, transitionAgent, type AgentEvent, type AgentState,
} from '../../src/domain/agent-state.js';

/** What each event does in each state: the next state, `=` already, `-` refused. */
const table: Record<AgentState, Record<AgentEvent, AgentState | '=' | '-'>> = {
  never_connected: { connect: 'connected', heartbeat: '-', stop: 'stopping', disconnect: 'disconnected', lose: 'lost' },
  connected: { connect: '=', heartbeat: '=', stop: 'stopping', disconnect: 'disconnected', lose: 'lost' },
  stopping: { connect: '-', heartbeat: '-', stop: '=', disconnect: 'stopped', lose: 'lost' },
  stopped: { connect: '-', heartbeat: '-', stop: '-', disconnect: '=', lose: '-' },
  disconnected: { connect: '-', heartbeat: '-', stop: '-', disconnect: '=', lose: '-' },
  lost: { connect: 'connected', heartbeat: 'connected', stop: '-', disconnect: 'disconnected', lose: '=' },
};

test.each(agentStates.flatMap((state) => agentEvents.map((event) => [state, event] as const)))('%s on %s', (state, event) => {
  const result = transitionAgent(state, event);
  expect(result.kind === 'moved' ? result.to : result.kind === 'already' ? '=' : '-').toBe(table[state][event]);
});

test('lost after three minutes of silence, unless it is gone already', () => {
  const now = new Date('2026-01-01T00:03:00Z');
  const lastSeenAt = new Date('2026-01-01T00:00:00Z');
  expect(isAgentLost({ state: 'connected', lastSeenAt }, now)).toBe(true);
  expect(isAgentLost({ state: 'stopping', lastSeenAt }, now)).toBe(true);
  expect(isAgentLost({ state: 'connected', lastSeenAt }, new Date(now.getTime() - 1))).toBe(false);
  for (const state of agentStates.filter(isAgentGone)) expect(isAgentLost({ state, lastSeenAt }, now)).toBe(false);
  expect(isAgentLost({ state: 'lost', lastSeenAt }, now)).toBe(false);
});

test('only a connected, idle, unpaused agent that wants work gets any', () => {
  const idle = { state: 'connected' as const, paused: false, ignoreInDispatches: false, hasJob: false };
  expect(isAgentAvailable(idle)).toBe(true);
  for (const over of [{ paused: true }, { ignoreInDispatches: true }, { hasJob: true }]) expect(isAgentAvailable({ ...idle, ...over })).toBe(false);
  for (const state of agentStates) expect(isAgentAvailable({ ...idle, state })).toBe(state === 'connected');
});
