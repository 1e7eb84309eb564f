/** Where a condition failed: its text, its names and types, its run, or the type of its result. */
export type ConditionProblemKind = 'parse' | 'validation' | 'evaluation' | 'result';

/** What is wrong with a condition, fit to be shown to its author. */
export interface ConditionProblem {
  kind: ConditionProblemKind;
  message: string;
  /** 1-based position in the expression, line breaks counted; 1 where the whole expression is meant. */
  column: number;
}

/** Carries a problem out of the recursion; the front door turns it back into a value. */
export class ConditionFault extends Error {
  constructor(readonly problem: ConditionProblem) {
    super(problem.message);
  }
}

/** Ends the current phase with a problem at a 1-based column. */
export function fail(kind: ConditionProblemKind, message: string, column: number): never {
  throw new ConditionFault({ kind, message, column });
}

/** Runs one phase; gives its value or the problem it ended with. Anything else that is thrown is our fault and passes. */
export function attempt<T>(phase: () => T): { ok: true; value: T } | ({ ok: false } & ConditionProblem) {
  try {
    return { ok: true, value: phase() };
  } catch (error) {
    if (error instanceof ConditionFault) return { ok: false, ...error.problem };
    throw error;
  }
}
