import { Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { AnnotationRow } from '../../../entities/database.js';
import { scopeOf } from '../../../resources/builds/annotations/annotation.js';
import { annotationHtml } from '../../../resources/builds/annotations/body-html.js';
import { connectionOf } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { AnnotationScope, AnnotationStyle } from '../../enums.js';
import { JobTypeCommand } from '../jobs/job-type-command.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { DateTime } from '../../scalars/date-time.js';

@ObjectType({ description: 'Body of an annotation.' })
export class AnnotationBody {}

@ObjectType({ implements: Node, description: 'Markdown text about a build or a job.' })
export class Annotation {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the annotation; `id` in the REST API.' })
  id!: string;

  @Field(() => String, { description: 'Context of the annotation, unique within its build or job.' })
  context!: string;

  @Field(() => Int, { description: 'Priority of the annotation, from 1 to 10; a higher priority is shown first.' })
  priority!: number;

  @Field(() => DateTime, { description: 'Time the annotation was created.' })
  createdAt!: Date;

  @Field(() => DateTime, { ...optional, description: 'Time of the last change to the annotation.' })
  updatedAt!: Date;
}

export const { Connection: AnnotationConnection, Edge: AnnotationEdge } = connectionOf('Annotation', () => Annotation);

/** Value behind a body; the text is loaded only when a field of the body is selected. */
interface BodyValue {
  annotationId: string;
}

@Resolver(() => Annotation)
export class AnnotationResolver {
  @FieldResolver(() => AnnotationBody, { ...optional, description: 'Body of the annotation.' })
  body(@Root() { id }: AnnotationRow): BodyValue {
    return { annotationId: id };
  }

  @FieldResolver(() => JobTypeCommand, {
    ...optional,
    description: 'Job of the annotation; null for an annotation of the build.',
  })
  job(@Root() { jobId }: AnnotationRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.references.job, jobId);
  }

  @FieldResolver(() => AnnotationScope, { description: 'Object that the annotation belongs to.' })
  scope(@Root() annotation: AnnotationRow): string {
    return scopeOf(annotation);
  }

  @FieldResolver(() => AnnotationStyle, {
    ...optional,
    description: 'Visual style of the annotation; `DEFAULT` when none was set.',
  })
  style(@Root() { style }: AnnotationRow): string {
    return style ?? AnnotationStyle.DEFAULT;
  }
}

@Resolver(() => AnnotationBody)
export class AnnotationBodyResolver {
  @FieldResolver(() => String, {
    ...optional,
    description: 'Body as sanitized HTML; null when the body cannot be rendered.',
  })
  html(@Root() { annotationId }: BodyValue, @Ctx() context: GraphqlContext): Promise<string | null> {
    return annotationHtml(context, annotationId);
  }

  @FieldResolver(() => String, { description: 'Body as it was written, in HTML or Markdown.' })
  async text(@Root() { annotationId }: BodyValue, @Ctx() context: GraphqlContext): Promise<string> {
    return (await context.load.longTexts.annotationText.load(annotationId)) ?? '';
  }
}
