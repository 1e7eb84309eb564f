import { Field, ObjectType } from 'type-graphql';
import { optional } from '../server/options.js';

@ObjectType({ description: 'Position of a page in its list.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether the list has items after this page.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether the list has items before this page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { ...optional, description: 'Cursor of the first item, for `before`; null for an empty page.' })
  startCursor!: string | null;

  @Field(() => String, { ...optional, description: 'Cursor of the last item, for `after`; null for an empty page.' })
  endCursor!: string | null;
}
