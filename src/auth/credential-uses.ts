/** One use of a credential. */
export interface CredentialUse {
  at: Date;
  ipAddress: string | null;
  userAgent: string | null;
}

/** Characters of a `User-Agent` that are stored. */
const userAgentLength = 1_000;

/** A copy, because a part of a text keeps the whole in memory. */
const beginningOf = (text: string | null) =>
  text !== null && text.length > userAgentLength ? Buffer.from(text.slice(0, userAgentLength)).toString() : text;

export type CredentialKind = 'api_token' | 'session';

/** Credentials that may be noted between two writes; the uses of more are forgotten, which costs accuracy only. */
const most = 50_000;

/**
 * The last uses of API tokens and sessions in this process. They are kept in memory and written together by a
 * background task, so that no request pays a statement for them.
 */
export class CredentialUses {
  private uses: Record<CredentialKind, Map<string, CredentialUse>> = { api_token: new Map(), session: new Map() };

  note(kind: CredentialKind, id: string, use: CredentialUse): void {
    const uses = this.uses[kind];
    if (uses.size < most || uses.has(id)) uses.set(id, { ...use, userAgent: beginningOf(use.userAgent) });
  }

  /** Returns the uses since the last call and forgets them. */
  take(kind: CredentialKind): Map<string, CredentialUse> {
    const uses = this.uses[kind];
    this.uses[kind] = new Map();
    return uses;
  }
}
