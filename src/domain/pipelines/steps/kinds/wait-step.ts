import type { Attributes } from '../attributes/attributes.js';
import { readStepBase } from './step-base.js';
import type { WaitStep } from '../step.js';

/** Reads a wait step; the text of `wait` itself, where there is any, is its label. */
export function readWaitStep(attributes: Attributes): WaitStep {
  const title = attributes.text('wait', 'waiter');
  return {
    type: 'wait',
    ...readStepBase(attributes, title),
    continueOnFailure: attributes.flag('continue_on_failure', false),
  };
}
