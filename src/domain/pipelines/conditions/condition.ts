import { checkExpression } from './check.js';
import { Effort } from './effort.js';
import { evaluateExpression } from './evaluate.js';
import { parseExpression } from './parser.js';
import { attempt } from './problem.js';
import type { ConditionProblem } from './problem.js';
import { entryPoints, isNotification } from './variables.js';
import type { ConditionFacts, EntryPoint } from './variables.js';

export type { ConditionProblem } from './problem.js';
export type { ConditionFacts, EntryPoint } from './variables.js';

/** The outcome of a condition; a problem's kind says which phase refused it. */
export type ConditionResult = { ok: true; value: boolean } | ({ ok: false } & ConditionProblem);

function prepare(expression: string, entryPoint: EntryPoint, effort?: Effort) {
  const parsed = parseExpression(expression, effort);
  checkExpression(parsed, entryPoint);
  return parsed;
}

function unknownEntryPoint(entryPoint: EntryPoint): ConditionProblem | null {
  if (entryPoints.includes(entryPoint)) return null;
  return { kind: 'validation', message: `unknown entry point ${JSON.stringify(entryPoint)}`, column: 1 };
}

/**
 * Returns the problem of a condition before it is stored: syntax, unknown names, types, or a result that is not
 * boolean. Null for a valid or blank condition.
 */
export function checkCondition(expression: string, entryPoint: EntryPoint): ConditionProblem | null {
  const unknown = unknownEntryPoint(entryPoint);
  if (unknown !== null || expression.trim() === '') return unknown;
  const outcome = attempt(() => prepare(expression, entryPoint));
  return outcome.ok ? null : { kind: outcome.kind, message: outcome.message, column: outcome.column };
}

/**
 * Evaluates a condition against the facts of a build. A blank condition is true. In notifications a condition with any
 * problem is false, so the notification is not sent.
 */
export function evaluateCondition(expression: string, facts: ConditionFacts, entryPoint: EntryPoint): ConditionResult {
  const unknown = unknownEntryPoint(entryPoint);
  if (unknown !== null) return { ok: false, ...unknown };
  if (expression.trim() === '') return { ok: true, value: true };
  const outcome = attempt(() => evaluateExpression(prepare(expression, entryPoint, Effort.of(facts)), facts));
  return !outcome.ok && isNotification(entryPoint) ? { ok: true, value: false } : outcome;
}
