/**
 * A queue of at most `most` items whose places are numbered from the first one ever: a ring in an array that is made
 * once. An array that items are taken from at its front is given new memory again and again, and the memory of before,
 * which outlives its items where the garbage collector has aged it, keeps them all: rendering took three times as long
 * then.
 */
export class Roll<Item> {
  /** Place of the oldest item. */
  first = 0;
  /** Place of the next item. */
  end = 0;
  private readonly items: (Item | undefined)[];
  private readonly mask: number;

  constructor(most: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(1, most)));
    this.items = new Array<Item | undefined>(size).fill(undefined);
    this.mask = size - 1;
  }

  get length(): number {
    return this.end - this.first;
  }

  /** The item at a place; undefined where there is none, or none any more. */
  at(place: number): Item | undefined {
    return place >= this.first && place < this.end ? this.items[place & this.mask] : undefined;
  }

  /** Replaces the item at a place. */
  set(place: number, item: Item): void {
    this.items[place & this.mask] = item;
  }

  push(item: Item): void {
    if (this.length > this.mask) throw new RangeError('the roll is full');
    this.items[this.end & this.mask] = item;
    this.end += 1;
  }

  /** Takes the oldest item. */
  shift(): Item | undefined {
    if (this.length === 0) return undefined;
    const place = this.first & this.mask;
    const item = this.items[place];
    this.items[place] = undefined;
    this.first += 1;
    return item;
  }

  /** All items, oldest first. */
  all(): Item[] {
    return Array.from({ length: this.length }, (_, index) => this.items[(this.first + index) & this.mask] as Item);
  }
}
