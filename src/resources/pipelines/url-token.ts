import { seal, unsealOwn } from '../../auth/sealed.js';
import { hashToken, newToken } from '../../auth/secrets.js';
import type { Services } from '../../services.js';
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
  { id, webhookTokenSealed }: Pick<PipelineRow, 'id' | 'webhookTokenSealed'>,
): string {
  return unsealOwn(secretKey, webhookPurpose, sealed(id, webhookTokenSealed));
}

export function badgeTokenOf(
  { secretKey }: Keys,
  { id, badgeTokenSealed }: Pick<PipelineRow, 'id' | 'badgeTokenSealed'>,
): string {
  return unsealOwn(secretKey, badgePurpose, sealed(id, badgeTokenSealed));
}

/** Null only until the first start after the columns were added (seal-url-tokens.ts). */
function sealed(id: string, value: string | null): string {
  if (value === null) throw new Error(`the URL tokens of pipeline ${id} are not sealed yet`);
  return value;
}
