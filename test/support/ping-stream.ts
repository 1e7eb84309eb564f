import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import {
  decodeStreamMessage,
  encodeStreamRequest,
  frame,
  FrameReader,
  type StreamMessage,
  streamPingsPath,
} from '../../src/domain/agents/stream-messages.js';

/** How a call ended: the HTTP status with its JSON message, or the trailers of the stream. */
export interface StreamEnding {
  status: number;
  message?: string;
  grpcStatus?: string;
}

/** An agent's stream of pings over HTTP/1.1. What the server says is read one message at a time, in order. */
export class PingStream {
  private readonly said: StreamMessage[] = [];
  private waiting: (() => void) | null = null;
  private reply: IncomingMessage | null = null;
  readonly ended: Promise<StreamEnding>;

  private constructor(private readonly call: ClientRequest) {
    this.ended = new Promise((resolve, reject) => {
      call.once('error', reject);
      call.once('response', (reply) => this.read(reply, resolve));
    });
    this.ended.then(
      () => this.waiting?.(),
      () => this.waiting?.(),
    );
  }

  /** Opens a stream for an agent; `body` replaces the request's. */
  static open(
    url: string,
    {
      session,
      id,
      body,
      method = 'POST',
      type = 'application/grpc',
    }: {
      session: string;
      id: string;
      body?: Buffer;
      method?: string;
      type?: string;
    },
  ): PingStream {
    const call = request(`${url}${streamPingsPath}`, {
      method,
      headers: { Authorization: `Token ${session}`, 'Content-Type': type, TE: 'trailers' },
      agent: false,
    });
    call.end(body ?? frame(encodeStreamRequest(id)));
    return new PingStream(call);
  }

  /** The next message; rejects if the stream ends before one comes. */
  async next(): Promise<StreamMessage> {
    for (let ended = false; ;) {
      const message = this.said.shift();
      if (message) return message;
      if (ended) throw new Error(`the stream ended: ${JSON.stringify(await this.ended)}`);
      ended = await Promise.race([
        this.ended.then(() => true),
        new Promise<boolean>((resolve) => (this.waiting = () => resolve(false))),
      ]);
    }
  }

  /** What was said and not read yet. */
  get unread(): readonly StreamMessage[] {
    return this.said;
  }

  /** The agent goes away without a word. */
  leave(): void {
    this.call.destroy();
    this.reply?.destroy();
    this.ended.catch(() => undefined);
  }

  private read(reply: IncomingMessage, resolve: (ending: StreamEnding) => void): void {
    this.reply = reply;
    const status = reply.statusCode ?? 0;
    const frames = new FrameReader(64 * 1024);
    let text = '';
    reply.on('data', (bytes: Buffer) => {
      if (status !== 200) text += bytes.toString();
      else
        for (const message of frames.push(bytes)) {
          const decoded = decodeStreamMessage(message);
          if (decoded) this.said.push(decoded);
          this.waiting?.();
        }
    });
    reply.on('error', () => undefined);
    reply.on('close', () => {
      const grpc = reply.trailers['grpc-status'];
      if (status === 200) resolve({ status, ...(grpc === undefined ? {} : { grpcStatus: grpc }) });
      else resolve({ status, message: (JSON.parse(text) as { message: string }).message });
    });
  }
}
