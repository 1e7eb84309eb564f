import type { GraphQLError } from 'graphql';

/** Place of a value in the reply. Values of one object share the place of the object. */
export interface Place {
  readonly prev: Place | undefined;
  readonly key: string | number;
  readonly typename: string | undefined;
}

/** Errors of fields, without those of fields whose place in the reply an earlier error has made null. */
export class CollectedErrors {
  readonly errors: GraphQLError[] = [];
  private readonly places = new Set<Place | undefined>();

  add(error: GraphQLError, place: Place | undefined): void {
    if (this.isNull(place)) return;
    this.places.add(place);
    this.errors.push(error);
  }

  private isNull(start: Place | undefined): boolean {
    if (this.places.size === 0) return false;
    for (let place = start; place !== undefined; place = place.prev) if (this.places.has(place)) return true;
    return this.places.has(undefined);
  }
}
