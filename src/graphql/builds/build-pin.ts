import { Arg, Ctx, Field, FieldResolver, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import type { ShownBuildRow } from '../../entities/database.js';
import { pinBuild } from '../../operations/builds/pin.js';
import { unpinBuild } from '../../operations/builds/unpin.js';
import type { GraphqlContext } from '../context.js';
import { Reads } from '../execution/reads.js';
import { MutationPayload, payload } from '../mutation-input.js';
import { uuidOf } from '../nodes/ids.js';
import { User } from '../organizations/user.js';
import { DateTime } from '../scalars/date-time.js';
import { optional } from '../server/options.js';
import { Build } from './build.js';
import { BuildPinInput, BuildUnpinInput } from './build-inputs.js';

@ObjectType({ description: 'Mark that keeps a build from retention.' })
export class BuildPin {
  @Field(() => DateTime, { description: 'Time the build was pinned.' })
  createdAt!: Date;

  @Field(() => String, { ...optional, description: 'Reason for keeping the build; null where nobody gave one.' })
  reason!: string | null;
}

type Pin = BuildPin & Pick<ShownBuildRow, 'pinnedById'>;

@Resolver(() => BuildPin)
class BuildPinResolver {
  @FieldResolver(() => User, { ...optional, description: 'User who pinned the build.' })
  createdBy(@Root() { pinnedById }: Pin, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, pinnedById);
  }
}

@ObjectType({ description: 'Result of `buildPin`.' })
class BuildPinPayload extends MutationPayload {
  @Field(() => Build, { description: 'Build that was pinned.' })
  build!: unknown;
}

@ObjectType({ description: 'Result of `buildUnpin`.' })
class BuildUnpinPayload extends MutationPayload {
  @Field(() => Build, { description: 'Build that is pinned no more.' })
  build!: unknown;
}

const addressOf = (id: string) => ({ build: { id: uuidOf(id, ['Build']) } });

@Resolver(() => Build)
class BuildPinsResolver {
  @Reads<ShownBuildRow>('pinnedAt', 'pinnedById', 'pinReason')
  @FieldResolver(() => BuildPin, {
    ...optional,
    description: 'Mark that keeps the build from retention; null without one.',
  })
  pin(@Root() { pinnedAt, pinnedById, pinReason }: ShownBuildRow): Pin | null {
    return pinnedAt === null ? null : { createdAt: pinnedAt, reason: pinReason, pinnedById };
  }

  @Mutation(() => BuildPinPayload, {
    ...optional,
    description: 'Keeps a build, with its logs and artifacts, from being deleted by retention.',
  })
  async buildPin(
    @Arg('input', () => BuildPinInput, { description: 'Build to pin, and why.' }) input: BuildPinInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { build } = await context.command(pinBuild, { ...addressOf(input.id), reason: input.reason });
    return payload(input, { build });
  }

  @Mutation(() => BuildUnpinPayload, {
    ...optional,
    description: 'Lets retention delete a build that was pinned.',
  })
  async buildUnpin(
    @Arg('input', () => BuildUnpinInput, { description: 'Build that is pinned no more.' }) input: BuildUnpinInput,
    @Ctx() context: GraphqlContext,
  ) {
    return payload(input, { build: (await context.command(unpinBuild, addressOf(input.id))).build });
  }
}

/** Resolvers of the marks that keep builds. */
export const buildPinResolvers = [BuildPinResolver, BuildPinsResolver] as const;
