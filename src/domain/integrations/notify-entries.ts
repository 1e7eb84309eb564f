import { z } from 'zod';
import { isBuildFinished, type BuildState } from '../builds/build-state.js';
import { byteLength } from '../limits/limits.js';
import type { Json, JsonObject } from '../pipelines/steps/step.js';
import { notifyWebhookEvents, type SentEvent } from './notification-events.js';

/** Words of `notify` that Slipway sends; commit statuses and checks are `notify.ts`. */
export const notifyKinds = ['email', 'slack', 'webhook', 'pagerduty_change_event', 'basecamp_campfire'] as const;
export type NotifyKind = (typeof notifyKinds)[number];

/** One receiver of an entry; an entry of Slack may have several. */
export interface NotifyTarget {
  /** Null for a word that Slipway does not know. */
  kind: NotifyKind | null;
  /** Word of the entry, such as `slack`. */
  word: string;
  /** What people see of it: a secret only in part. */
  shown: string;
  /** Address, URL, key or room. */
  value: string;
  /** Text in place of Slipway's own: Slack. */
  message: string | null;
  condition: string | null;
  /** Why nothing can be sent to it; null if something can. */
  problem: string | null;
  /** Whether nothing is sent to it where an earlier one has the same receiver. */
  once: boolean;
}

const longestShown = 200;
/** Words that other parts of Slipway act on, or that stand beside others. */
const others: ReadonlySet<string> = new Set(['if', 'github_commit_status', 'github_check']);

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Every receiver that a `notify` list names, in its order. */
export function notifyTargets(notify: readonly Json[]): NotifyTarget[] {
  return notify.flatMap((entry) => (isObject(entry) ? targetsOf(entry) : []));
}

function targetsOf(entry: JsonObject): NotifyTarget[] {
  const condition = textOf(entry['if']);
  const known = notifyKinds.filter((kind) => entry[kind] !== undefined && entry[kind] !== null);
  if (known.length === 0) return unknownOf(entry, condition);
  return known.flatMap((kind) => {
    const value = entry[kind];
    if (kind === 'slack') return slackTargets(value, condition);
    return [targetOf(kind, textOf(value), condition)];
  });
}

/** An entry of which nothing is known, so that its author sees that it does nothing. */
function unknownOf(entry: JsonObject, condition: string | null): NotifyTarget[] {
  const words = Object.keys(entry).filter((word) => !others.has(word));
  const [word] = words;
  if (word === undefined || Object.keys(entry).some((each) => each.startsWith('github_'))) return [];
  const problem = `Slipway does not know ${JSON.stringify(word.slice(0, 50))} in notify.`;
  const about = { word: word.slice(0, longestShown), shown: '', value: '', message: null, condition };
  return [{ kind: null, ...about, problem, once: false }];
}

const problems: Readonly<Record<NotifyKind, (value: string) => string | null>> = {
  email: (value) => (z.email().safeParse(value).success ? null : 'This is no e-mail address.'),
  webhook: (value) => urlProblem(value),
  basecamp_campfire: (value) => urlProblem(value),
  slack: (value) => (value.trim() === '' ? 'A channel is missing.' : null),
  pagerduty_change_event: (value) => (/^[\w-]{1,100}$/.test(value) ? null : 'This is no integration key of PagerDuty.'),
};

function urlProblem(value: string): string | null {
  if (byteLength(value) > 2048) return 'The URL is too long.';
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) ? null : 'This is no http or https URL.';
}

function targetOf(kind: NotifyKind, value: string | null, condition: string | null): NotifyTarget {
  return {
    kind,
    word: kind,
    shown: value === null ? '' : shownOf(kind, value).slice(0, longestShown),
    value: value ?? '',
    message: null,
    condition,
    problem: value === null ? `The value of ${kind} must be a text.` : problems[kind](value),
    once: kind === 'webhook',
  };
}

/** Mail besides that of the entries; none where one of them sends it. */
export const mailTarget = (address: string): NotifyTarget => ({ ...targetOf('email', address, null), once: true });

/** Keys, and URLs that hold one, are shown in part. */
function shownOf(kind: NotifyKind, value: string): string {
  if (kind === 'pagerduty_change_event') return `…${value.slice(-4)}`;
  if ((kind === 'basecamp_campfire' || kind === 'webhook') && URL.canParse(value)) return `${new URL(value).origin}/…`;
  return value;
}

function slackTargets(value: Json | undefined, condition: string | null): NotifyTarget[] {
  if (!isObject(value)) return [targetOf('slack', textOf(value), condition)];
  const message = textOf(value['message']);
  const channels = Array.isArray(value['channels']) ? value['channels'] : [value['channels'] ?? value['channel']];
  if (channels.length === 0) return [{ ...targetOf('slack', '', condition), message }];
  return channels.map((channel) => ({ ...targetOf('slack', textOf(channel), condition), message }));
}

/** Channel of Slack, and the workspace that it is in; null for every workspace. */
export function slackRoom(value: string): { workspace: string | null; channel: string } {
  const at = value.search(/[#@]/);
  return at > 0 ? { workspace: value.slice(0, at), channel: value.slice(at) } : { workspace: null, channel: value };
}

const endings: ReadonlySet<SentEvent> = new Set<SentEvent>(['build.failing', 'build.finished']);

/** Whether an entry of a build is looked at when this happens to the build. */
export function isBuildMoment(kind: NotifyKind | null, event: SentEvent, state: BuildState): boolean {
  if (kind === 'webhook' || kind === 'basecamp_campfire') return notifyWebhookEvents.has(event);
  if (kind === 'pagerduty_change_event') return event === 'build.finished' && isBuildFinished(state);
  return endings.has(event);
}

/** Words that a step may have in `notify`. */
export const stepKinds: ReadonlySet<NotifyKind> = new Set<NotifyKind>(['slack', 'basecamp_campfire']);
