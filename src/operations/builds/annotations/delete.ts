import { defineOperation } from '../../../core/operation.js';
import { type AnnotationSubject, recordAnnotation } from '../../../resources/builds/annotations/annotation.js';
import { annotationAddress, findAnnotation } from '../../../resources/builds/annotations/find-annotation.js';

/** DELETE annotation: by its id, or by its context from inside a job. */
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
