import {
  agentEvents,
  agentStates,
  isAgentAvailable,
  isAgentLost,
  transitionAgent,
  type AgentEvent,
  type AgentState,
} from '../../../src/domain/agents/agent-state.js';
import { listeningLagMs } from '../../../src/domain/agents/listening.js';

/** The effect of each event in each state: the next state, `=` already there, `-` refused. */
const table: Record<AgentState, Record<AgentEvent, AgentState | '=' | '-'>> = {
  never_connected: { connect: 'connected', heartbeat: '-', stop: 'stopping', disconnect: 'disconnected', lose: 'lost' },
  connected: { connect: '=', heartbeat: '=', stop: 'stopping', disconnect: 'disconnected', lose: 'lost' },
  stopping: { connect: '-', heartbeat: '-', stop: '=', disconnect: 'stopped', lose: 'lost' },
  stopped: { connect: '-', heartbeat: '-', stop: '-', disconnect: '=', lose: '-' },
  disconnected: { connect: '-', heartbeat: '-', stop: '-', disconnect: '=', lose: '-' },
  lost: { connect: 'connected', heartbeat: 'connected', stop: '-', disconnect: 'disconnected', lose: '=' },
};

test.each(agentStates.flatMap((state) => agentEvents.map((event) => [state, event] as const)))(
  'an agent in state %s follows the transition table on the event %s',
  (state, event) => {
    const result = transitionAgent(state, event);
    expect(result.kind === 'moved' ? result.to : result.kind === 'already' ? '=' : '-').toBe(table[state][event]);
  },
);

test('an agent is lost after three minutes of silence unless it has disconnected', () => {
  const [heardMs, now] = [50_000, 50_000 + 180_000 + listeningLagMs];
  expect(isAgentLost({ state: 'connected', heardMs }, now)).toBe(true);
  expect(isAgentLost({ state: 'stopping', heardMs }, now)).toBe(true);
  expect(isAgentLost({ state: 'connected', heardMs }, now - 1)).toBe(false);
  for (const state of ['stopped', 'disconnected'] as const) expect(isAgentLost({ state, heardMs }, now)).toBe(false);
  expect(isAgentLost({ state: 'lost', heardMs }, now)).toBe(false);
});

test('jobs are offered only to connected, idle, unpaused agents that ask for work', () => {
  const idle = { state: 'connected' as const, paused: false, ignoreInDispatches: false, hasJob: false };
  expect(isAgentAvailable(idle)).toBe(true);
  for (const over of [{ paused: true }, { ignoreInDispatches: true }, { hasJob: true }])
    expect(isAgentAvailable({ ...idle, ...over })).toBe(false);
  for (const state of agentStates) expect(isAgentAvailable({ ...idle, state })).toBe(state === 'connected');
});
