import { z } from 'zod';
import { defineOperation } from '../operation.js';
import type { Subject } from '../subject.js';

export interface Meta {
  /** Addresses and networks that deliveries of webhooks come from, as the installation's configuration says. */
  webhookIps: readonly string[];
}

/** GET meta (rest-facts 1.9): about the service itself, for callers without a token too. */
export const getMeta = defineOperation({
  name: 'meta.get',
  summary: 'Returns information about the service.',
  kind: 'query',
  scope: null,
  access: 'anyone',
  input: z.object({}),
  subject: async (): Promise<Subject> => ({ everywhere: true }),
  run: async (context): Promise<Meta> => ({ webhookIps: context.services.webhookIps ?? [] }),
});
