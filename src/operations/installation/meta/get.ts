import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import type { EverywhereSubject } from '../../../core/subject.js';

export interface Meta {
  /** Addresses and networks that outgoing webhooks are sent from, from the configuration. */
  webhookIps: readonly string[];
}

/** GET meta: returns information about the service; needs no token. */
export const getMeta = defineOperation({
  name: 'meta.get',
  summary: 'Returns information about the service.',
  kind: 'query',
  scope: null,
  access: 'anyone',
  input: z.object({}),
  subject: async (): Promise<EverywhereSubject> => ({ everywhere: true }),
  run: async (context): Promise<Meta> => ({ webhookIps: context.services.webhookIps ?? [] }),
});
