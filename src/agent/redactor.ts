const mark = Buffer.from('[REDACTED]');
const shortestSecret = 6;

const secretNames = /_(PASSWORD|SECRET|TOKEN|PRIVATE_KEY|SSH_KEY|ACCESS_KEY|SECRET_KEY|CONNECTION_STRING|API_KEY)$/;

/** The variable patterns whose values never reach a log (rest-facts 8.4), as agents export them. */
export const redactedVars = [
  '*_PASSWORD', '*_SECRET', '*_TOKEN', '*_PRIVATE_KEY', '*_SSH_KEY', '*_ACCESS_KEY', '*_SECRET_KEY', '*_CONNECTION_STRING', '*_API_KEY',
];

/** Values to redact in an environment: those of secret-like names, unless too short to tell from ordinary text. */
export function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && secretNames.test(name) ? [value] : []).filter(tellable);
}

/** The credentials inside a repository's http(s) URL: its password, or a token in the user's place. */
export function urlCredentials(text: string): string[] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return [];
  const credential = url.password || url.username;
  return [...new Set([credential, decodeURIComponent(credential)])].filter(tellable);
}

/** Whether a value is long enough to be told from ordinary text; shorter ones would redact half the log. */
export function tellable(value: string): boolean {
  return Buffer.byteLength(value) >= shortestSecret;
}

/**
 * Replaces secrets in a byte stream by `[REDACTED]`, wherever the chunks are cut. Overlapping secrets become one
 * mark, so no rest of the second stays readable. Holds back at most one secret's length.
 */
export class Redactor {
  private needles: Buffer[] = [];
  private held: Buffer = Buffer.alloc(0);
  /** How many of the held bytes belong to a secret whose mark is already out. */
  private covered = 0;

  /** Adds values to look for from the next `push` on; empty ones are ignored. */
  add(secrets: readonly string[]): void {
    const known = new Set(this.needles.map((needle) => needle.toString('latin1')));
    for (const secret of secrets) {
      const needle = Buffer.from(secret);
      if (needle.length > 0 && !known.has(needle.toString('latin1'))) this.needles.push(needle);
    }
  }

  /** Takes the next bytes and gives what can be shown now. */
  push(chunk: Buffer): Buffer {
    if (this.needles.length === 0) return chunk;
    return this.process(Buffer.concat([this.held, chunk]), false);
  }

  /** Gives what was held back; the stream may go on afterwards. */
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

  /** Where the bytes at the end could still grow into a secret; the length when they cannot. */
  private firstPossibleSecret(bytes: Buffer): number {
    let first = bytes.length;
    for (const needle of this.needles) {
      const from = Math.max(0, bytes.length - needle.length + 1);
      for (let at = bytes.indexOf(needle[0] as number, from); at !== -1 && at < first; at = bytes.indexOf(needle[0] as number, at + 1)) {
        if (needle.subarray(0, bytes.length - at).equals(bytes.subarray(at))) first = at;
      }
    }
    return first;
  }

  /** All secrets in `bytes`, overlapping ones merged, in order; `marked` ones have their mark out already. */
  private secretRanges(bytes: Buffer): { start: number; end: number; marked: boolean }[] {
    const found = this.covered > 0 ? [{ start: 0, end: this.covered, marked: true }] : [];
    for (const needle of this.needles) {
      for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + 1)) {
        found.push({ start: at, end: at + needle.length, marked: false });
      }
    }
    found.sort((a, b) => a.start - b.start || Number(b.marked) - Number(a.marked));
    const merged: typeof found = [];
    for (const range of found) {
      const last = merged.at(-1);
      if (last !== undefined && range.start < last.end) last.end = Math.max(last.end, range.end);
      else merged.push(range);
    }
    return merged;
  }
}
