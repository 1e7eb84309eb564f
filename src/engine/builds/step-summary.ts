import type { StepRow } from '../../entities/database.js';
import type { StepSummary } from '../../loaders/loaders.js';

type StepFields = Pick<StepRow, 'id' | 'key' | 'label' | 'groupId' | 'type' | 'definition'>;

/** The summary of a step whose row is at hand, as the loader of summaries reads it. */
export function stepSummaryOf({ id, key, label, groupId, type, definition }: StepFields): StepSummary {
  const { signature, image, checkout } = definition as {
    signature?: StepSummary['signature'];
    image?: StepSummary['image'];
    checkout?: StepSummary['checkout'];
  };
  const ofCommand = type === 'command';
  return {
    id,
    key,
    label,
    groupId,
    signature: signature ?? null,
    image: ofCommand ? (image ?? null) : null,
    checkout: ofCommand ? (checkout ?? null) : null,
  };
}
