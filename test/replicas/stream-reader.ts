import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { userToken } from './installation.js';

// A message is whatever the subscription selects.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Message = any;

/**
 * A client that follows something for as long as it is told to: whenever its connection ends it goes on behind its last
 * cursor, at the next of the servers.
 */
export class StreamReader {
  readonly messages: Message[] = [];
  /** Connections that ended under it. */
  breaks = 0;
  /** What a server has refused; nothing, where all is well. */
  readonly refusals: unknown[] = [];
  private client: Client | null = null;
  private stopped = false;

  constructor(
    private readonly urls: () => string[],
    private readonly query: string,
    private readonly variables: Record<string, unknown> = {},
    private turn = 0,
  ) {}

  /** Goes to another server although nothing is wrong with this one. */
  move(): void {
    void this.client?.dispose();
  }

  stop(): void {
    this.stopped = true;
    this.move();
  }

  async run(): Promise<void> {
    while (!this.stopped) {
      const urls = this.urls().filter((url) => url !== '');
      this.turn += 1;
      const url = urls[this.turn % urls.length];
      if (url !== undefined && (await this.follow(url))) return;
      this.breaks += 1;
      await sleep(50);
    }
  }

  /** True where the stream came to its own end. */
  private async follow(url: string): Promise<boolean> {
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { token: userToken },
      retryAttempts: 0,
      connectionAckWaitTimeout: 5_000,
    });
    this.client = client;
    const variables = { ...this.variables, after: this.messages.at(-1)?.cursor };
    try {
      for await (const { data, errors } of client.iterate<Message>({ query: this.query, variables })) {
        if (errors) this.refusals.push(...errors);
        if (data) this.messages.push(Object.values(data)[0]);
      }
    } catch {
      // The connection was cut, or there was none to be had.
    }
    await client.dispose();
    return this.messages.at(-1)?.finished === true;
  }
}
