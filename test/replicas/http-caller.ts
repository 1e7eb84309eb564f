import { setTimeout as sleep } from 'node:timers/promises';

export interface Answer {
  status: number;
  // The tests look into replies of every shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

const pauseMs = 50;
const mostFailedTries = 20;
const stillProcessed = 'A request with this Idempotency-Key is still being processed';

/**
 * Calls replicas in turn, as clients behind a load balancer do. What gets no answer, or 5xx, is tried again elsewhere
 * until the deadline: the first try may or may not have had its effect.
 */
export class HttpCaller {
  private turn: number;
  /** Calls that were answered. */
  answers = 0;
  /** Tries that got no answer or a 5xx. */
  failures = 0;
  /** The same by status; `none` where no answer came. */
  readonly failuresByStatus = new Map<string, number>();
  /** The first of them in words. */
  readonly failedTries: string[] = [];

  constructor(
    private readonly urls: () => string[],
    start = 0,
    private readonly patienceMs = 45_000,
  ) {
    this.turn = start;
  }

  async call(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | Uint8Array,
  ): Promise<Answer> {
    const deadline = Date.now() + this.patienceMs;
    for (;;) {
      const answer = await this.once(method, path, headers, body);
      // An earlier try was given up and goes on all the same: its answer is kept for the key.
      if (answer?.status === 409 && answer.body?.message === stillProcessed && Date.now() < deadline) {
        await sleep(pauseMs);
        continue;
      }
      if (answer && answer.status < 500 && answer.status !== 429) {
        this.answers += 1;
        return answer;
      }
      this.failures += 1;
      const status = String(answer?.status ?? 'none');
      this.failuresByStatus.set(status, (this.failuresByStatus.get(status) ?? 0) + 1);
      if (Date.now() > deadline) throw new Error(`${method} ${path} was never answered: ${JSON.stringify(answer)}`);
      await sleep(pauseMs);
    }
  }

  /** One try; null where no answer came. */
  private async once(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | Uint8Array,
  ): Promise<Answer | null> {
    const url = this.nextUrl();
    if (url === undefined) return null;
    try {
      const response = await fetch(url + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: body as string }),
        signal: AbortSignal.timeout(10_000),
      });
      const text = await response.text();
      if (response.status >= 500) this.note(`${method} ${url}${path}: ${response.status} ${text.slice(0, 300)}`);
      return { status: response.status, body: parse(text) };
    } catch (error) {
      this.note(`${method} ${url}${path}: ${String(error)} ${String((error as Error).cause ?? '')}`);
      return null;
    }
  }

  private nextUrl(): string | undefined {
    const urls = this.urls().filter((url) => url !== '');
    this.turn += 1;
    return urls[this.turn % urls.length];
  }

  private note(failedTry: string): void {
    if (this.failedTries.length < mostFailedTries) this.failedTries.push(failedTry);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
