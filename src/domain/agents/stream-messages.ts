/**
 * Messages of a stream of pings, as the service `agentedge.v1.AgentEdgeService` defines them in protobuf, and the
 * frames in which gRPC carries them: a byte that says whether the message is compressed, its length in four bytes
 * (big-endian), the message. Both ends use them: the server, and the bundled agent.
 */
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** Path of the call, at the root of the host: the path of the agents' endpoint does not count. */
export const streamPingsPath = '/agentedge.v1.AgentEdgeService/StreamPings';

/** What the server tells an agent on its stream. */
export type StreamMessage =
  { kind: 'resume' } | { kind: 'pause' | 'disconnect'; reason: string } | { kind: 'job'; jobId: string };

/** Status of a call, in its trailer `grpc-status`. */
export const grpcStatus = {
  ok: 0,
  invalidArgument: 3,
  /** Time is up. To agents the stream is healthy: they open the next one within a second. */
  deadlineExceeded: 4,
  aborted: 10,
  unimplemented: 12,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** Thrown for bytes that are no message of these. */
export class StreamFormatError extends Error {
  override readonly name = 'StreamFormatError';
}

// Numbers of the fields, which the service fixes.
const requestAgentId = 1;
const responseFields = { resume: 2, pause: 3, disconnect: 4, job: 5 } as const;
const reasonField = 1;
const jobField = 1;
const jobIdField = 1;

/** Encodes the request: the id of the agent, as registering has returned it. */
export function encodeStreamRequest(agentId: string): Uint8Array {
  return new BinaryWriter().tag(requestAgentId, WireType.LengthDelimited).string(agentId).finish();
}

/** Decodes a request to the agent id it names; empty for none. Fields that are not known are passed over. */
export function decodeStreamRequest(bytes: Uint8Array): string {
  return readText(bytes, requestAgentId);
}

export function encodeStreamMessage(message: StreamMessage): Uint8Array {
  const field = responseFields[message.kind];
  const writer = new BinaryWriter().tag(field, WireType.LengthDelimited).fork();
  if (message.kind === 'job') {
    writer.tag(jobField, WireType.LengthDelimited).fork();
    writer.tag(jobIdField, WireType.LengthDelimited).string(message.jobId).join();
  } else if (message.kind !== 'resume' && message.reason !== '') {
    writer.tag(reasonField, WireType.LengthDelimited).string(message.reason);
  }
  return writer.join().finish();
}

/** Decodes a message; null for a kind that is not known, which agents pass over. */
export function decodeStreamMessage(bytes: Uint8Array): StreamMessage | null {
  let message: StreamMessage | null = null;
  eachField(bytes, (field, value) => {
    if (field === responseFields.resume) message = { kind: 'resume' };
    if (field === responseFields.pause) message = { kind: 'pause', reason: readText(value, reasonField) };
    if (field === responseFields.disconnect) message = { kind: 'disconnect', reason: readText(value, reasonField) };
    if (field === responseFields.job)
      message = { kind: 'job', jobId: readText(readBytes(value, jobField), jobIdField) };
  });
  return message;
}

const prefixBytes = 5;

/** One message in its frame, not compressed. */
export function frame(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** Takes frames out of bytes as they arrive. Throws {@link StreamFormatError} for compressed and oversized messages. */
export class FrameReader {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly mostBytes: number) {}

  /** Bytes of a frame that has not arrived whole. */
  get pending(): number {
    return this.rest.length;
  }

  push(bytes: Uint8Array): Uint8Array[] {
    this.rest = this.rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.rest, bytes]);
    const messages: Uint8Array[] = [];
    while (this.rest.length >= prefixBytes) {
      const length = this.rest.readUInt32BE(1);
      if (this.rest[0] !== 0) throw new StreamFormatError('The message is compressed');
      if (length > this.mostBytes) throw new StreamFormatError(`The message is larger than ${this.mostBytes} bytes`);
      if (this.rest.length < prefixBytes + length) break;
      messages.push(this.rest.subarray(prefixBytes, prefixBytes + length));
      this.rest = this.rest.subarray(prefixBytes + length);
    }
    return messages;
  }
}

const nothing = new Uint8Array();

/** The text of a field, the last one if it is repeated; empty where the field is absent. */
function readText(bytes: Uint8Array, field: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readBytes(bytes, field));
  } catch (error) {
    throw error instanceof StreamFormatError ? error : new StreamFormatError('The message is not UTF-8');
  }
}

function readBytes(bytes: Uint8Array, fieldNumber: number): Uint8Array {
  let bytesOfField: Uint8Array = nothing;
  eachField(bytes, (field, value) => {
    if (field === fieldNumber) bytesOfField = value;
  });
  return bytesOfField;
}

/** Calls back for each field that has bytes; the others are none of these messages' and passed over. */
function eachField(bytes: Uint8Array, take: (field: number, value: Uint8Array) => void): void {
  try {
    const reader = new BinaryReader(bytes);
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag();
      if (wireType === WireType.LengthDelimited) take(field, reader.bytes());
      else reader.skip(wireType, field);
    }
  } catch (error) {
    if (error instanceof StreamFormatError) throw error;
    throw new StreamFormatError('The message is not valid protobuf');
  }
}
