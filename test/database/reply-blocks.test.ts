import fc from 'fast-check';
import { ReplyBlocks } from '../../src/database/embedded/reply-blocks.js';

/** A message of the protocol: a type, a length that includes itself, and so many bytes. */
function message(type: number, size: number): Buffer {
  const bytes = Buffer.alloc(5 + size, type);
  bytes.writeInt32BE(4 + size, 1);
  return bytes;
}

/** Sizes of most messages, and of some that fill blocks. */
const sizes = fc.array(fc.oneof({ weight: 8, arbitrary: fc.nat(300) }, fc.nat(300_000)), { maxLength: 40 });
const pieces = fc.infiniteStream(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 100_000 })));

function messagesIn(block: Buffer): number {
  let count = 0;
  for (let at = 0; at < block.length; at += 1 + block.readInt32BE(at + 1)) count += 1;
  return count;
}

describe('replies of the embedded database in blocks', () => {
  test('are all that arrived, in order, with whole messages in every block, wherever the pieces were cut', () => {
    fc.assert(
      fc.property(sizes, pieces, (lengths, cuts) => {
        const all = Buffer.concat(lengths.map((size, index) => message(65 + (index % 20), size)));
        const blocks = new ReplyBlocks();
        for (let at = 0; at < all.length;) {
          const piece = Uint8Array.prototype.slice.call(all, at, at + (cuts.next().value ?? 1));
          blocks.add(piece);
          at += piece.length;
          // The database overwrites the memory of a piece.
          piece.fill(0);
        }
        const ended = blocks.end();
        expect(Buffer.concat(ended).equals(all)).toBe(true);
        expect(ended.reduce((sum, block) => sum + messagesIn(block), 0)).toBe(lengths.length);
        for (const block of ended) expect(block.length <= 256 * 1024 || messagesIn(block) === 1).toBe(true);
      }),
    );
  });

  test('are what was whole where the last message was cut off, or the rest is forgotten', () => {
    const [whole, cut] = [message(68, 100), message(68, 50)];
    const first = new ReplyBlocks();
    first.add(Buffer.concat([whole, cut.subarray(0, 20)]));
    expect(first.end()).toEqual([whole]);
    const forgotten = new ReplyBlocks();
    forgotten.add(whole);
    for (let count = 0; count < 5; count += 1) forgotten.add(message(68, 200_000));
    forgotten.keepFirst();
    expect(forgotten.end()).toEqual([whole]);
  });
});
