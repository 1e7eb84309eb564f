import { Field, ObjectType } from 'type-graphql';
import { optional } from '../options.js';

@ObjectType({ description: 'Where a page lies in its list.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether there are items after this page.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether there are items before this page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { ...optional, description: 'The cursor of the first item, for `before`.' })
  startCursor!: string | null;

  @Field(() => String, { ...optional, description: 'The cursor of the last item, for `after`.' })
  endCursor!: string | null;
}
