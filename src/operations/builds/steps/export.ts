import { z } from 'zod';
import { printAttribute, stepAttributes } from '../../../domain/builds/step-attributes.js';
import { wrongState } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import { stepDefinition } from '../../../engine/builds/load-facts.js';
import { findCallersStep, stepInput } from '../../../resources/builds/steps/callers-step.js';

/** POST export: reads one attribute of a step of the calling job's build, or all of them as JSON. */
export const exportStep = defineOperation({
  name: 'step.export',
  summary: 'Returns an attribute of a step to a running job.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: stepInput.extend({ attribute: z.string().max(100).nullish(), format: z.string().max(100).nullish() }),
  subject: findCallersStep,
  run: async (context, { attribute, format }, { step }): Promise<{ output: string }> => {
    if (format && format !== 'json') throw wrongState(`The format "${format}" is not supported; it can be json`);
    const jobs = await context.db
      .selectFrom('jobs as j')
      .innerJoin('steps as s', 's.id', 'j.stepId')
      .select(['j.type', 'j.state', 'j.passed', 'j.softFailed', 'j.retried', 'j.startedAt', 'j.priority'])
      .where('j.buildId', '=', step.buildId)
      .where((eb) => eb.or([eb('s.id', '=', step.id), eb('s.groupId', '=', step.id)]))
      .execute();
    const attributes = stepAttributes({
      ...step,
      definition: stepDefinition(step),
      priority: step.type === 'command' ? (jobs.at(-1)?.priority ?? null) : null,
      jobs,
    });
    if (!attribute) return { output: printAttribute(attributes, 'json') };
    const value = Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined;
    if (value === undefined)
      throw wrongState(
        `The attribute "${attribute}" cannot be read; it can be ${Object.keys(attributes).sort().join(', ')}`,
      );
    return { output: printAttribute(value, format ?? null) };
  },
});
