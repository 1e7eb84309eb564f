/** What is in a reply: what its points are reckoned by. */
export interface ReplyCost {
  /** Objects, by the rule of the estimate. */
  objects: number;
  /** Characters of its texts. */
  characters: number;
}

/** A value of a reply as its JSON text, which was made for an earlier reply. */
export class KeptText {
  constructor(
    readonly text: Buffer,
    readonly cost: ReplyCost,
  ) {}

  toJSON(): unknown {
    return JSON.parse(this.text.toString('utf8'));
  }
}
