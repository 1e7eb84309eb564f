import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { SuiteRow, TestOwnershipRow } from '../../entities/database.js';
import { getTestOwnership } from '../../operations/suites/test-ownership/get.js';
import type { GraphqlContext } from '../context.js';
import { ReadBy } from '../execution/on-the-way.js';
import { Dear, dear } from '../limits/dear.js';
import { DateTime } from '../scalars/date-time.js';
import { optional } from '../server/options.js';
import { Suite } from './suite.js';

@ObjectType({ description: 'TESTOWNERS file of a test suite: which tests belong to which teams.' })
class SuiteTestOwnership {
  @Field(() => String, { description: 'Text of the file as it was sent.' })
  content!: string;

  @Field(() => DateTime, { description: 'Time the file was sent.' })
  storedAt!: Date;
}

@Resolver(() => Suite)
export class TestOwnershipOfSuiteResolver {
  @Dear(dear.manyRows)
  @ReadBy(getTestOwnership)
  @FieldResolver(() => SuiteTestOwnership, {
    ...optional,
    description: 'TESTOWNERS file of the suite; null where none was sent.',
  })
  async testOwnership(@Root() suite: SuiteRow, @Ctx() context: GraphqlContext): Promise<TestOwnershipRow | null> {
    const output = await context.findInBatch(getTestOwnership, { suite: { id: suite.id } }, {});
    return output && output.ownership;
  }
}
