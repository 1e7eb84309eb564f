import { z } from 'zod';
import { agentHourPrice } from '../../../domain/agents/agent-hour-price.js';
import { limits } from '../../../domain/limits/limits.js';
import { filledText, oneOf, text } from '../../../domain/input-text.js';

/** Key of a queue, which jobs and agents name as `queue=<key>`. */
export const queueKey = filledText(limits.slugLength).regex(
  /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?$/i,
  'may hold letters, digits, hyphens and underscores only, and begins and ends with none of the hyphens',
);

const notHosted = 'is not available: agents run on machines of your own';

export const queueFields = {
  description: text(limits.descriptionLength).nullish(),
  retryAgentAffinity: oneOf(['prefer-warmest', 'prefer-different']).nullish(),
  pricePerAgentHour: agentHourPrice.nullish(),
  /** Machines of the hosted service, which clients of it may ask for. */
  hostedAgents: z
    .record(z.string(), z.unknown(), { error: notHosted })
    .nullish()
    .refine((settings) => settings == null, { error: notHosted }),
};
