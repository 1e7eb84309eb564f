import { Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { AnnotationRow } from '../../entities/database.js';
import { scopeOf } from '../../operations/annotations/annotation.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { AnnotationScope, AnnotationStyle } from '../enums.js';
import { JobTypeCommand } from '../jobs/job-type-command.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { DateTime } from '../scalars/date-time.js';

@ObjectType({ description: 'What an annotation says.' })
export class AnnotationBody {}

@ObjectType({ implements: Node, description: 'A piece of Markdown about a build or a job.' })
export class Annotation {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => String, { description: 'Tells it from the others of the same build or job.' })
  context!: string;

  @Field(() => Int, { description: 'From 10, which is shown first, to 1.' })
  priority!: number;

  @Field(() => DateTime)
  createdAt!: Date;

  @Field(() => DateTime, { ...optional, description: 'When it was last added to or replaced.' })
  updatedAt!: Date;
}

export const { Connection: AnnotationConnection, Edge: AnnotationEdge } = connectionOf('Annotation', () => Annotation);

/** The value behind a body: texts are read where they are selected. */
interface BodyValue {
  annotationId: string;
}

@Resolver(() => Annotation)
export class AnnotationResolver {
  @FieldResolver(() => AnnotationBody, optional)
  body(@Root() { id }: AnnotationRow): BodyValue {
    return { annotationId: id };
  }

  @FieldResolver(() => JobTypeCommand, { ...optional, description: 'The job it is about; null where it is about the build.' })
  job(@Root() { jobId }: AnnotationRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.job, jobId);
  }

  @FieldResolver(() => AnnotationScope)
  scope(@Root() annotation: AnnotationRow): string {
    return scopeOf(annotation);
  }

  @FieldResolver(() => AnnotationStyle, optional)
  style(@Root() { style }: AnnotationRow): string {
    return style ?? AnnotationStyle.DEFAULT;
  }
}

@Resolver(() => AnnotationBody)
export class AnnotationBodyResolver {
  @FieldResolver(() => String, { ...optional, description: 'Rendered, with nothing in it that could do harm.' })
  html(@Root() { annotationId }: BodyValue, @Ctx() context: GraphqlContext): Promise<string | null> {
    return context.load.annotationHtml.load(annotationId);
  }

  @FieldResolver(() => String, { description: 'As it was written.' })
  async text(@Root() { annotationId }: BodyValue, @Ctx() context: GraphqlContext): Promise<string> {
    return (await context.load.annotationText.load(annotationId)) ?? '';
  }
}
