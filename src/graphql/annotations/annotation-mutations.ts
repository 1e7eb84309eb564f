import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { defaultContext } from '../../domain/annotations/annotation.js';
import { encodeNodeId } from '../../domain/node-id.js';
import { limits } from '../../domain/limits.js';
import { createAnnotation } from '../../operations/annotations/create.js';
import { deleteAnnotation } from '../../operations/annotations/delete.js';
import { Build } from '../builds/build.js';
import { newEdge } from '../connections/edge.js';
import type { GraphqlContext } from '../context.js';
import { AnnotationStyle } from '../enums.js';
import { uuidOf } from '../ids.js';
import { JobTypeCommand } from '../jobs/job-type-command.js';
import { IdInput, MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { Annotation, AnnotationEdge } from './annotation.js';

/** What both inputs say of an annotation. */
@InputType('AnnotateInput')
abstract class AnnotateInput extends MutationInput {
  @Field(() => Boolean, { ...optional, defaultValue: false, description: 'Adds the body to the annotation of the same context.' })
  append?: boolean | null;

  @Field(() => String, { ...optional, description: 'HTML or Markdown. Without one the looks of the annotation that is there change.' })
  body?: string | null;

  @Field(() => String, { ...optional, defaultValue: defaultContext })
  context?: string | null;

  @Field(() => Int, { ...optional, defaultValue: limits.annotationPriorityDefault })
  priority?: number | null;

  @Field(() => AnnotationStyle, { ...optional, defaultValue: AnnotationStyle.DEFAULT })
  style?: string | null;
}

@InputType({ description: 'An annotation of a build.' })
class BuildAnnotateInput extends AnnotateInput {
  @Field(() => ID, { description: 'The id or uuid of the build.' })
  buildID!: string;
}

@InputType({ description: 'An annotation of a job.' })
class JobAnnotateInput extends AnnotateInput {
  @Field(() => ID, { description: 'The id or uuid of the job.' })
  jobId!: string;
}

@InputType({ description: 'An annotation to be deleted.' })
class AnnotationDeleteInput extends IdInput {}

@ObjectType('AnnotatePayload')
abstract class AnnotatePayload extends MutationPayload {
  @Field(() => Annotation, optional)
  annotation!: unknown;

  @Field(() => AnnotationEdge, optional)
  annotationEdge!: unknown;
}

@ObjectType({ description: 'The annotation as it is now.' })
class BuildAnnotatePayload extends AnnotatePayload {
  @Field(() => Build, optional)
  build!: unknown;
}

@ObjectType({ description: 'The annotation as it is now.' })
class JobAnnotatePayload extends AnnotatePayload {
  @Field(() => JobTypeCommand, optional)
  job!: unknown;
}

@ObjectType({ description: 'What is left of the annotation.' })
class AnnotationDeletePayload extends MutationPayload {
  @Field(() => Build, optional)
  build!: unknown;

  @Field(() => ID)
  deletedAnnotationId!: string;
}

async function annotate(context: GraphqlContext, of: object, { append, body, context: name, priority, style }: AnnotateInput) {
  const { build, annotation } = await context.command(createAnnotation, { of, append, body: body ?? undefined, context: name, priority, style, looksAlone: true });
  return { build, annotation, annotationEdge: newEdge(annotation) };
}

@Resolver()
export class AnnotationMutations {
  @Mutation(() => BuildAnnotatePayload, { ...optional, description: 'Annotates a build: the annotation of the same context is replaced, or added to.' })
  async buildAnnotate(@Arg('input', () => BuildAnnotateInput) input: BuildAnnotateInput, @Ctx() context: GraphqlContext) {
    return payload(input, await annotate(context, { build: { id: uuidOf(input.buildID, ['Build']) } }, input));
  }

  @Mutation(() => JobAnnotatePayload, { ...optional, description: 'Annotates a job: the annotation of the same context is replaced, or added to.' })
  async jobAnnotate(@Arg('input', () => JobAnnotateInput) input: JobAnnotateInput, @Ctx() context: GraphqlContext) {
    const id = uuidOf(input.jobId, ['Job']);
    const { annotation, annotationEdge } = await annotate(context, { job: { id } }, input);
    return payload(input, { annotation, annotationEdge, job: await context.load.job.load(id) });
  }

  @Mutation(() => AnnotationDeletePayload, { ...optional, description: 'Deletes an annotation.' })
  async annotationDelete(@Arg('input', () => AnnotationDeleteInput) input: AnnotationDeleteInput, @Ctx() context: GraphqlContext) {
    const { build, annotation } = await context.command(deleteAnnotation, { annotation: { id: uuidOf(input.id, ['Annotation']) } });
    return payload(input, { build, deletedAnnotationId: encodeNodeId('Annotation', annotation.id) });
  }
}
