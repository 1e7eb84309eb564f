import picomatch from 'picomatch';

import { toGlob } from '../artifacts/artifact-glob.js';
import type { PipelineDocument, Plain } from './pipeline-text.js';

/** Reason of a skipped step, as it is shown at the server. */
const skipped = 'No changed file matches if_changed.';

/**
 * Decides `if_changed` of the steps of a pipeline, and takes it out: a step whose patterns match no changed file is
 * skipped. Where nobody knows what changed, no step is.
 * @param changedFiles is asked once, and only if a step needs it; undefined: unknown
 * @param warn receives a sentence for each condition that cannot be read; its step is not skipped
 */
export async function applyIfChanged(
  pipeline: PipelineDocument,
  changedFiles: () => Promise<readonly string[] | undefined>,
  warn: (message: string) => void,
): Promise<PipelineDocument> {
  let files: Promise<readonly string[] | undefined> | undefined;
  const decide = async (step: Plain): Promise<Plain> => {
    if (typeof step !== 'object' || step === null || Array.isArray(step) || !skippable(step)) return step;
    const { if_changed: condition, ...decided } = step;
    if (Array.isArray(decided['steps'])) decided['steps'] = await Promise.all(decided['steps'].map(decide));
    if (condition === undefined || condition === null) return decided;
    const changed = await (files ??= changedFiles());
    const patterns = patternsOf(condition);
    if (patterns === undefined)
      warn(`if_changed is neither patterns nor include and exclude: ${JSON.stringify(condition)}`);
    if (changed === undefined || patterns === undefined) return decided;
    const matches = (globs: readonly string[]) => {
      const tests = globs.map((glob) => picomatch(toGlob(glob), { dot: true }));
      return (path: string): boolean => tests.some((test) => test(path));
    };
    const [included, excluded] = [matches(patterns.include), matches(patterns.exclude)];
    return changed.some((path) => included(path) && !excluded(path)) ? decided : { ...decided, skip: skipped };
  };
  const { steps } = pipeline;
  return Array.isArray(steps) ? { ...pipeline, steps: await Promise.all(steps.map(decide)) } : pipeline;
}

/** Whether a step may be skipped: a command, trigger or group. The server refuses the condition of others. */
function skippable(step: Record<string, Plain>): boolean {
  return !['wait', 'waiter', 'block', 'input', 'manual'].some((kind) => kind in step || step['type'] === kind);
}

function patternsOf(condition: Plain): { include: string[]; exclude: string[] } | undefined {
  if (typeof condition === 'object' && condition !== null && !Array.isArray(condition)) {
    const [include, exclude] = [texts(condition['include']), texts(condition['exclude'] ?? [])];
    return include && exclude && { include, exclude };
  }
  const include = texts(condition);
  return include && { include, exclude: [] };
}

function texts(value: Plain | undefined): string[] | undefined {
  const list = Array.isArray(value) ? value : [value ?? null];
  return list.every((item) => typeof item === 'string') ? (list as string[]) : undefined;
}
