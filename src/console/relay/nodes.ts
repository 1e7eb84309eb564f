export type Edges<T> = readonly ({ readonly node?: T | null | undefined } | null | undefined)[] | null | undefined;

/** Items of a connection, without the holes that the schema allows. */
export function nodesOf<T>(connection: { readonly edges?: Edges<T> } | null | undefined): T[] {
  return connection?.edges?.flatMap((edge) => edge?.node ?? []) ?? [];
}

/** GraphQL ID of a thing that an address names by its UUID. */
export const nodeId = (kind: string, uuid: string): string => btoa(`${kind}---${uuid}`);

/** Path and line of an address of this installation, for links within the console. */
export function localPath(url: string): string {
  const { pathname, search, hash } = new URL(url);
  return pathname + search + hash;
}
