import { Field, ID, ObjectType } from 'type-graphql';
import type { UserRow } from '../../entities/database.js';
import { connectionOf } from '../connections/connection.js';
import { Node } from '../nodes/node.js';

@ObjectType({ implements: Node, description: 'An e-mail address of a user. A user of Slipway has one.' })
export class Email {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the address, that of its user.' })
  id!: string;

  @Field(() => String, { description: 'The address.' })
  address!: string;

  @Field(() => Boolean, { description: 'Whether it is the primary address of the user: always true.' })
  primary!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether the address is known to be that of the user: always true, operators and single sign-on name it.',
  })
  verified!: boolean;
}

export const { Connection: EmailConnection } = connectionOf('Email', () => Email);

/** The address of a user, as a value of `Email`. */
export const emailOf = ({ id, email }: UserRow): Email => ({ id, address: email, primary: true, verified: true });
