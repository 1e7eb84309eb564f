import { z } from 'zod';
import type { Emoji } from '../../domain/emoji.js';
import { organizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import { defineOperation } from '../operation.js';

/** GET emojis (rest-facts 1.9): what texts of an organization can name, all of it at once; any token that may see the organization will do. */
export const listEmojis = defineOperation({
  name: 'emoji.list',
  summary: 'Lists the emoji that texts can name.',
  kind: 'query',
  scope: null,
  access: 'visible',
  input: z.object({ organization: organizationAddress }),
  subject: (context, { organization }) => findOrganization(context, organization),
  // Loaded when somebody asks: a server that nobody asks for pictures does not hold them.
  run: async (): Promise<readonly Emoji[]> => (await import('../../domain/emoji.js')).emojis,
});
