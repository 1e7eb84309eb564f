import { Field, ObjectType } from 'type-graphql';
import { optional } from './options.js';

@ObjectType({ description: 'Whether the viewer may do something, and why not.' })
export class Permission {
  @Field(() => Boolean)
  allowed!: boolean;

  @Field(() => String, { ...optional, description: 'A word for the reason it is not allowed.' })
  code!: string | null;

  @Field(() => String, { ...optional, description: 'The reason it is not allowed, as a sentence.' })
  message!: string | null;
}

/** A permission as it is shown: a reason stands only where it is refused. */
export const permission = (allowed: boolean): Permission => ({
  allowed,
  code: allowed ? null : 'not_permitted',
  message: allowed ? null : 'You are not permitted to do this',
});
