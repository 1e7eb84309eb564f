import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Avatar of a person.' })
export class Avatar {
  @Field(() => String, { description: 'URL of the image.' })
  url!: string;
}
