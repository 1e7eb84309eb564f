import { Attributes, flagOf, isObject, scalarText, wholeNumber } from './attributes.js';
import { stepLimits } from '../../../limits/step-limits.js';
import type { Json, ManualRetry, RetryRule } from '../step.js';

const defaultLimit = 2;

export interface RetryRules {
  automatic: RetryRule[];
  manual: ManualRetry;
}

/**
 * `retry`: `automatic` (true, one rule or a list; absent means none) and `manual` (true, false or a map).
 * Manual retry is allowed unless forbidden; of a passed job only where `permit_on_passed` says so.
 */
export function readRetry(attributes: Attributes): RetryRules {
  const raw = attributes.object('retry');
  const retry = new Attributes(raw ?? {}, attributes.pathOf('retry'), attributes.reading);
  const rules = { automatic: readAutomatic(retry), manual: readManual(retry) };
  retry.reportUnknown();
  return rules;
}

function readAutomatic(retry: Attributes): RetryRule[] {
  const value = retry.value('automatic');
  if (value === undefined || value === null || value === '' || retry.pending(value)) return [];
  const flag = flagOf(value);
  if (flag !== undefined) return flag ? [{ exitStatus: '*', limit: defaultLimit }] : [];
  const list = Array.isArray(value);
  return (list ? value : [value]).flatMap((item, index) => {
    const name = list ? `automatic[${index}]` : 'automatic';
    if (isObject(item)) return [readRule(new Attributes(item, retry.pathOf(name), retry.reading))];
    if (item !== null) retry.problem(name, 'Automatic retry must be true, false, a rule, or a list of rules.');
    return [];
  });
}

function readRule(rule: Attributes): RetryRule {
  const result: RetryRule = { limit: rule.integer(['limit'], { min: 0, max: stepLimits.retryLimit }) ?? defaultLimit };
  const exitStatus = readExitStatus(rule);
  if (exitStatus !== undefined) result.exitStatus = exitStatus;
  const signal = words(rule, 'signal');
  if (signal) result.signal = signal;
  const signalReason = words(rule, 'signal_reason');
  if (signalReason) result.signalReason = signalReason;
  rule.reportUnknown();
  return result;
}

function words(rule: Attributes, name: string): string[] | undefined {
  const list = rule.list(name).filter((word) => word !== '');
  return list.length === 0 ? undefined : list;
}

function readExitStatus(rule: Attributes): '*' | number[] | undefined {
  const value = rule.value('exit_status');
  if (value === undefined || value === null || value === '' || rule.pending(value)) return undefined;
  const items: Json[] = Array.isArray(value) ? value : [value];
  if (items.includes('*')) return '*';
  const numbers = items.map(wholeNumber);
  if (!numbers.includes(undefined)) return numbers as number[];
  rule.problem('exit_status', '"exit_status" must be a number, a list of numbers, or "*".');
  return undefined;
}

function readManual(retry: Attributes): ManualRetry {
  const value = retry.value('manual');
  const allowed = { allowed: true, permitOnPassed: false, reason: null };
  if (value === undefined || value === null || value === '' || retry.pending(value)) return allowed;
  const flag = flagOf(value);
  if (flag !== undefined) return { ...allowed, allowed: flag };
  if (!isObject(value)) {
    retry.problem(
      'manual',
      'Manual retry must be true, false, or a map with "allowed", "permit_on_passed" and "reason".',
    );
    return allowed;
  }
  const manual = new Attributes(value, retry.pathOf('manual'), retry.reading);
  const reason = scalarText(manual.value('reason'));
  const rule = {
    allowed: manual.flag('allowed', true),
    permitOnPassed: manual.flag('permit_on_passed', false),
    reason: reason ?? null,
  };
  manual.reportUnknown();
  return rule;
}
