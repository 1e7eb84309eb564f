import { z } from 'zod';
import { Problem } from '../../src/domain/problem.js';
import {
  authorizeSubject,
  type OrganizationSubject,
  type PipelineSubject,
  type Subject,
} from '../../src/core/subject.js';
import { type AnyOperation, defineOperation } from '../../src/core/operation.js';
import { World } from '../support/world.js';

const base = {
  name: 'thing.change',
  summary: 'Changes a thing.',
  kind: 'command',
  scope: null,
  input: z.object({}),
} as const;
const run = async (): Promise<null> => null;

/** Compiled with the tests: each expected error shows that the declaration is not a valid operation. */
export const declared: AnyOperation[] = [
  defineOperation({ ...base, access: 'manage', subject: async (): Promise<PipelineSubject | null> => null, run }),
  defineOperation({ ...base, access: 'member', subject: async (): Promise<OrganizationSubject | null> => null, run }),
  // @ts-expect-error An organization has no level of build access.
  defineOperation({ ...base, access: 'build', subject: async (): Promise<OrganizationSubject | null> => null, run }),
  // @ts-expect-error Nor of management, and nothing that may be either is enough.
  defineOperation({
    ...base,
    access: 'manage',
    subject: async (): Promise<PipelineSubject | OrganizationSubject | null> => null,
    run,
  }),
  // @ts-expect-error A pipeline has no maintainers.
  defineOperation({ ...base, access: 'maintain', subject: async (): Promise<PipelineSubject | null> => null, run }),
  // @ts-expect-error Nothing says whose administrators.
  defineOperation({ ...base, access: 'admin', subject: async (): Promise<Subject> => ({}), run }),
];

describe('authorizeSubject', () => {
  let world: World;
  beforeAll(async () => void (world = await World.create()));
  afterAll(() => world.close());

  test.each(['build', 'manage', 'maintain', 'visible', 'member', 'admin'] as const)(
    'access level %s is refused for a subject that has nothing to check it against',
    async (access) => {
      const context = await world.as(world.admin);
      await expect(authorizeSubject(context, {}, access)).rejects.toThrow(Problem);
      if (access !== 'visible')
        await expect(authorizeSubject(context, { everywhere: true }, access)).rejects.toThrow(Problem);
    },
  );

  test.each(['build', 'manage'] as const)(
    'access level %s of an organization without a pipeline is refused, also to administrators',
    async (access) => {
      const organization = await world.services.db.selectFrom('organizations').selectAll().executeTakeFirstOrThrow();
      await expect(authorizeSubject(await world.as(world.admin), { organization }, access)).rejects.toThrow(Problem);
    },
  );
});
