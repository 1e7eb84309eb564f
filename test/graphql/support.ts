import express from 'express';
import { graphqlRouter } from '../../src/graphql/server/router.js';
import { requestsTo } from '../support/requests.js';
import { type Person, World } from '../support/world.js';

// The type of a reply depends on the operation; each test checks what it expects.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Data = any;

export interface Answer {
  data: Data;
  errors?: {
    message: string;
    path?: (string | number)[];
    extensions: { code: string; fields?: { field: string; code: string }[]; requestId?: string };
  }[];
  stats?: { requestedComplexity: number; actualComplexity: number };
}

/** A world with its GraphQL surface, called over HTTP. */
export class Door {
  private constructor(
    readonly world: World,
    readonly app: express.Express,
    /** Closes the surface and leaves the world open for others. */
    readonly stop: () => Promise<void>,
  ) {}

  static async open(options: Parameters<typeof World.create>[0] = {}): Promise<Door> {
    const world = await World.create(options);
    return Door.onto(world);
  }

  static async onto(world: World): Promise<Door> {
    const { router, stop } = await graphqlRouter(world.services);
    const app = express();
    app.use('/graphql', router);
    return new Door(world, app, stop);
  }

  async close(): Promise<void> {
    await this.stop();
    await this.world.close();
  }

  post(person: Person = this.world.admin) {
    return requestsTo(this.app).post('/graphql').set('Authorization', person.authorization);
  }

  /** Sends an operation and returns the parsed reply; the status is 200 also for errors of the operation. */
  async ask(query: string, variables: object = {}, person: Person = this.world.admin): Promise<Answer> {
    const reply = await this.post(person).send({ query, variables });
    expect([reply.status, reply.body.message]).toEqual([200, undefined]);
    return reply.body as Answer;
  }

  /** The data of an operation that must go well. */
  async data(query: string, variables: object = {}, person: Person = this.world.admin): Promise<Data> {
    const answer = await this.ask(query, variables, person);
    expect(answer.errors).toBeUndefined();
    return answer.data;
  }

  /** The code of the one error of an operation that must be refused. */
  async refusal(
    query: string,
    variables: object = {},
    person: Person = this.world.admin,
  ): Promise<{ code: string; message: string; fields?: { field: string; code: string }[] }> {
    const { errors } = await this.ask(query, variables, person);
    expect(errors).toHaveLength(1);
    const [error] = errors as NonNullable<Answer['errors']>;
    return {
      code: error?.extensions.code ?? '',
      message: error?.message ?? '',
      ...(error?.extensions.fields ? { fields: error.extensions.fields } : {}),
    };
  }
}
