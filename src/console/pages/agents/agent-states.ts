/** What the query of agents takes for each state of the filter. */
const states: Partial<Record<string, { busy?: boolean; paused?: boolean }>> = {
  busy: { busy: true },
  idle: { busy: false, paused: false },
  paused: { paused: true },
};

/** Variables that read the agents in a state of the filter; of no state and of an unknown one all agents. */
export function stateVariables(state: string | undefined): { busy: boolean | null; paused: boolean | null } {
  const { busy = null, paused = null } = (state && Object.hasOwn(states, state) && states[state]) || {};
  return { busy, paused };
}
