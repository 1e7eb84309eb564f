/** How far a percentile of a sketch may be from that of the values themselves, as a part of it. */
export const sketchError = 0.02;
/** Each bucket ends at so many times the end of the one before it. */
export const sketchBase = (1 + sketchError) / (1 - sketchError);

/** The value that is as far from the begin of a bucket as from its end, each as a part of it; milliseconds. */
const valueOf = (bucket: number): number => (bucket === 0 ? 0 : (2 * sketchBase ** (bucket - 1)) / (sketchBase + 1));

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const digitOf = new Uint8Array(128);
for (let index = 0; index < digits.length; index += 1) digitOf[digits.charCodeAt(index)] = index;

const empty = new Uint32Array(0);

/**
 * How many values each bucket has, by its number: counts of two sketches add up to that of all their values. They are
 * in one array of the buckets between the first and the last with a value, because a year by day adds thousands up.
 */
export class Sketch {
  private first = 0;
  private counts = empty;

  /** Counts buckets as SQL lists them, parted by spaces. */
  static of(buckets: string | null): Sketch {
    const sketch = new Sketch();
    if (buckets) for (const text of buckets.split(' ')) sketch.count(Number(text), 1);
    return sketch;
  }

  /** The sketch of a packed text. */
  static unpack(text: string): Sketch {
    const sketch = new Sketch();
    sketch.addPacked(text);
    return sketch;
  }

  count(bucket: number, values: number): void {
    let at = bucket - this.first;
    if (at < 0 || at >= this.counts.length) {
      this.makeRoom(bucket);
      at = bucket - this.first;
    }
    this.counts[at] = (this.counts[at] ?? 0) + values;
  }

  /** Doubles the array in the direction of the bucket, or takes it there. */
  private makeRoom(bucket: number): void {
    const { first, counts } = this;
    const { length } = counts;
    let begin = first;
    let end = first + length;
    if (length === 0) [begin, end] = [bucket, bucket + 1];
    else if (bucket < first) begin = Math.max(0, Math.min(bucket, first - length));
    else end = Math.max(bucket + 1, first + 2 * length);
    this.first = begin;
    this.counts = new Uint32Array(end - begin);
    if (length > 0) this.counts.set(counts, first - begin);
  }

  add(other: Sketch): void {
    other.counts.forEach((values, at) => {
      if (values > 0) this.count(other.first + at, values);
    });
  }

  /** Adds the values of a packed sketch. */
  addPacked(text: string): void {
    const { length } = text;
    let { first, counts } = this;
    let bucket = 0;
    let number = 0;
    let factor = 1;
    let isBucket = true;
    // One loop without calls: a year by day has millions of characters.
    for (let at = 0; at < length; at += 1) {
      const digit = digitOf[text.charCodeAt(at)] ?? 0;
      if (digit >= 32) {
        number += (digit - 32) * factor;
        factor *= 32;
        continue;
      }
      number += digit * factor;
      if (isBucket) bucket += number;
      else {
        const place = bucket - first;
        if (place >= 0 && place < counts.length) counts[place] = (counts[place] ?? 0) + number;
        else {
          this.count(bucket, number);
          ({ first, counts } = this);
        }
      }
      isBucket = !isBucket;
      number = 0;
      factor = 1;
    }
  }

  /** The sketch as a short text: distances of buckets and their counts, five bits a character as in source maps. */
  pack(): string {
    let text = '';
    const write = (number: number): void => {
      let left = number;
      while (left >= 32) {
        text += digits[32 + (left % 32)];
        left = Math.floor(left / 32);
      }
      text += digits[left];
    };
    let last = 0;
    this.counts.forEach((values, at) => {
      if (values === 0) return;
      write(this.first + at - last);
      write(values);
      last = this.first + at;
    });
    return text;
  }

  /**
   * Seconds that these shares of the values do not exceed, interpolated between neighbours as `percentile_cont` of
   * PostgreSQL does; null for each without a value.
   */
  percentiles(shares: readonly number[]): (number | null)[] {
    const count = this.counts.reduce((sum, values) => sum + values, 0);
    if (count === 0) return shares.map(() => null);
    return shares.map((share) => {
      const place = share * (count - 1);
      const below = Math.floor(place);
      const low = this.valueAt(below);
      const high = place > below ? this.valueAt(below + 1) : low;
      return (low + (high - low) * (place - below)) / 1000;
    });
  }

  /** About the value that so many others are below, in milliseconds. */
  private valueAt(rank: number): number {
    let passed = 0;
    const at = this.counts.findIndex((values) => (passed += values) > rank);
    return valueOf(this.first + at);
  }
}
