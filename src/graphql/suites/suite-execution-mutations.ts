import { Arg, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { invalidField } from '../../domain/problem.js';
import { updateExecutionTags } from '../../operations/suites/suite-executions/update-tags.js';
import type { GraphqlContext } from '../context.js';
import { IdInput, MutationPayload, payload } from '../mutation-input.js';
import { uuidOf } from '../nodes/ids.js';
import { optional } from '../server/options.js';
import { Suite } from './suite.js';

@InputType({ description: 'Tag of an execution.' })
class SuiteExecutionTagInput {
  @Field(() => String, { description: 'Key of the tag, which begins with `mut.`.' })
  key!: string;

  @Field(() => String, { description: 'Value of the tag.' })
  value!: string;
}

@InputType({ description: 'Execution with its new tags.' })
class SuiteExecutionTagsInput {
  @Field(() => ID, { description: 'UUID of the execution.' })
  id!: string;

  @Field(() => [SuiteExecutionTagInput], { description: 'All mutable tags of the execution.' })
  tags!: SuiteExecutionTagInput[];
}

@InputType({ description: 'Input of `suiteExecutionTagsUpdate`.' })
class SuiteExecutionTagsUpdateInput extends IdInput {
  @Field(() => [SuiteExecutionTagsInput], { description: 'Executions of the test suite, none of them twice.' })
  executions!: SuiteExecutionTagsInput[];
}

@ObjectType({ description: 'Result of `suiteExecutionTagsUpdate`.' })
class SuiteExecutionTagsUpdatePayload extends MutationPayload {
  @Field(() => Int, { description: 'Number of executions whose mutable tags were replaced.' })
  executionsCount!: number;

  @Field(() => Suite, { description: 'Test suite of the executions.' })
  suite!: unknown;
}

@Resolver()
export class SuiteExecutionMutations {
  @Mutation(() => SuiteExecutionTagsUpdatePayload, {
    ...optional,
    description: 'Replaces the mutable tags of executions: those whose keys begin with `mut.`.',
  })
  async suiteExecutionTagsUpdate(
    @Arg('input', () => SuiteExecutionTagsUpdateInput, { description: 'Test suite with executions and their tags.' })
    input: SuiteExecutionTagsUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const executions = input.executions.map(({ id, tags }, place) => ({ id, tags: tagsOf(tags, place) }));
    const { suite, tagged } = await context.command(updateExecutionTags, {
      suite: { id: uuidOf(input.id, ['Suite']) },
      executions,
    });
    return payload(input, { suite, executionsCount: tagged });
  }
}

/** Tags as an object; throws for a key that is there twice, which an object cannot hold. */
function tagsOf(tags: readonly SuiteExecutionTagInput[], place: number): Record<string, string> {
  const valuesByKey = new Map(tags.map(({ key, value }) => [key, value]));
  if (valuesByKey.size < tags.length) throw invalidField(`executions.${place}.tags`, 'has a key twice');
  return Object.fromEntries(valuesByKey);
}
