import { replyBytes } from '../../../src/domain/limits/memory-bounds.js';

const mib = 1024 * 1024;

test.each([
  ['128 MiB', 128 * mib, 32 * mib],
  ['512 MiB', 512 * mib, 32 * mib],
  ['1 GiB', 1024 * mib, 64 * mib],
  ['4 GiB', 4096 * mib, 256 * mib],
  ['16 GiB', 16384 * mib, 256 * mib],
])('with a heap of %s one reply may hold a sixteenth of it, but between 32 and 256 MiB', (_name, heap, bytes) =>
  expect(replyBytes(heap)).toBe(bytes),
);
