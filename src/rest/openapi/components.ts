import type { JsonObject } from '../../domain/pipelines/steps/step.js';

/** Parts of the document that operations refer to by name, each in it once. */
export class Components {
  private readonly parts = { parameters: {}, responses: {}, schemas: {} } as Record<
    ComponentKind,
    Record<string, JsonObject>
  >;

  constructor(schemas: Readonly<Record<string, JsonObject>>, responses: Readonly<Record<string, JsonObject>>) {
    Object.assign(this.parts.schemas, schemas);
    Object.assign(this.parts.responses, responses);
  }

  /** Returns a reference to the part; the part itself where another one has the name. */
  refer(kind: ComponentKind, name: string, part: JsonObject): JsonObject {
    const known = (this.parts[kind][name] ??= part);
    return JSON.stringify(known) === JSON.stringify(part) ? { $ref: `#/components/${kind}/${name}` } : part;
  }

  /** Every part by kind, in the order of names. */
  all(): Record<ComponentKind, JsonObject> {
    return Object.fromEntries(
      Object.entries(this.parts).map(([kind, parts]) => [
        kind,
        Object.fromEntries(Object.entries(parts).sort(([a], [b]) => Number(a > b) - Number(a < b))),
      ]),
    ) as Record<ComponentKind, JsonObject>;
  }
}

type ComponentKind = 'parameters' | 'responses' | 'schemas';

/** The name of a component: `pipeline-trigger.update` with `Request` is `PipelineTriggerUpdateRequest`. */
export const componentName = (...words: readonly string[]): string =>
  words
    .flatMap((word) => word.split(/[^A-Za-z0-9]+/))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
