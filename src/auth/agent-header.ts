import { hashToken, tokenPrefixes } from './secrets.js';

/** The token in `Authorization: Token …`; null where there is none. */
export function tokenOf(header: string | undefined): string | null {
  return /^Token +(\S{1,512})$/i.exec(header ?? '')?.[1] ?? null;
}

/** The hash of the token in `Authorization: Token …` if it may be that of a session; null for any other. */
export function sessionTokenHash(header: string | undefined): string | null {
  const token = tokenOf(header);
  return token?.startsWith(tokenPrefixes.agentSession) ? hashToken(token) : null;
}
