import { defineOperation } from '../../../core/operation.js';
import type { AnnotationSubject } from '../../../resources/builds/annotations/annotation.js';
import { annotationAddress, findAnnotation } from '../../../resources/builds/annotations/find-annotation.js';

/** Returns one annotation by its id, with or without its build or job. */
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
