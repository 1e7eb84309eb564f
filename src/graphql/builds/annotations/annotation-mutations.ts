import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { defaultContext } from '../../../domain/builds/annotations/annotation.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import { limits } from '../../../domain/limits/limits.js';
import { createAnnotation } from '../../../operations/builds/annotations/create.js';
import { deleteAnnotation } from '../../../operations/builds/annotations/delete.js';
import { Build } from '../build.js';
import { newEdge } from '../../connections/edge.js';
import type { GraphqlContext } from '../../context.js';
import { AnnotationStyle } from '../../enums.js';
import { uuidOf } from '../../nodes/ids.js';
import { JobTypeCommand } from '../jobs/job-type-command.js';
import { IdInput, MutationInput, MutationPayload, payload } from '../../mutation-input.js';
import { optional } from '../../server/options.js';
import { Annotation, AnnotationEdge } from './annotation.js';

/** Fields that both inputs share. */
@InputType('AnnotateInput')
abstract class AnnotateInput extends MutationInput {
  @Field(() => Boolean, {
    ...optional,
    defaultValue: false,
    description: 'Whether the body is appended to the existing annotation of the same context.',
  })
  append?: boolean | null;

  @Field(() => String, {
    ...optional,
    description: 'Body in HTML or Markdown. Without a body only priority and style of the existing annotation change.',
  })
  body?: string | null;

  @Field(() => String, {
    ...optional,
    defaultValue: defaultContext,
    description: 'Context of the annotation; an existing annotation of the same context is replaced or extended.',
  })
  context?: string | null;

  @Field(() => Int, {
    ...optional,
    defaultValue: limits.annotationPriorityDefault,
    description: 'Priority of the annotation, from 1 to 10; a higher priority is shown first.',
  })
  priority?: number | null;

  @Field(() => AnnotationStyle, {
    ...optional,
    defaultValue: AnnotationStyle.DEFAULT,
    description: 'Visual style of the annotation.',
  })
  style?: string | null;
}

@InputType({ description: 'Input of `buildAnnotate`.' })
class BuildAnnotateInput extends AnnotateInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the build.' })
  buildID!: string;
}

@InputType({ description: 'Input of `jobAnnotate`.' })
class JobAnnotateInput extends AnnotateInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the job.' })
  jobId!: string;
}

@InputType({ description: 'Input of `annotationDelete`.' })
class AnnotationDeleteInput extends IdInput {}

@ObjectType('AnnotatePayload')
abstract class AnnotatePayload extends MutationPayload {
  @Field(() => Annotation, { ...optional, description: 'Annotation after the change.' })
  annotation!: unknown;

  @Field(() => AnnotationEdge, {
    ...optional,
    description: 'Annotation as an edge, to append to a list of annotations.',
  })
  annotationEdge!: unknown;
}

@ObjectType({ description: 'Result of `buildAnnotate`.' })
class BuildAnnotatePayload extends AnnotatePayload {
  @Field(() => Build, { ...optional, description: 'Build of the annotation.' })
  build!: unknown;
}

@ObjectType({ description: 'Result of `jobAnnotate`.' })
class JobAnnotatePayload extends AnnotatePayload {
  @Field(() => JobTypeCommand, { ...optional, description: 'Job of the annotation.' })
  job!: unknown;
}

@ObjectType({ description: 'Result of `annotationDelete`.' })
class AnnotationDeletePayload extends MutationPayload {
  @Field(() => Build, { ...optional, description: 'Build of the deleted annotation.' })
  build!: unknown;

  @Field(() => ID, { description: 'GraphQL ID of the deleted annotation.' })
  deletedAnnotationId!: string;
}

async function annotate(
  context: GraphqlContext,
  of: object,
  { append, body, context: name, priority, style }: AnnotateInput,
) {
  const { build, annotation } = await context.command(createAnnotation, {
    of,
    append,
    body: body ?? undefined,
    context: name,
    priority,
    style,
    looksAlone: true,
  });
  return { build, annotation, annotationEdge: newEdge(annotation) };
}

@Resolver()
export class AnnotationMutations {
  @Mutation(() => BuildAnnotatePayload, {
    ...optional,
    description: 'Annotates a build; replaces or extends the existing annotation of the same context.',
  })
  async buildAnnotate(
    @Arg('input', () => BuildAnnotateInput, { description: 'Build and annotation.' }) input: BuildAnnotateInput,
    @Ctx() context: GraphqlContext,
  ) {
    return payload(input, await annotate(context, { build: { id: uuidOf(input.buildID, ['Build']) } }, input));
  }

  @Mutation(() => JobAnnotatePayload, {
    ...optional,
    description: 'Annotates a job; replaces or extends the existing annotation of the same context.',
  })
  async jobAnnotate(
    @Arg('input', () => JobAnnotateInput, { description: 'Job and annotation.' }) input: JobAnnotateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const id = uuidOf(input.jobId, ['Job']);
    const { annotation, annotationEdge } = await annotate(context, { job: { id } }, input);
    return payload(input, { annotation, annotationEdge, job: await context.references.job.load(id) });
  }

  @Mutation(() => AnnotationDeletePayload, { ...optional, description: 'Deletes an annotation.' })
  async annotationDelete(
    @Arg('input', () => AnnotationDeleteInput, { description: 'Annotation to delete.' }) input: AnnotationDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { build, annotation } = await context.command(deleteAnnotation, {
      annotation: { id: uuidOf(input.id, ['Annotation']) },
    });
    return payload(input, { build, deletedAnnotationId: encodeNodeId('Annotation', annotation.id) });
  }
}
