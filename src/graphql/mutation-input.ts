import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { optional } from './server/options.js';

/** Input of every mutation: a text that the payload returns unchanged. */
@InputType('MutationInput')
export abstract class MutationInput {
  @Field(() => String, { ...optional, description: 'Text that the payload returns unchanged.' })
  clientMutationId?: string | null;
}

/** Input of a mutation of one object. */
@InputType('IdMutationInput')
export abstract class IdInput extends MutationInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the object.' })
  id!: string;
}

@ObjectType('MutationPayload')
export abstract class MutationPayload {
  @Field(() => String, { ...optional, description: '`clientMutationId` of the input, unchanged.' })
  clientMutationId!: string | null;
}

/** Adds the `clientMutationId` of the input to the fields of a payload. */
export function payload<Fields extends object>(
  { clientMutationId = null }: MutationInput,
  fields: Fields,
): Fields & { clientMutationId: string | null } {
  return { ...fields, clientMutationId };
}
