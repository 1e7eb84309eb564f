import { Args, Ctx, Field, FieldResolver, ID, InterfaceType, ObjectType, Resolver, Root } from 'type-graphql';
import type { Json, StepDependency } from '../../domain/steps/step.js';
import type { StepRow } from '../../entities/database.js';
import { dependencySteps } from '../../operations/builds/dependency-steps.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionOfList } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../options.js';
import { JsonText } from '../scalars/json.js';

const typeNames: Partial<Record<StepRow['type'], string>> = { command: 'StepCommand', block: 'StepInput', input: 'StepInput', trigger: 'StepTrigger', wait: 'StepWait' };

@InterfaceType({ description: 'A step of a build.', resolveType: (step: StepRow) => typeNames[step.type] })
export abstract class Step {
  @Field(() => String, { name: 'uuid' })
  id!: string;

  @Field(() => String, optional)
  key!: string | null;
}

@ObjectType({ implements: Step, description: 'A step that runs a command.' })
export class StepCommand {}

@ObjectType({ implements: Step, description: 'A step that waits for a person.' })
export class StepInput {}

@ObjectType({ implements: Step, description: 'A step that starts a build of another pipeline.' })
export class StepTrigger {}

@ObjectType({ implements: Step, description: 'A step that waits for what stands before it.' })
export class StepWait {}

interface DependencyValue {
  id: string;
  uuid: string;
  key: string;
  allowFailure: boolean;
}

@ObjectType({ description: 'A step that another one waits for.' })
export class Dependency {
  @Field(() => ID)
  id!: string;

  @Field(() => ID)
  uuid!: string;

  @Field(() => String, optional)
  key!: string | null;

  @Field(() => Boolean, { description: 'Whether the waiting step runs even if this one fails.' })
  allowFailure!: boolean;
}

const { Connection: DependencyConnection } = connectionOf('Dependency', () => Dependency);

@Resolver(() => StepCommand)
export class StepCommandResolver {
  @FieldResolver(() => String, { ...optional, description: 'The key of the group that the step stands in.' })
  async groupKey(@Root() step: StepRow, @Ctx() context: GraphqlContext): Promise<string | null> {
    return (await context.follow(null, context.load.step, step.groupId))?.key ?? null;
  }

  @FieldResolver(() => JsonText, { ...optional, description: 'The signature it was written with.' })
  signature(@Root() { definition }: StepRow): Json | null {
    const signature = definition['signature'] as Json | undefined;
    return typeof signature === 'object' && !Array.isArray(signature) ? signature : null;
  }
}

@Resolver(() => Step)
export class StepResolver {
  @FieldResolver(() => String, { ...optional, description: 'The condition (`if`) of the step.' })
  conditional(@Root() { definition }: StepRow): string | null {
    return typeof definition['if'] === 'string' ? definition['if'] : null;
  }

  @FieldResolver(() => DependencyConnection, { ...optional, description: 'Steps that must be done before this one.' })
  async dependencies(@Root() step: StepRow, @Ctx() context: GraphqlContext, @Args(() => PageArguments) given: PageArguments) {
    const named = (step.definition['dependsOn'] ?? []) as unknown as StepDependency[];
    const known = named.length === 0 ? new Map<string, string>() : await context.among(dependencySteps, 'buildIds', step.buildId);
    const rows = named.flatMap(({ step: key, allowFailure }): DependencyValue[] => {
      const uuid = known?.get(key);
      return uuid === undefined ? [] : [{ id: btoa(`Dependency---${uuid}`), uuid, key, allowFailure }];
    });
    return connectionOfList(rows, stretchOf(given));
  }
}
