import { Field, ObjectType } from 'type-graphql';
import { optional } from './server/options.js';

@ObjectType({ description: 'Whether the viewer may take an action, and the reason if not.' })
export class Permission {
  @Field(() => Boolean, { description: 'Whether the viewer may take the action.' })
  allowed!: boolean;

  @Field(() => String, {
    ...optional,
    description: 'Code of the reason for a refusal, such as `not_permitted`; null if allowed.',
  })
  code!: string | null;

  @Field(() => String, { ...optional, description: 'Reason for a refusal as a sentence; null if allowed.' })
  message!: string | null;
}

/** Builds a permission; only a refusal has a code and a message. */
export const permission = (allowed: boolean): Permission => ({
  allowed,
  code: allowed ? null : 'not_permitted',
  message: allowed ? null : 'You are not permitted to do this',
});
