/**
 * What a state machine answers to an event: it moves, or the event has already had its effect (a repeated call is
 * answered with success and changes nothing), or the event is not legal now.
 */
export type Disposition<State extends string> =
  | { kind: 'moved'; to: State }
  | { kind: 'already' }
  | { kind: 'refused'; reason: string };

/** The moves of one event: from each state in which it is legal, the state it leads to. */
export type Moves<State extends string> = Partial<Record<State, State>>;

/** The same destination from several states. */
export function from<State extends string>(states: readonly State[], to: State): Moves<State> {
  return Object.fromEntries(states.map((state) => [state, to])) as Moves<State>;
}

/**
 * Looks one event up. `already` means the subject stands in a state the event leads to, from wherever it came;
 * a caller for whom the owner or the outcome matters (accept, finish) compares those itself.
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
