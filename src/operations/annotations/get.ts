import { defineOperation } from '../operation.js';
import type { AnnotationSubject } from './annotation.js';
import { annotationAddress, findAnnotation } from './find-annotation.js';

/** One annotation by its id, below its build or job or alone. */
export const getAnnotation = defineOperation({
  name: 'annotation.get',
  summary: 'Returns one annotation.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  input: annotationAddress,
  subject: (context, address) => findAnnotation(context, address),
  run: async (_context, _input, subject): Promise<AnnotationSubject> => subject,
});
