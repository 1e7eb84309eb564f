import { Field, ObjectType } from 'type-graphql';
import type { Json, JsonObject } from '../../../domain/pipelines/steps/step.js';
import { optional } from '../../server/options.js';

@ObjectType({ description: 'Option of a select field of a block or input step.' })
export class StepInputFieldOption {
  @Field(() => String, { description: 'Label of the option.' })
  label!: string;

  @Field(() => String, { description: 'Value that is stored when the option is chosen.' })
  value!: string;
}

@ObjectType({ description: 'Field of the form of a block or input step.' })
export class StepInputField {
  @Field(() => String, { description: 'Key under which the value is stored as meta-data of the build.' })
  key!: string;

  @Field(() => String, { ...optional, description: 'Label of the field; null without one.' })
  label!: string | null;

  @Field(() => String, { ...optional, description: 'Explanation of the field; null without one.' })
  hint!: string | null;

  @Field(() => Boolean, { description: 'Whether the step can only be unblocked with a value.' })
  required!: boolean;

  @Field(() => [String], { description: 'Initial values: at most one unless `multiple`.' })
  default!: string[];

  @Field(() => String, { ...optional, description: 'Regular expression that a text must match; null without one.' })
  format!: string | null;

  @Field(() => Boolean, { description: 'Whether several options may be chosen.' })
  multiple!: boolean;

  @Field(() => [StepInputFieldOption], {
    ...optional,
    description: 'Options of a select field; null for a text field.',
  })
  options!: StepInputFieldOption[] | null;
}

const text = (value: Json | undefined) => (typeof value === 'string' ? value : null);

/** Reads the fields of a stored step definition (`domain/pipelines/steps/kinds/block-step.ts` writes them). */
export function inputFields(fields: Json | undefined): StepInputField[] {
  return ((fields ?? []) as JsonObject[]).map((field) => ({
    key: String(field['key']),
    label: text(field['text']) ?? text(field['select']),
    hint: text(field['hint']),
    required: field['required'] === true,
    default: [field['default']].flat().flatMap((value) => text(value) ?? []),
    format: text(field['format']),
    multiple: field['multiple'] === true,
    options: Array.isArray(field['options']) ? (field['options'] as unknown as StepInputFieldOption[]) : null,
  }));
}
