import { fetchQuery, graphql } from 'react-relay';
import type { logSourceContentQuery } from '../../../__generated__/logSourceContentQuery.graphql';
import type { logSourceIndexQuery, logSourceIndexQuery$data } from '../../../__generated__/logSourceIndexQuery.graphql';
import type { logSourceSearchQuery } from '../../../__generated__/logSourceSearchQuery.graphql';
import { environment } from '../../../relay/environment';

const indexDocument = graphql`
  query logSourceIndexQuery($job: ID!) {
    job(uuid: $job) {
      ... on JobTypeCommand {
        logExpiredAt
        log {
          index {
            size
            lineCount
            stride
            offsets
            groups {
              line
              open
            }
          }
        }
      }
    }
  }
`;

const contentDocument = graphql`
  query logSourceContentQuery($job: ID!, $start: JSInt!, $end: JSInt!) {
    job(uuid: $job) {
      ... on JobTypeCommand {
        log {
          content(start: $start, end: $end)
        }
      }
    }
  }
`;

const searchDocument = graphql`
  query logSourceSearchQuery($job: ID!, $text: String!) {
    job(uuid: $job) {
      ... on JobTypeCommand {
        log {
          matches(text: $text)
        }
      }
    }
  }
`;

export type LogIndex = NonNullable<NonNullable<NonNullable<logSourceIndexQuery$data['job']>['log']>['index']>;

const fresh = { fetchPolicy: 'network-only' } as const;
/** Blocks of lines that are kept; the least recently read leave first. */
const keptBlocks = 200;
/** A live end that grew beyond this is indexed anew, so that it can leave memory. */
const mostTail = 4_000_000;
/** Bytes of one request. */
const slice = 1_000_000;

/** The lines of one log: an index of it, the blocks that were looked at, and the end while it grows. */
export class LogSource {
  index: LogIndex | null = null;
  /** Whether retention has deleted the log. */
  hasExpired = false;
  /** Lines behind the last whole block, as far as they have come. */
  private tail: string[] = [''];
  private tailSize = 0;
  private readonly blocks = new Map<number, string[] | null>();
  private readonly listeners = new Set<() => void>();
  version = 0;

  constructor(private readonly job: string) {}

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private announce() {
    this.version += 1;
    this.listeners.forEach((listener) => listener());
  }

  /** Reads the index and the lines behind its last whole block. */
  async open(): Promise<void> {
    const reply = await fetchQuery<logSourceIndexQuery>(
      environment,
      indexDocument,
      { job: this.job },
      fresh,
    ).toPromise();
    const index = reply?.job?.log?.index;
    if (reply?.job?.logExpiredAt) {
      this.hasExpired = true;
      this.announce();
    }
    if (!index) return;
    const start = index.offsets.at(-1) ?? 0;
    const tail = await this.read(start, index.size);
    this.index = index;
    this.blocks.clear();
    this.tail = tail.split('\n');
    this.tailSize = tail.length;
    this.announce();
  }

  /** Takes what the live connection brings; `offset` is its first byte, which must be where the lines end. */
  append(content: string): void {
    if (content === '') return;
    const [first = '', ...rest] = content.split('\n');
    this.tail[this.tail.length - 1] += first;
    this.tail.push(...rest);
    this.tailSize += content.length;
    this.announce();
    if (this.tailSize > mostTail) {
      this.tailSize = 0;
      void this.open();
    }
  }

  private get blockLines(): number {
    return this.index ? (this.index.offsets.length - 1) * this.index.stride : 0;
  }

  get lineCount(): number {
    const unfinished = this.tail.at(-1) === '' ? 1 : 0;
    return this.blockLines + this.tail.length - unfinished;
  }

  /** A line by its number from 0; null while it is read. */
  line(number: number): string | null {
    if (!this.index) return null;
    if (number >= this.blockLines) return this.tail[number - this.blockLines] ?? '';
    const block = Math.floor(number / this.index.stride);
    const lines = this.blocks.get(block);
    if (lines) return lines[number % this.index.stride] ?? '';
    if (lines === undefined) void this.load(block);
    return null;
  }

  private async load(block: number): Promise<void> {
    const { offsets } = this.index ?? { offsets: [] };
    const start = offsets[block];
    const end = offsets[block + 1];
    if (start === undefined || end === undefined) return;
    this.blocks.set(block, null);
    try {
      this.blocks.set(block, (await this.read(start, end)).split('\n'));
    } catch {
      this.blocks.delete(block);
    }
    for (const old of [...this.blocks.keys()].slice(0, Math.max(0, this.blocks.size - keptBlocks)))
      this.blocks.delete(old);
    this.announce();
  }

  /** Text of a range of lines, reading what is not there. */
  async text(first: number, end: number): Promise<string[]> {
    const lines: string[] = [];
    for (let number = first; number < end; number++) {
      if (this.line(number) === null && this.index) await this.load(Math.floor(number / this.index.stride));
      lines.push(this.line(number) ?? '');
    }
    return lines;
  }

  async search(text: string): Promise<readonly number[]> {
    const variables = { job: this.job, text };
    const reply = await fetchQuery<logSourceSearchQuery>(environment, searchDocument, variables, fresh).toPromise();
    return reply?.job?.log?.matches ?? [];
  }

  /** The whole log as it was written, piece by piece, with what the live connection has brought since it was opened. */
  async raw(): Promise<Blob> {
    const parts: string[] = [];
    const { offsets = [0] } = this.index ?? {};
    const size = offsets.at(-1) ?? 0;
    const tail = this.tail.join('\n');
    let start = 0;
    while (start < size) {
      // Cut where lines begin, never inside a character.
      const end = offsets.findLast((offset) => offset > start && offset <= start + slice) ?? size;
      parts.push(await this.read(start, end));
      start = end;
    }
    return new Blob([...parts, tail], { type: 'text/plain' });
  }

  private async read(start: number, end: number): Promise<string> {
    if (end <= start) return '';
    const variables = { job: this.job, start, end };
    const reply = await fetchQuery<logSourceContentQuery>(environment, contentDocument, variables, fresh).toPromise();
    return reply?.job?.log?.content ?? '';
  }
}
