import type { CompiledQuery, DatabaseConnection } from 'kysely';
import type { Services } from '../../src/services/services.js';
import { compared } from './both-executors.js';
import { handleOver } from '../../src/database/handle-over.js';

/** Measures the statements that reach a world's database, and lets a test act between them. */
export class StatementGauge {
  /** Statements that were sent over a connection. */
  sent = 0;
  /** Statements that have a connection or wait for one. */
  inFlight = 0;
  mostInFlight = 0;
  /** The statements, in the order in which they were sent. */
  readonly statements: CompiledQuery[] = [];
  /** Runs before each statement, which waits for it; takes its number. */
  before: (number: number) => Promise<void> | void = () => undefined;

  /** Measures the statements of a piece of work. Reads only: a transaction is refused. */
  static async during(services: Services, work: (gauge: StatementGauge) => Promise<unknown>): Promise<StatementGauge> {
    const gauge = new StatementGauge();
    const { db } = services;
    const connections = db.getExecutor();
    services.db = handleOver(db, {
      provideConnection: async (consumer) => {
        gauge.inFlight += 1;
        gauge.mostInFlight = Math.max(gauge.mostInFlight, gauge.inFlight);
        try {
          return await connections.provideConnection((connection) => consumer(gauge.over(connection)));
        } finally {
          gauge.inFlight -= 1;
        }
      },
    });
    compared.paused = true;
    try {
      await work(gauge);
    } finally {
      compared.paused = false;
      services.db = db;
    }
    return gauge;
  }

  private over(connection: DatabaseConnection): DatabaseConnection {
    return {
      executeQuery: async (query) => {
        this.sent += 1;
        this.statements.push(query);
        await this.before(this.sent);
        return connection.executeQuery(query);
      },
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    };
  }
}
