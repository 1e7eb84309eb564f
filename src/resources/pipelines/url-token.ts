import { seal, unsealOwn } from '../../auth/sealed.js';
import { hashToken, newToken } from '../../auth/secrets.js';
import type { Services } from '../../services/services.js';
import type { PipelineRow } from '../../entities/database.js';

const webhookPurpose = 'pipeline-webhook-token';
const badgePurpose = 'pipeline-badge-token';

type Keys = Pick<Services, 'secretKey'>;

/** The secret part of a webhook or badge URL: 50 hex characters. */
export function newUrlToken(): string {
  return newToken('', 25);
}

/**
 * Columns of a pipeline's webhook token: a hash to find the pipeline by, and the sealed token, because replies show it
 * again.
 */
export function webhookTokenColumns(
  { secretKey }: Keys,
  token = newUrlToken(),
): Pick<PipelineRow, 'webhookTokenHash' | 'webhookTokenSealed'> {
  return { webhookTokenHash: hashToken(token), webhookTokenSealed: seal(secretKey, webhookPurpose, token) };
}

/** Columns of a pipeline's badge token. */
export function badgeTokenColumns(
  { secretKey }: Keys,
  token = newUrlToken(),
): Pick<PipelineRow, 'badgeTokenHash' | 'badgeTokenSealed'> {
  return { badgeTokenHash: hashToken(token), badgeTokenSealed: seal(secretKey, badgePurpose, token) };
}

export function webhookTokenOf(
  { secretKey }: Keys,
  { id, webhookTokenSealed, webhookToken }: Pick<PipelineRow, 'id' | 'webhookTokenSealed' | 'webhookToken'>,
): string {
  if (webhookTokenSealed !== null) return unsealOwn(secretKey, webhookPurpose, webhookTokenSealed);
  return plain(id, webhookToken);
}

export function badgeTokenOf(
  { secretKey }: Keys,
  { id, badgeTokenSealed, badgeToken }: Pick<PipelineRow, 'id' | 'badgeTokenSealed' | 'badgeToken'>,
): string {
  if (badgeTokenSealed !== null) return unsealOwn(secretKey, badgePurpose, badgeTokenSealed);
  return plain(id, badgeToken);
}

/** The token of a pipeline that a replica of a former release has made, until seal-url-tokens.ts seals it. */
function plain(id: string, token: string | null): string {
  if (token === null) throw new Error(`pipeline ${id} has no URL token`);
  return token;
}
