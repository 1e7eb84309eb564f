import { Args, ArgsType, Ctx, Field, FieldResolver, Resolver, Root } from 'type-graphql';
import type { BuildRow, JobRow } from '../../entities/database.js';
import { listAnnotations } from '../../operations/annotations/list.js';
import { Build } from '../builds/build.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { AnnotationOrder, AnnotationScope, AnnotationStyle } from '../enums.js';
import { JobTypeCommand } from '../jobs/job-type-command.js';
import { optional } from '../options.js';
import { AnnotationConnection } from './annotation.js';

@ArgsType()
class JobAnnotationsArguments extends PageArguments {
  @Field(() => AnnotationOrder, { ...optional, defaultValue: AnnotationOrder.RECENTLY_CREATED })
  order?: string | null;

  @Field(() => [AnnotationStyle], optional)
  style?: string[] | null;
}

@ArgsType()
class BuildAnnotationsArguments extends JobAnnotationsArguments {
  @Field(() => [AnnotationScope], { ...optional, description: 'Those of the build alone where absent.' })
  scope?: string[] | null;
}

const inputOf = (given: JobAnnotationsArguments) => ({
  order: given.order === AnnotationOrder.PRIORITY_RECENTLY_CREATED ? 'priority' : 'created',
  styles: given.style,
  paging: stretchOf(given),
});

@Resolver(() => Build)
export class BuildAnnotationsResolver {
  @FieldResolver(() => AnnotationConnection, optional)
  async annotations(@Root() build: BuildRow, @Ctx() context: GraphqlContext, @Args(() => BuildAnnotationsArguments) given: BuildAnnotationsArguments) {
    const scopes = given.scope?.length ? [...new Set(given.scope)] : undefined;
    return connectionValue(await context.among(listAnnotations, 'buildIds', build.id, { ...inputOf(given), scopes }));
  }
}

@Resolver(() => JobTypeCommand)
export class JobAnnotationsResolver {
  @FieldResolver(() => AnnotationConnection, optional)
  async annotations(@Root() job: JobRow, @Ctx() context: GraphqlContext, @Args(() => JobAnnotationsArguments) given: JobAnnotationsArguments) {
    return connectionValue(await context.among(listAnnotations, 'jobIds', job.id, inputOf(given)));
  }
}
