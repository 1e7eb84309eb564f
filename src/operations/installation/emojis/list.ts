import { z } from 'zod';
import type { Emoji } from '../../../domain/installation/emoji.js';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';

/**
 * GET emojis: lists the emoji that texts of an organization can use, unpaginated; requires a token for the organization
 * and no scope.
 */
export const listEmojis = defineOperation({
  name: 'emoji.list',
  summary: 'Lists the emoji that texts can use.',
  kind: 'query',
  scope: null,
  access: 'visible',
  input: z.object({ organization: organizationAddress }),
  subject: (context, { organization }) => findOrganization(context, organization),
  // Loaded on first use, so that most servers do not hold the pictures in memory.
  run: async (): Promise<readonly Emoji[]> => (await import('../../../domain/installation/emoji.js')).emojis,
});
