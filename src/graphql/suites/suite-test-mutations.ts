import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { labelSuiteTest } from '../../operations/suite-tests/label.js';
import { setSuiteTestState } from '../../operations/suite-tests/set-state.js';
import type { GraphqlContext } from '../context.js';
import { SuiteTestLabelOperator, SuiteTestStates } from '../enums.js';
import { uuidOf } from '../ids.js';
import { IdInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { SuiteTest } from './suite-test.js';

@InputType({ description: 'Labels to be added to a test, or removed.' })
class SuiteTestLabelInput extends IdInput {
  @Field(() => SuiteTestLabelOperator)
  operator!: string;

  @Field(() => [String])
  labels!: string[];
}

@InputType({ description: 'How runners are to treat a test from now on.' })
class SuiteTestUpdateInput extends IdInput {
  @Field(() => SuiteTestStates)
  state!: string;
}

@ObjectType({ description: 'The test as it is now.' })
class SuiteTestLabelPayload extends MutationPayload {
  @Field(() => SuiteTest)
  suiteTest!: unknown;
}

@ObjectType({ description: 'The test as it is now.' })
class SuiteTestUpdatePayload extends MutationPayload {
  @Field(() => SuiteTest)
  suiteTest!: unknown;
}

const addressOf = (id: string) => ({ test: { id: uuidOf(id, ['SuiteTest']) } });

@Resolver()
export class SuiteTestMutations {
  @Mutation(() => SuiteTestLabelPayload, { ...optional, description: 'Adds labels to a test, or removes them.' })
  async suiteTestLabel(@Arg('input', () => SuiteTestLabelInput) input: SuiteTestLabelInput, @Ctx() context: GraphqlContext) {
    const { operator, labels } = input;
    return payload(input, { suiteTest: (await context.command(labelSuiteTest, { ...addressOf(input.id), operator, labels })).test });
  }

  @Mutation(() => SuiteTestUpdatePayload, { ...optional, description: 'Enables, mutes or skips a test.' })
  async suiteTestUpdate(@Arg('input', () => SuiteTestUpdateInput) input: SuiteTestUpdateInput, @Ctx() context: GraphqlContext) {
    return payload(input, { suiteTest: (await context.command(setSuiteTestState, { ...addressOf(input.id), state: input.state })).test });
  }
}
