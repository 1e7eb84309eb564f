import type { PassProgress } from '../../../domain/retention/pass.js';
import type { Services } from '../../../services/services.js';
import type { Pace } from '../../pace.js';

/** One pass over everything, in steps that are each a bounded part. */
export interface Pass {
  services: Services;
  pace: Pace;
  progress: PassProgress;
  /** Whether the round is to end: asked between two batches. */
  isOver: () => boolean;
  /** Keeps the pass for this process while something takes longer than a round. */
  renew: () => Promise<unknown>;
  signal: AbortSignal | undefined;
}
