import { Args, Ctx, Field, FieldResolver, ID, InterfaceType, ObjectType, Resolver, Root } from 'type-graphql';
import type { Json, StepDependency } from '../../../domain/pipelines/steps/step.js';
import type { StepRow } from '../../../entities/database.js';
import { dependencySteps } from '../../../operations/builds/dependency-steps.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { connectionOf, connectionOfList } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { optional } from '../../server/options.js';
import { JsonText } from '../../scalars/json.js';
import { inputFields, StepInputField } from './step-input-field.js';

const typeNames: Partial<Record<StepRow['type'], string>> = {
  command: 'StepCommand',
  block: 'StepInput',
  input: 'StepInput',
  trigger: 'StepTrigger',
  wait: 'StepWait',
};

@InterfaceType({ description: 'Step of a build.', resolveType: (step: StepRow) => typeNames[step.type] })
export abstract class Step {
  @Field(() => String, { name: 'uuid', description: 'UUID of the step.' })
  id!: string;

  @Field(() => String, { ...optional, description: 'Key of the step; null without one.' })
  key!: string | null;
}

@ObjectType({ implements: Step, description: 'Step that runs a command.' })
export class StepCommand {}

@ObjectType({ implements: Step, description: 'Block or input step, which waits for a user.' })
export class StepInput {}

@ObjectType({ implements: Step, description: 'Step that starts a build of another pipeline.' })
export class StepTrigger {}

@ObjectType({ implements: Step, description: 'Step that waits for the steps before.' })
export class StepWait {}

interface DependencyValue {
  id: string;
  uuid: string;
  key: string;
  allowFailure: boolean;
}

@ObjectType({ description: 'Dependency of a step on another step.' })
export class Dependency {
  @Field(() => ID, { description: 'ID of the dependency.' })
  id!: string;

  @Field(() => ID, { description: 'UUID of the step that is waited for.' })
  uuid!: string;

  @Field(() => String, { ...optional, description: 'Key of the step that is waited for.' })
  key!: string | null;

  @Field(() => Boolean, { description: 'Whether the dependent step runs even if the other step fails.' })
  allowFailure!: boolean;
}

const { Connection: DependencyConnection } = connectionOf('Dependency', () => Dependency);

@Resolver(() => StepCommand)
export class StepCommandResolver {
  @FieldResolver(() => JsonText, { ...optional, description: 'Signature of the step; null for an unsigned step.' })
  signature(@Root() { definition }: StepRow): Json | null {
    const signature = definition['signature'] as Json | undefined;
    return typeof signature === 'object' && !Array.isArray(signature) ? signature : null;
  }
}

@Resolver(() => StepInput)
export class StepInputResolver {
  @FieldResolver(() => String, { ...optional, description: 'Text shown to the user who unblocks; null without one.' })
  prompt(@Root() { definition }: StepRow): string | null {
    return typeof definition['prompt'] === 'string' ? definition['prompt'] : null;
  }

  @FieldResolver(() => [StepInputField], { description: 'Fields of the form that unblocks the step, in order.' })
  fields(@Root() { definition }: StepRow): StepInputField[] {
    return inputFields(definition['fields']);
  }
}

@Resolver(() => Step)
export class StepResolver {
  @FieldResolver(() => String, {
    ...optional,
    description: 'Key of the group that contains the step; null without one.',
  })
  async groupKey(@Root() step: StepRow, @Ctx() context: GraphqlContext): Promise<string | null> {
    return (await context.loadReference(null, context.load.step, step.groupId))?.key ?? null;
  }

  @FieldResolver(() => String, { ...optional, description: 'Condition of the step (`if`); null without one.' })
  conditional(@Root() { definition }: StepRow): string | null {
    return typeof definition['if'] === 'string' ? definition['if'] : null;
  }

  @FieldResolver(() => String, { ...optional, description: 'UUID of the group that contains the step; null without.' })
  groupUuid(@Root() step: StepRow): string | null {
    return step.groupId;
  }

  @FieldResolver(() => String, { ...optional, description: 'Label of the group that contains the step; null without.' })
  async groupLabel(@Root() step: StepRow, @Ctx() context: GraphqlContext): Promise<string | null> {
    const label = (await context.loadReference(null, context.load.step, step.groupId))?.definition['label'];
    return typeof label === 'string' ? label : null;
  }

  @FieldResolver(() => [String], {
    ...optional,
    description:
      'Keys of the steps and groups that the step or its group waits for (`depends_on`); null when the step ' +
      'follows the order of the steps, empty when it waits for none.',
  })
  async dependsOn(@Root() step: StepRow, @Ctx() context: GraphqlContext): Promise<string[] | null> {
    const group = await context.loadReference(null, context.load.step, step.groupId);
    // The definitions are stored as JSON; their `dependsOn` are lists of StepDependency.
    const lists = [step, group].flatMap((row) =>
      row ? [row.definition['dependsOn'] as unknown as StepDependency[] | null | undefined] : [],
    );
    if (lists.every((list) => !list)) return null;
    return [...new Set(lists.flatMap((list) => list?.map(({ step: key }) => key) ?? []))];
  }

  @FieldResolver(() => DependencyConnection, { ...optional, description: 'Dependencies of the step on other steps.' })
  async dependencies(
    @Root() step: StepRow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    // The definition is stored as JSON; its `dependsOn` is a list of StepDependency.
    const dependencies = (step.definition['dependsOn'] ?? []) as unknown as StepDependency[];
    const stepIds =
      dependencies.length === 0
        ? new Map<string, string>()
        : await context.performInBatch(dependencySteps, { buildIds: step.buildId });
    const rows = dependencies.flatMap(({ step: key, allowFailure }): DependencyValue[] => {
      const uuid = stepIds?.get(key);
      return uuid === undefined ? [] : [{ id: btoa(`Dependency---${uuid}`), uuid, key, allowFailure }];
    });
    return connectionOfList(rows, stretchOf(args));
  }
}
