/**
 * Kinds of refusals. `unreachable`: no reply. `busy`: a fault of the provider, or a conflict, that passes. `limited`: a
 * request limit. `credential`: the credential is wrong, has expired or may not do this. `final`: the same request
 * will be refused again.
 */
export type RefusalKind = 'unreachable' | 'busy' | 'limited' | 'credential' | 'final';

/** Requests that a provider allows, as it told them with a reply. */
export interface ProviderRateLimit {
  limit: number;
  remaining: number;
  used: number;
  resetAt: Date;
}

/** A request limit as rows have it, with its time as text. */
export interface StoredRateLimit {
  limit: number;
  remaining: number;
  used: number;
  resetAt: string;
}

/** What the sender of a refused request needs to know. */
export interface RefusalFacts {
  kind: RefusalKind;
  /** Status of the reply; null without one. */
  status: number | null;
  /** Milliseconds that the provider asks to wait; null if it does not say. */
  waitMs: number | null;
}

/** A reply of a provider, with its header names in lower case. */
export interface ProviderReply {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

const minute = 60_000;
/** Longer waits are cut: a wrong clock at the provider must not stop a connection for days. */
const longestWaitMs = 2 * 60 * minute;

/** Reads the request limit in a reply: the headers of GitHub, GitLab and Bitbucket; null without them. */
export function rateLimitOf({ headers }: Pick<ProviderReply, 'headers'>, now: Date): ProviderRateLimit | null {
  const numberOf = (name: string) => {
    const value = headers[`x-ratelimit-${name}`] ?? headers[`ratelimit-${name}`];
    return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : null;
  };
  const [limit, remaining, reset] = [numberOf('limit'), numberOf('remaining'), numberOf('reset')];
  if (limit === null || remaining === null || reset === null) return null;
  // A time in seconds since 1970, or seconds from now.
  const resetAt = new Date(reset > 1_000_000_000 ? reset * 1000 : now.getTime() + reset * 1000);
  return { limit, remaining, used: numberOf('used') ?? Math.max(0, limit - remaining), resetAt };
}

/** Reads `Retry-After`, in seconds or as a time; null without one. */
function retryAfterMs(headers: ProviderReply['headers'], now: Date): number | null {
  const value = headers['retry-after']?.trim();
  if (value === undefined || value === '') return null;
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

/** Words with which GitHub refuses a request for a limit without saying so in a header. */
const saysLimit = (body: string) => /rate limit|abuse detection/i.test(body);

/**
 * Classifies a reply that is not the expected one. A limit is 429, or 403 with a sign of a limit: first what
 * `Retry-After` says, then the reset of a limit that is used up, else at least a minute.
 */
export function refusalFacts(reply: ProviderReply, now: Date): RefusalFacts {
  const { status, headers, body } = reply;
  const advice = retryAfterMs(headers, now);
  const limit = rateLimitOf(reply, now);
  const isUsedUp = limit !== null && limit.remaining === 0;
  if (status === 429 || (status === 403 && (advice !== null || isUsedUp || saysLimit(body)))) {
    const wait = advice ?? (isUsedUp ? Math.max(1000, limit.resetAt.getTime() - now.getTime()) : minute);
    return { kind: 'limited', status, waitMs: Math.min(wait, longestWaitMs) };
  }
  if (status === 401 || status === 403) return { kind: 'credential', status, waitMs: null };
  if (status === 408 || status === 409 || status >= 500)
    return { kind: 'busy', status, waitMs: advice === null ? null : Math.min(advice, longestWaitMs) };
  return { kind: 'final', status, waitMs: null };
}

const shownOfRefusal = 300;

/** The provider's own words in a refusal, cut to what fits into one message. */
export function refusalWords({ body }: Pick<ProviderReply, 'body'>): string {
  return wordsOf(parsed(body) ?? body)
    .replaceAll(/[\0\p{Cs}]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, shownOfRefusal);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return null;
  }
}

/** Every provider has another form: a message, a message with errors, an error with a message and fields, a list. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(wordsOf).filter(Boolean).join('; ');
  if (typeof value !== 'object' || value === null) return '';
  const {
    message,
    error,
    error_description: description,
    errors,
    detail,
    fields,
    ...others
  } = value as Record<string, unknown>;
  const said = [message, error, description, detail, errors, fields].map(wordsOf).filter(Boolean);
  if (said.length > 0) return [...new Set(said)].join(': ');
  return Object.entries(others)
    .filter(([key]) => !key.endsWith('url'))
    .map(([key, inner]) => [key, wordsOf(inner)])
    .filter(([, text]) => text !== '')
    .map(([key, text]) => `${key} ${text}`)
    .join('; ');
}
