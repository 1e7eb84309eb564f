import { Attributes } from '../attributes/attributes.js';
import { readSoftFail } from '../attributes/soft-fail.js';
import { readStepBase } from './step-base.js';
import { limitOf } from '../../../limits/raised-limits.js';
import type { TriggerStep } from '../step.js';

/** Reads a trigger step. Absent fields of `build` are null: the triggered pipeline decides. */
export function readTriggerStep(attributes: Attributes): TriggerStep {
  const trigger = attributes.text('trigger');
  if (trigger === null) attributes.problem('trigger', 'A trigger step needs the slug of the pipeline to trigger.');
  const build = new Attributes(attributes.object('build') ?? {}, attributes.pathOf('build'), attributes.reading);
  const step: TriggerStep = {
    type: 'trigger',
    ...readStepBase(attributes),
    trigger: trigger ?? '',
    async: attributes.flag('async', false),
    softFail: readSoftFail(attributes),
    parallelism: attributes.integer(['parallelism'], { min: 0, max: limitOf('jobsPerUpload') }),
    build: {
      message: build.text('message'),
      branch: build.text('branch'),
      commit: build.text('commit'),
      env: build.environment('env'),
      metaData: build.stringMap('meta_data'),
    },
  };
  build.reportUnknown();
  return step;
}
