import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import {
  decodeStreamMessage,
  encodeStreamRequest,
  frame,
  FrameReader,
  grpcStatus,
  type StreamMessage,
  streamPingsPath,
} from '../../domain/agents/stream-messages.js';

/**
 * How a stream ended: its time was up, so that the next one follows; the server streams to nobody (`refused`, for
 * good); anything else, after which the agent pings until a stream works again.
 */
export type StreamOutcome = 'over' | 'refused' | 'broken' | 'aborted';

export interface StreamCall {
  /** Base URL of the agent protocol; the stream is at the root of its host. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  agentId: string;
  signal: AbortSignal;
  /** Called for each message, in order. */
  onMessage: (message: StreamMessage) => void;
  /** Called where the first message does not come in time; the stream stays open, since the server may only be busy. */
  onSilence?: () => void;
  /** Milliseconds for the first message, and for the whole stream. */
  firstWithinMs?: number;
  lastsAtMostMs?: number;
}

/** A server says at once how an agent stands. Servers end streams within 60 s. */
const firstWithin = 10_000;
const lastsAtMost = 60_000;
/** Messages hold an id or a short reason. */
const messageBytes = 64 * 1024;
/** Statuses, of the call and of HTTP, after which another stream is of no use. */
const refusedStatuses: ReadonlySet<number | undefined> = new Set([401, 403, 404]);
const refusedCalls: ReadonlySet<number> = new Set([7, grpcStatus.unimplemented, grpcStatus.unauthenticated]);

/** Opens one stream of pings and follows it to its end. Never rejects. */
export function followPingStream(call: StreamCall): Promise<StreamOutcome> {
  return new Promise((resolve) => follow(call, resolve));
}

function follow(call: StreamCall, resolve: (outcome: StreamOutcome) => void): void {
  const url = new URL(streamPingsPath, call.endpoint);
  const body = frame(encodeStreamRequest(call.agentId));
  const sent = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    headers: {
      ...call.headers,
      'Content-Type': 'application/grpc',
      'Content-Length': String(body.length),
      TE: 'trailers',
    },
    // A connection of its own, closed with the stream.
    agent: false,
  });
  const end = (outcome: StreamOutcome): void => {
    clearTimeout(first);
    clearTimeout(last);
    call.signal.removeEventListener('abort', onAbort);
    resolve(outcome);
    sent.destroy();
  };
  const onAbort = (): void => end('aborted');
  const first = setTimeout(() => call.onSilence?.(), call.firstWithinMs ?? firstWithin);
  const last = setTimeout(() => end('over'), call.lastsAtMostMs ?? lastsAtMost);
  if (call.signal.aborted) onAbort();
  else call.signal.addEventListener('abort', onAbort, { once: true });
  sent.on('error', () => end('broken'));
  sent.on('response', (reply) => {
    const isStream = /^application\/grpc(\+proto)?($|;)/i.test(reply.headers['content-type'] ?? '');
    if (reply.statusCode !== 200 || !isStream) return end(refusedStatuses.has(reply.statusCode) ? 'refused' : 'broken');
    readMessages(reply, end, (message) => {
      clearTimeout(first);
      call.onMessage(message);
    });
  });
  sent.end(body);
}

function readMessages(
  reply: IncomingMessage,
  end: (outcome: StreamOutcome) => void,
  onMessage: (message: StreamMessage) => void,
): void {
  const frames = new FrameReader(messageBytes);
  reply.on('data', (bytes: Buffer) => {
    try {
      for (const each of frames.push(bytes)) {
        const message = decodeStreamMessage(each);
        // A job without an id is no job, and a stream that sends one is not to be trusted.
        if (message?.kind === 'job' && message.jobId === '') return end('broken');
        if (message) onMessage(message);
      }
    } catch {
      end('broken');
    }
  });
  reply.on('error', () => end('broken'));
  // Without trailers the connection was cut, unless the head of the reply had the status.
  reply.on('end', () => end(outcomeOf(reply.trailers['grpc-status'] ?? reply.headers['grpc-status'])));
  reply.on('close', () => end('broken'));
}

function outcomeOf(status: string | string[] | undefined): StreamOutcome {
  const code = typeof status === 'string' && status !== '' ? Number(status) : Number.NaN;
  if (code === grpcStatus.ok || code === grpcStatus.deadlineExceeded) return 'over';
  return refusedCalls.has(code) ? 'refused' : 'broken';
}
