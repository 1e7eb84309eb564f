import { stepKinds } from './steps.js';
import * as values from './values.js';
import { anyOf, listOf, type Schema } from './values.js';

const reference = (name: string): Schema => ({ $ref: `#/definitions/${name}` });
const plainKinds = Object.keys(stepKinds).filter((name) => name !== 'groupStep');

/**
 * The JSON schema of pipeline files, for editors that complete and check them (`/pipeline-schema.json`). It is an
 * approximation: a file that is valid by it may be refused (an `if`, a key), and a file that is invalid by it may be
 * accepted (an attribute that nothing reads).
 */
export const pipelineFileSchema: Schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Pipeline file',
  description: 'Steps of a pipeline, as stored or uploaded by a job.',
  definitions: {
    ...stepKinds,
    plainStep: anyOf(...plainKinds.map(reference)),
    step: anyOf(...Object.keys(stepKinds).map(reference)),
    steps: anyOf(listOf(reference('step')), { type: 'null' }),
  },
  anyOf: [
    {
      type: 'object',
      properties: {
        env: values.env,
        agents: values.agents,
        notify: values.notify,
        image: values.image,
        secrets: values.secrets,
        priority: values.priority,
        checkout: values.checkout,
        cache: values.cache,
        steps: reference('steps'),
      },
      required: ['steps'],
      // Further names are for anchors that steps refer to.
      additionalProperties: true,
    },
    reference('steps'),
  ],
};
