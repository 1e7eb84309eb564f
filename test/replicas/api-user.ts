import type { Answer, HttpCaller } from './http-caller.js';
import { userToken } from './installation.js';

export interface CreatedBuild {
  id: string;
  number: number;
  pipeline: string;
}

/** A person's program: makes builds through REST and GraphQL and looks at them. */
export class ApiUser {
  constructor(
    private readonly caller: HttpCaller,
    private readonly token = userToken,
  ) {}

  async pipeline(name: string, configuration: string): Promise<string> {
    const { status, body } = await this.rest('POST', '/organizations/acme/pipelines', {
      name,
      repository: 'https://github.com/acme/app.git',
      configuration,
    });
    if (status !== 201) throw new Error(`creating a pipeline answered ${status}: ${JSON.stringify(body)}`);
    return body.graphql_id;
  }

  /** The key makes the repetition of a call that got no answer harmless. */
  async build(pipeline: string, idempotencyKey: string): Promise<CreatedBuild> {
    const { status, body } = await this.rest(
      'POST',
      `/organizations/acme/pipelines/${pipeline}/builds`,
      { commit: 'HEAD', branch: 'main', message: idempotencyKey },
      { 'Idempotency-Key': idempotencyKey },
    );
    if (status !== 201) throw new Error(`creating a build answered ${status}: ${JSON.stringify(body)}`);
    return { id: body.id, number: body.number, pipeline };
  }

  async buildByGraphql(pipeline: string, pipelineId: string, message: string): Promise<CreatedBuild> {
    const query = 'mutation($input: BuildCreateInput!) { buildCreate(input: $input) { build { uuid number } } }';
    const { status, body } = await this.graphql(query, {
      input: { pipelineID: pipelineId, commit: 'HEAD', branch: 'main', message },
    });
    const build = body?.data?.buildCreate?.build;
    if (!build) throw new Error(`buildCreate answered ${status}: ${JSON.stringify(body)}`);
    return { id: build.uuid, number: build.number, pipeline };
  }

  graphql(query: string, variables: object): Promise<Answer> {
    return this.caller.call('POST', '/graphql', this.headers(), JSON.stringify({ query, variables }));
  }

  rest(method: string, path: string, body?: object, more: Record<string, string> = {}): Promise<Answer> {
    return this.caller.call(
      method,
      `/v2${path}`,
      { ...this.headers(), ...more },
      body === undefined ? undefined : JSON.stringify(body),
    );
  }

  private headers(): Record<string, string> {
    return { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' };
  }
}
