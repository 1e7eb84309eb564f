import { DemoServer } from './demo-server.js';
import { testUnless } from '../support/skips.js';
import { NotToBeHad } from './registries.js';
import { stepTimeoutMs, tools, Workshop } from './workshop.js';

/**
 * No generator begins later, so that a slow registry does not hold CI up: a run takes about four minutes on two cores.
 */
const lastStart = Date.now() + 12 * 60_000;

/** A generator of clients: its steps in a folder with the server's documents and the program of examples/client. */
export interface Generator {
  name: string;
  needs: readonly (keyof typeof tools)[];
  /** Generates and compiles a client; returns the command that runs the program, and its first arguments. */
  build: (workshop: Workshop) => Promise<readonly [command: string, ...args: string[]]>;
}

/**
 * A test for each generator: its program, compiled with the generated client, creates a pipeline at a running server
 * and reads a passed build there, whose state is written as `state`. `saveDocument` writes what the generators read.
 */
export function proveGenerators(
  document: string,
  generators: readonly Generator[],
  state: string,
  saveDocument: (server: DemoServer, workshop: Workshop) => Promise<void>,
) {
  let server: DemoServer;
  beforeAll(async () => {
    server = await DemoServer.start();
  }, stepTimeoutMs);
  afterAll(() => server.stop());

  describe(`clients that are generated from ${document}`, () => {
    for (const { name, needs, build } of generators) {
      const missing = needs.filter((tool) => !tools[tool]);
      const reason = missing.length > 0 ? `there is no ${missing.join(', no ')} here` : null;
      testUnless(
        reason,
        `${name} generates a client that compiles, creates a pipeline and reads a passed build`,
        async (context) => {
          if (Date.now() > lastStart) context.skip('the earlier generators took 12 minutes');
          const workshop = new Workshop(server.environment);
          try {
            await saveDocument(server, workshop);
            const [command, ...args] = await build(workshop);
            const pipeline = name.replaceAll(' ', '-').toLowerCase();
            const printed = await workshop.run(command, [...args, pipeline, server.passed]);
            expect(printed).toBe(`${pipeline} ${state} 0`);
            await server.call('GET', `/organizations/demo/pipelines/${pipeline}`);
          } catch (error) {
            if (!(error instanceof NotToBeHad)) throw error;
            process.stderr.write(`${name} is skipped: ${error.message}\n`);
            context.skip(error.message);
          } finally {
            workshop.remove();
          }
        },
        2 * stepTimeoutMs,
      );
    }
  });
}
