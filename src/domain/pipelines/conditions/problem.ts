/** Phase in which a condition failed: its syntax, its names and types, its evaluation, or the type of its result. */
export type ConditionProblemKind = 'parse' | 'validation' | 'evaluation' | 'result';

/** A problem with a condition, in words for its author. */
export interface ConditionProblem {
  kind: ConditionProblemKind;
  message: string;
  /** 1-based position in the expression, line breaks counted; 1 where the whole expression is meant. */
  column: number;
}

/** Carries a problem out of the recursion; `attempt` turns it into a value. */
export class ConditionFault extends Error {
  constructor(readonly problem: ConditionProblem) {
    super(problem.message);
  }
}

/** Ends the current phase with a problem at a 1-based column. */
export function fail(kind: ConditionProblemKind, message: string, column: number): never {
  throw new ConditionFault({ kind, message, column });
}

/** Runs one phase and returns its value or its problem. Rethrows any other error, which is internal. */
export function attempt<T>(phase: () => T): { ok: true; value: T } | ({ ok: false } & ConditionProblem) {
  try {
    return { ok: true, value: phase() };
  } catch (error) {
    if (error instanceof ConditionFault) return { ok: false, ...error.problem };
    throw error;
  }
}
