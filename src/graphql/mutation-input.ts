import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { optional } from './options.js';

/** What every mutation takes: a text that comes back in the payload. */
@InputType('MutationInput')
export abstract class MutationInput {
  @Field(() => String, { ...optional, description: 'Comes back in the payload as it is.' })
  clientMutationId?: string | null;
}

/** The input of a mutation of one thing. */
@InputType('IdMutationInput')
export abstract class IdInput extends MutationInput {
  @Field(() => ID, { description: 'The id or uuid of the thing.' })
  id!: string;
}

@ObjectType('MutationPayload')
export abstract class MutationPayload {
  @Field(() => String, { ...optional, description: 'The text that the mutation was given.' })
  clientMutationId!: string | null;
}

/** A payload with the text of its input. */
export function payload<Fields extends object>({ clientMutationId = null }: MutationInput, fields: Fields): Fields & { clientMutationId: string | null } {
  return { ...fields, clientMutationId };
}
