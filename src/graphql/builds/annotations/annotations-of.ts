import { Args, ArgsType, Ctx, Field, FieldResolver, Resolver, Root } from 'type-graphql';
import type { ShownBuildRow, JobRow } from '../../../entities/database.js';
import { listAnnotations } from '../../../operations/builds/annotations/list.js';
import { Build } from '../build.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { AnnotationOrder, AnnotationScope, AnnotationStyle } from '../../enums.js';
import { JobTypeCommand } from '../jobs/job-type-command.js';
import { optional } from '../../server/options.js';
import { AnnotationConnection } from './annotation.js';

@ArgsType()
class JobAnnotationsArguments extends PageArguments {
  @Field(() => AnnotationOrder, {
    ...optional,
    defaultValue: AnnotationOrder.RECENTLY_CREATED,
    description: 'Order of the annotations.',
  })
  order?: string | null;

  @Field(() => [AnnotationStyle], { ...optional, description: 'Styles; only annotations with one of them.' })
  style?: string[] | null;
}

@ArgsType()
class BuildAnnotationsArguments extends JobAnnotationsArguments {
  @Field(() => [AnnotationScope], {
    ...optional,
    description: 'Scopes; only annotations with one of them. Default: `BUILD`.',
  })
  scope?: string[] | null;
}

const inputOf = (args: JobAnnotationsArguments) => ({
  order: args.order === AnnotationOrder.PRIORITY_RECENTLY_CREATED ? 'priority' : 'created',
  styles: args.style,
  paging: stretchOf(args),
});

@Resolver(() => Build)
export class BuildAnnotationsResolver {
  @FieldResolver(() => AnnotationConnection, { ...optional, description: 'Annotations of the build.' })
  async annotations(
    @Root() build: ShownBuildRow,
    @Ctx() context: GraphqlContext,
    @Args(() => BuildAnnotationsArguments) args: BuildAnnotationsArguments,
  ) {
    const scopes = args.scope?.length ? [...new Set(args.scope)] : undefined;
    return connectionValue(
      await context.findInBatch(listAnnotations, { of: { build: { id: build.id } } }, { ...inputOf(args), scopes }),
    );
  }
}

@Resolver(() => JobTypeCommand)
export class JobAnnotationsResolver {
  @FieldResolver(() => AnnotationConnection, { ...optional, description: 'Annotations of the job.' })
  async annotations(
    @Root() job: JobRow,
    @Ctx() context: GraphqlContext,
    @Args(() => JobAnnotationsArguments) args: JobAnnotationsArguments,
  ) {
    return connectionValue(await context.findInBatch(listAnnotations, { of: { job: { id: job.id } } }, inputOf(args)));
  }
}
