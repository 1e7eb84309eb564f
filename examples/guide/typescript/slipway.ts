const url = process.env['SLIPWAY_URL'] ?? 'http://127.0.0.1:3000';
export const organization = `${url}/v2/organizations/demo`;
export const root = `${url}/v2`;

/** Sends a request; tries again up to five times after 429 and 503, when `Retry-After` says. */
export async function call(address: string, { body, ...options }: { method?: string; body?: unknown; headers?: Record<string, string> } = {}) {
  const headers = { Authorization: `Bearer ${process.env['SLIPWAY_TOKEN']}`, 'Content-Type': 'application/json', ...options.headers };
  const request = { ...options, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  for (let attempt = 1; ; attempt++) {
    const reply = await fetch(address, request);
    if (![429, 503].includes(reply.status) || attempt > 5) return reply;
    await new Promise((done) => setTimeout(done, 1000 * Number(reply.headers.get('Retry-After') ?? attempt)));
  }
}

/** The JSON of a reply; throws the message of a refused request. */
export async function read<T>(reply: Response): Promise<T> {
  const body = (await reply.json()) as T & { message?: string };
  if (!reply.ok) throw new Error(`${reply.status} ${body.message}`);
  return body;
}

export interface GraphqlReply<T> {
  data?: T;
  errors?: { message: string; extensions: { code: string; fields?: { field: string; code: string }[] } }[];
}

/** Sends an operation; the reply has `data`, `errors` or both. */
export async function graphql<T>(query: string, variables: object = {}, headers: Record<string, string> = {}) {
  const reply = await call(`${url}/graphql`, { method: 'POST', body: { query, variables }, headers });
  return (await reply.json()) as GraphqlReply<T>;
}
