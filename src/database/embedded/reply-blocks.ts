const blockBytes = 256 * 1024;
/** Bytes of a type and a length, with which every message begins. */
const headBytes = 5;

/**
 * The bytes of replies as they arrive, copied once, into blocks that hold whole messages each: a reader can give up a
 * block as soon as it has read it. A block has 256 KiB, or the size of a message that is longer.
 */
export class ReplyBlocks {
  private readonly full: Buffer[] = [];
  private block = Buffer.alloc(0);
  private used = 0;
  /** The head of a message of which a piece brought only a part. */
  private readonly head = Buffer.alloc(headBytes);
  private headUsed = 0;
  /** Where the last message of the block begins, and how many of its bytes are to come. */
  private begun = 0;
  private missing = 0;

  /** Copies the next bytes, which may begin and end in the middle of a message. */
  add(piece: Uint8Array): void {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    for (let at = 0; at < bytes.length;) at += this.addSome(bytes.subarray(at));
  }

  /** What has arrived, the last message too if it is whole; nothing can be added afterwards. */
  end(): Buffer[] {
    this.close();
    return this.full;
  }

  /** Forgets all but the beginning of what has arrived. */
  keepFirst(): void {
    this.close();
    this.full.length = Math.min(this.full.length, 1);
  }

  /** Adds the beginning of the bytes and gives how much that was. */
  private addSome(bytes: Buffer): number {
    if (this.missing > 0) return this.copy(bytes.subarray(0, this.missing), true);
    if (this.headUsed === 0) {
      const whole = wholeMessages(bytes, blockBytes);
      if (whole > 0) {
        this.makeRoom(whole);
        return this.copy(bytes.subarray(0, whole), false);
      }
    }
    const part = bytes.copy(this.head, this.headUsed, 0, headBytes - this.headUsed);
    this.headUsed += part;
    if (this.headUsed === headBytes) this.begin();
    return part;
  }

  /** Begins a message whose head has arrived. */
  private begin(): void {
    const size = sizeOfMessage(this.head, 0);
    this.makeRoom(size);
    this.begun = this.used;
    this.copy(this.head, false);
    this.headUsed = 0;
    this.missing = size - headBytes;
  }

  private makeRoom(bytes: number): void {
    if (this.block.length - this.used >= bytes) return;
    // Most replies come in one piece and need no more than it.
    const isFirst = this.block.length === 0 && this.full.length === 0;
    this.close();
    this.block = Buffer.allocUnsafe(isFirst ? bytes : Math.max(blockBytes, bytes));
  }

  private copy(bytes: Buffer, isRest: boolean): number {
    const count = bytes.copy(this.block, this.used);
    this.used += count;
    if (isRest) this.missing -= count;
    return count;
  }

  private close(): void {
    const whole = this.missing > 0 ? this.begun : this.used;
    if (whole > 0) this.full.push(this.block.subarray(0, whole));
    this.block = Buffer.alloc(0);
    this.used = 0;
  }
}

/** The size of a message with its type. */
const sizeOfMessage = (bytes: Buffer, at: number): number => 1 + bytes.readInt32BE(at + 1);

/** Bytes of the whole messages that these bytes begin with, of at most so many bytes if they are several. */
function wholeMessages(bytes: Buffer, most: number): number {
  let end = 0;
  while (end + headBytes <= bytes.length) {
    const next = end + sizeOfMessage(bytes, end);
    if (next > bytes.length || (end > 0 && next > most)) break;
    end = next;
  }
  return end;
}
