import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'The picture of a person.' })
export class Avatar {
  @Field(() => String)
  url!: string;
}
