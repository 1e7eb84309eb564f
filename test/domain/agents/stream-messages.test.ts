import fc from 'fast-check';
import {
  decodeStreamMessage,
  decodeStreamRequest,
  encodeStreamMessage,
  encodeStreamRequest,
  frame,
  FrameReader,
  StreamFormatError,
  type StreamMessage,
} from '../../../src/domain/agents/stream-messages.js';

const jobId = '019b7ca9-8c88-752c-9684-53b3bbeed4ba';
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('messages of a stream of pings', () => {
  test.each<[string, StreamMessage, string]>([
    ['resume', { kind: 'resume' }, '1200'],
    ['pause', { kind: 'pause', reason: 'a' }, '1a030a0161'],
    ['disconnect without a reason', { kind: 'disconnect', reason: '' }, '2200'],
    ['job', { kind: 'job', jobId }, `2a280a260a24${Buffer.from(jobId).toString('hex')}`],
  ])('%s has the bytes that agents expect', (_name, message, bytes) => {
    expect(hex(encodeStreamMessage(message))).toBe(bytes);
    expect(decodeStreamMessage(Buffer.from(bytes, 'hex'))).toEqual(message);
  });

  test('a request names its agent; fields that are not known are passed over', () => {
    expect(decodeStreamRequest(encodeStreamRequest(jobId))).toBe(jobId);
    expect(decodeStreamRequest(Buffer.from('10010a0161220178', 'hex'))).toBe('a');
    expect(decodeStreamRequest(new Uint8Array())).toBe('');
    expect(decodeStreamMessage(Buffer.from('3a00', 'hex'))).toBeNull();
  });

  test.each(['0aff', '0a02c328', 'ffffffffffffffffffffff'])('bytes that are no message are refused: %s', (bytes) => {
    expect(() => decodeStreamRequest(Buffer.from(bytes, 'hex'))).toThrow(StreamFormatError);
  });

  test('frames are found however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 20 })), fc.infiniteStream(fc.nat(9)), (messages, cuts) => {
        const bytes = Buffer.concat(messages.map(frame));
        const reader = new FrameReader(20);
        const found: Uint8Array[] = [];
        for (let at = 0; at < bytes.length;) {
          const size = 1 + (cuts.next().value as number);
          found.push(...reader.push(bytes.subarray(at, at + size)));
          at += size;
        }
        expect(found.map(hex)).toEqual(messages.map(hex));
        expect(reader.pending).toBe(0);
      }),
    );
  });

  test('a frame that is compressed, or larger than allowed, is refused before its bytes have come', () => {
    expect(() => new FrameReader(10).push(Buffer.from([1, 0, 0, 0, 0]))).toThrow(StreamFormatError);
    expect(() => new FrameReader(10).push(Buffer.from([0, 0, 0, 0, 11]))).toThrow(StreamFormatError);
  });
});
