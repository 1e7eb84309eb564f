import type { Json, JsonObject } from '../pipelines/steps/step.js';
import type { StatusOutcome } from './status-outcome.js';

/** A remark on lines of a file, as GitHub takes it with a check run. */
export interface CheckAnnotation {
  path: string;
  start_line: number;
  end_line: number;
  start_column?: number;
  end_column?: number;
  annotation_level: 'notice' | 'warning' | 'failure';
  message: string;
  title?: string;
  raw_details?: string;
}

/** What a pipeline wants a check run to show; null for what it leaves to us. */
export interface CheckOutput {
  title: string | null;
  summary: string | null;
  text: string | null;
  annotations: CheckAnnotation[];
  /** Why annotations are left out; null where all can be shown. */
  problem: string | null;
}

/** Parts of a check run's output that a running job may change. */
export const checkOutputFields = ['title', 'summary', 'text', 'annotations'] as const;

/** Characters that GitHub takes of the summary and of the text. */
export const checkTextLength = 65_535;
/** Annotations that GitHub takes with one request; further requests add to them. */
export const annotationsPerRequest = 50;
const annotationsAtMost = 1_000;
const titleLength = 255;
const messageLength = 64 * 1024;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: Json | undefined): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;
const isLine = (value: Json | undefined): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** A text of at most so many characters, never half of one. */
export const cutText = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');

/** Returns an annotation that GitHub takes, or what is wrong with it. */
function readAnnotation(value: Json): CheckAnnotation | string {
  if (!isObject(value)) return 'must be an object';
  const { path, start_line: start, end_line: end = start, annotation_level: level, message } = value;
  if (typeof path !== 'string' || path === '') return 'has no path';
  if (!isLine(start) || !isLine(end) || end < start) return 'has no start_line and end_line, which are whole numbers';
  if (level !== 'notice' && level !== 'warning' && level !== 'failure')
    return 'has an annotation_level other than notice, warning and failure';
  if (typeof message !== 'string' || message === '') return 'has no message';
  const { start_column: from, end_column: to, title, raw_details: details } = value;
  return {
    path,
    start_line: start,
    end_line: end,
    // GitHub refuses columns of several lines.
    ...(start === end && isLine(from) ? { start_column: from } : {}),
    ...(start === end && isLine(to) ? { end_column: to } : {}),
    annotation_level: level,
    message: cutText(message, messageLength),
    ...(typeof title === 'string' && title !== '' ? { title: cutText(title, titleLength) } : {}),
    ...(typeof details === 'string' && details !== '' ? { raw_details: cutText(details, messageLength) } : {}),
  };
}

/** Reads a list of annotations, or one of them; `problem` names the first that is left out. */
export function readAnnotations(value: Json | undefined): { annotations: CheckAnnotation[]; problem: string | null } {
  if (value === undefined || value === null) return { annotations: [], problem: null };
  const annotations: CheckAnnotation[] = [];
  let problem: string | null = null;
  for (const [index, each] of (Array.isArray(value) ? value : [value]).entries()) {
    const annotation =
      index < annotationsAtMost ? readAnnotation(each) : `is beyond the ${annotationsAtMost} of a check`;
    if (typeof annotation === 'string') problem ??= `annotations[${index}] ${annotation}`;
    else annotations.push(annotation);
  }
  return { annotations, problem };
}

/** Reads the `output` of a `github_check`. */
export function readCheckOutput(value: Json | undefined): CheckOutput {
  const output = isObject(value) ? value : {};
  return {
    title: textOf(output['title']),
    summary: textOf(output['summary']),
    text: textOf(output['text']),
    ...readAnnotations(output['annotations']),
  };
}

/** Status and, once it is completed, conclusion of a check run at GitHub. */
export function checkState(outcome: StatusOutcome): { status: string; conclusion?: string } {
  switch (outcome) {
    case 'scheduled':
      return { status: 'queued' };
    case 'running':
    case 'failing':
      return { status: 'in_progress' };
    default:
      return { status: 'completed', conclusion: conclusions[outcome] };
  }
}

const conclusions = {
  passed: 'success',
  failed: 'failure',
  errored: 'cancelled',
  canceled: 'cancelled',
  skipped: 'neutral',
  not_run: 'skipped',
} as const;

const marks = { build: 'slipway:build:', step: 'slipway:step:' } as const;

/** What a check run of a build or step is known by when GitHub tells of it. */
export const externalIdOf = (kind: keyof typeof marks, id: string): string => marks[kind] + id;

/** Reads such an id; null for those of other Apps. */
export function readExternalId(text: string | null): { kind: keyof typeof marks; id: string } | null {
  const [, kind, id = ''] = /^slipway:(build|step):([0-9a-f-]{36})$/.exec(text ?? '') ?? [];
  return kind === 'build' || kind === 'step' ? { kind, id } : null;
}

/** A check run as it is wanted, stored until GitHub has it. */
export interface WantedCheck {
  name: string;
  externalId: string;
  title: string;
  summary: string;
  text: string | null;
  annotations: CheckAnnotation[];
  startedAt: string | null;
  completedAt: string | null;
}

/** A check run as GitHub has it. */
export interface SentCheck {
  id: string;
  /** Annotations it has, the first of those that were wanted. */
  annotations: number;
  /** Digest of those. */
  digest: string;
  completed: boolean;
}

/** Completes what a pipeline says of a check run by what is known anyway, in GitHub's limits. */
export function shownOutput(
  output: CheckOutput,
  description: string,
): Pick<WantedCheck, 'title' | 'summary' | 'text' | 'annotations'> {
  const left = output.problem === null ? '' : `\n\nAn annotation is left out: ${output.problem}.`;
  return {
    title: cutText(output.title ?? description, titleLength),
    summary: cutText(output.summary ?? description, checkTextLength - left.length) + left,
    text: output.text === null ? null : cutText(output.text, checkTextLength),
    annotations: output.annotations,
  };
}
