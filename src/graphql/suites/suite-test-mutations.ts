import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { labelSuiteTest } from '../../operations/suites/suite-tests/label.js';
import { setSuiteTestState } from '../../operations/suites/suite-tests/set-state.js';
import type { GraphqlContext } from '../context.js';
import { SuiteTestLabelOperator, SuiteTestStates } from '../enums.js';
import { uuidOf } from '../nodes/ids.js';
import { IdInput, MutationPayload, payload } from '../mutation-input.js';
import { DateTime } from '../scalars/date-time.js';
import { optional } from '../server/options.js';
import { SuiteTest } from './suite-test.js';

@InputType({ description: 'Input of `suiteTestLabel`.' })
class SuiteTestLabelInput extends IdInput {
  @Field(() => SuiteTestLabelOperator, { description: 'Change to the labels.' })
  operator!: string;

  @Field(() => [String], { description: 'Labels to add or remove.' })
  labels!: string[];
}

@InputType({ description: 'Input of `suiteTestUpdate`.' })
class SuiteTestUpdateInput extends IdInput {
  @Field(() => SuiteTestStates, { description: 'Treatment of the test by test runners.' })
  state!: string;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time at which a muted or skipped test is enabled again; never if it is absent.',
  })
  until?: Date | null;
}

@ObjectType({ description: 'Result of `suiteTestLabel`.' })
class SuiteTestLabelPayload extends MutationPayload {
  @Field(() => SuiteTest, { description: 'Test after the change.' })
  suiteTest!: unknown;
}

@ObjectType({ description: 'Result of `suiteTestUpdate`.' })
class SuiteTestUpdatePayload extends MutationPayload {
  @Field(() => SuiteTest, { description: 'Test after the change.' })
  suiteTest!: unknown;
}

const addressOf = (id: string) => ({ test: { id: uuidOf(id, ['SuiteTest']) } });

@Resolver()
export class SuiteTestMutations {
  @Mutation(() => SuiteTestLabelPayload, {
    ...optional,
    description: 'Adds labels to a test or removes labels from a test.',
  })
  async suiteTestLabel(
    @Arg('input', () => SuiteTestLabelInput, { description: 'Test with the labels to add or remove.' })
    input: SuiteTestLabelInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { operator, labels } = input;
    return payload(input, {
      suiteTest: (await context.command(labelSuiteTest, { ...addressOf(input.id), operator, labels })).test,
    });
  }

  @Mutation(() => SuiteTestUpdatePayload, { ...optional, description: 'Enables, mutes or skips a test.' })
  async suiteTestUpdate(
    @Arg('input', () => SuiteTestUpdateInput, { description: 'Test with its new state.' }) input: SuiteTestUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    return payload(input, {
      suiteTest: (
        await context.command(setSuiteTestState, { ...addressOf(input.id), state: input.state, until: input.until })
      ).test,
    });
  }
}
