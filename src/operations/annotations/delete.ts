import { defineOperation } from '../operation.js';
import { type AnnotationSubject, recordAnnotation } from './annotation.js';
import { annotationAddress, findAnnotation } from './find-annotation.js';

/** DELETE an annotation (rest-facts 2.4), by its id, or by its context from inside a job (agent-protocol 7.2). */
export const deleteAnnotation = defineOperation({
  name: 'annotation.delete',
  summary: 'Deletes an annotation.',
  kind: 'command',
  scope: 'write_builds',
  access: 'build',
  input: annotationAddress,
  subject: (context, address) => findAnnotation(context, address, { lock: true }),
  run: async (context, _input, subject): Promise<AnnotationSubject> => {
    await context.db.deleteFrom('annotations').where('id', '=', subject.annotation.id).execute();
    recordAnnotation(context, 'annotation.delete', subject.build, subject.annotation);
    return subject;
  },
});
