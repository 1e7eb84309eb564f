/** Ids that the writes name. */
export type At = Readonly<Record<string, string>>;

/** One write on both surfaces, with inputs that mean the same. */
export interface WriteOnBoth {
  /** Method and path of the route. */
  route: string;
  /** Body of the request, if it needs one. */
  body?: (at: At) => object;
  /** The mutation; for a POST that only reads, the field of the query as a text. */
  mutation: string;
  input: (at: At) => object;
}

/** Paths that the writes have in common. */
export const org = '/organizations/{org}';
export const pipeline = `${org}/pipelines/{slug}`;
export const build = `${pipeline}/builds/{number}`;
export const cluster = `${org}/clusters/{cluster}`;
export const queue = `${cluster}/queues/{queue}`;
export const team = `${org}/teams/{team}`;
export const suites = '/analytics/organizations/{org}/suites';
export const suite = `${suites}/{suite}`;
export const yaml = 'steps: [{ command: make }]';

export function both(
  route: string,
  mutation: string,
  input: (at: At) => object,
  body?: object | ((at: At) => object),
): WriteOnBoth {
  if (body === undefined) return { route, mutation, input };
  return { route, mutation, input, body: typeof body === 'function' ? (body as (at: At) => object) : () => body };
}
/** The same write below each of several paths. */
export const below = (paths: readonly string[], write: (path: string) => WriteOnBoth) => paths.map(write);

export const byId = (name: string) => (at: At) => ({ id: at[name] });
export const inAcme =
  (more: object | ((at: At) => object) = {}) =>
  (at: At) => ({ organizationId: at['acme'], ...(typeof more === 'function' ? more(at) : more) });
export const ofAcme = (name: string, more: object = {}) => inAcme((at) => ({ id: at[name], ...more }));
