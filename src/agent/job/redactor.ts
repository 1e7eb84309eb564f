const mark = Buffer.from('[REDACTED]');
const shortestSecret = 6;

/** The variable patterns whose values never reach a log, as agents export them. */
export const redactedVars = [
  '*_PASSWORD',
  '*_SECRET',
  '*_TOKEN',
  '*_PRIVATE_KEY',
  '*_SSH_KEY',
  '*_ACCESS_KEY',
  '*_SECRET_KEY',
  '*_CONNECTION_STRING',
  '*_API_KEY',
];

/** A secret-like variable of a job. */
export interface SecretVariable {
  name: string;
  value: string;
}

/**
 * Returns the variables to redact in an environment, whose names match one of `patterns`, in which `*` stands for any
 * text, unless their values are too short to distinguish from ordinary text.
 */
export function secretVariables(
  env: Readonly<Record<string, string | undefined>>,
  patterns: readonly string[] = redactedVars,
): SecretVariable[] {
  const names = patterns.map((pattern) => new RegExp(`^${pattern.split('*').map(escapeForRegExp).join('[^]*')}$`));
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && tellable(value) && names.some((pattern) => pattern.test(name)) ? [{ name, value }] : [],
  );
}

function escapeForRegExp(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
}

/** The credentials inside a repository's http(s) URL: its password, or a token in the user's place. */
export function urlCredentials(text: string): string[] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return [];
  const credential = url.password || url.username;
  return [...new Set([credential, decodeURIComponent(credential)])].filter(tellable);
}

/** Whether a value is long enough to differ from ordinary text; shorter ones would redact half the log. */
export function tellable(value: string): boolean {
  return Buffer.byteLength(value) >= shortestSecret;
}

/**
 * Replaces secrets in a byte stream by `[REDACTED]`, also across chunks. Overlapping secrets become one mark, so that
 * no part of the second remains readable. Holds back at most the length of one secret.
 */
export class Redactor {
  private needles: Buffer[] = [];
  private held: Buffer = Buffer.alloc(0);
  /** Number of held bytes that belong to a secret whose mark is already output. */
  private covered = 0;

  /** Adds values to look for from the next `push` on; empty ones are ignored. */
  add(secrets: readonly string[]): void {
    const known = new Set(this.needles.map((needle) => needle.toString('latin1')));
    // A terminal ends lines with a carriage return and a line feed.
    const forms = secrets.flatMap((secret) =>
      secret.includes('\n') ? [secret, secret.replace(/\r?\n/g, '\r\n')] : [secret],
    );
    for (const secret of forms) {
      const needle = Buffer.from(secret);
      if (needle.length > 0 && !known.has(needle.toString('latin1'))) this.needles.push(needle);
    }
  }

  /** Takes the next bytes and returns the bytes that can be shown now. */
  push(chunk: Buffer): Buffer {
    if (this.needles.length === 0) return chunk;
    return this.process(Buffer.concat([this.held, chunk]), false);
  }

  /** Returns the bytes held back; the stream may continue afterwards. */
  flush(): Buffer {
    return this.process(this.held, true);
  }

  private process(bytes: Buffer, atEnd: boolean): Buffer {
    const cut = atEnd ? bytes.length : this.firstPossibleSecret(bytes);
    const out: Buffer[] = [];
    let position = 0;
    let covered = 0;
    for (const range of this.secretRanges(bytes)) {
      if (range.start >= cut) {
        if (range.marked) covered = range.end - cut;
        break;
      }
      if (range.start > position) out.push(bytes.subarray(position, range.start));
      if (!range.marked) out.push(mark);
      position = Math.min(range.end, cut);
      covered = Math.max(0, range.end - cut);
    }
    out.push(bytes.subarray(position, cut));
    this.held = Buffer.from(bytes.subarray(cut));
    this.covered = covered;
    return Buffer.concat(out);
  }

  /** Returns the index from which the bytes at the end could still become a secret; the length if none could. */
  private firstPossibleSecret(bytes: Buffer): number {
    let first = bytes.length;
    for (const needle of this.needles) {
      const from = Math.max(0, bytes.length - needle.length + 1);
      for (
        let at = bytes.indexOf(needle[0] as number, from);
        at !== -1 && at < first;
        at = bytes.indexOf(needle[0] as number, at + 1)
      ) {
        if (needle.subarray(0, bytes.length - at).equals(bytes.subarray(at))) first = at;
      }
    }
    return first;
  }

  /** All secrets in `bytes`, overlapping ones merged, in order; the mark of `marked` secrets was already written. */
  private secretRanges(bytes: Buffer): { start: number; end: number; marked: boolean }[] {
    const ranges = this.covered > 0 ? [{ start: 0, end: this.covered, marked: true }] : [];
    for (const needle of this.needles) {
      for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + 1)) {
        ranges.push({ start: at, end: at + needle.length, marked: false });
      }
    }
    ranges.sort((a, b) => a.start - b.start || Number(b.marked) - Number(a.marked));
    const merged: typeof ranges = [];
    for (const range of ranges) {
      const last = merged.at(-1);
      if (last !== undefined && range.start < last.end) last.end = Math.max(last.end, range.end);
      else merged.push(range);
    }
    return merged;
  }
}
