/**
 * Answer of a state machine to an event: it moves, or the event has already had its effect (a repeated call succeeds
 * and changes nothing), or the event is not legal now.
 */
export type Disposition<State extends string> =
  { kind: 'moved'; to: State } | { kind: 'already' } | { kind: 'refused'; reason: string };

/** The moves of one event: from each state in which it is legal, the state it leads to. */
export type Moves<State extends string> = Partial<Record<State, State>>;

/** The same destination from several states. */
export function from<State extends string>(states: readonly State[], to: State): Moves<State> {
  return Object.fromEntries(states.map((state) => [state, to])) as Moves<State>;
}

/**
 * Looks up an event in a table. `already` means that the subject is in a state to which the event leads, from whichever
 * state it came; a caller for whom the owner or outcome matters (accept, finish) compares these itself.
 */
export function disposition<State extends string>(
  moves: Moves<State> | undefined,
  state: State,
  event: string,
  subject: string,
): Disposition<State> {
  const to = moves?.[state];
  if (to !== undefined) return { kind: 'moved', to };
  if (moves !== undefined && Object.values(moves).includes(state)) return { kind: 'already' };
  return { kind: 'refused', reason: `${subject} in state ${state} does not take the event ${event}` };
}
