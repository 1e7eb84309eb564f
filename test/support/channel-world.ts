import { NotificationSender } from '../../src/background/integrations/notifications/deliver-notifications.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { createNotificationService } from '../../src/operations/integrations/notification-services/create.js';
import type { BuildRow } from '../../src/entities/database.js';
import type { MailMessage, OutboundRequest, SendingResult, Services } from '../../src/services/services.js';
import { JobRunner } from './job-runner.js';
import { World } from './world.js';

/** What an imitation of a receiver answers. */
export interface Reply {
  status: number;
  body?: string;
  retryAfter?: string;
}

const mailTaken: SendingResult = { verdict: 'sent', status: 250, words: 'queued' };

/** A world whose requests to the web and mail go to an imitation, and that sends what is due when it is asked to. */
export class ChannelWorld {
  readonly requests: OutboundRequest[] = [];
  answer: (request: OutboundRequest) => Reply = () => ({ status: 200, body: 'ok' });
  /** Mail that was sent, and what the server of mail answers. */
  readonly mails: MailMessage[] = [];
  mailAnswer: SendingResult = mailTaken;
  readonly runner: JobRunner;
  readonly services: Services;

  private constructor(readonly world: World) {
    this.runner = new JobRunner(world);
    this.services = Object.assign(world.services, {
      outbound: {
        send: (request: OutboundRequest) => {
          this.requests.push(request);
          const { status, body = '', retryAfter = null } = this.answer(request);
          return Promise.resolve({ status, body, contentType: null, retryAfter });
        },
      },
      mail: {
        send: (mail: MailMessage) => {
          this.mails.push(mail);
          return Promise.resolve(this.mailAnswer);
        },
      },
    });
  }

  static async create(): Promise<ChannelWorld> {
    return new ChannelWorld(await World.create());
  }

  /** Forgets services, deliveries, requests and mail. */
  async reset(): Promise<void> {
    const { db } = this.services;
    for (const table of ['notification_deliveries', 'notification_services', 'build_notifications'] as const)
      await db.deleteFrom(table).execute();
    this.requests.length = 0;
    this.mails.length = 0;
    this.mailAnswer = mailTaken;
    this.answer = () => ({ status: 200, body: 'ok' });
  }

  async service(provider: string, settings: object, fields: object = {}) {
    const { service } = await this.world.perform(this.world.admin, createNotificationService, {
      organization: { slug: 'acme' },
      description: provider,
      provider,
      settings,
      ...fields,
    });
    return service;
  }

  async build(slug: string, fields: object = {}): Promise<BuildRow> {
    const { build } = await this.world.perform(this.world.admin, createBuild, {
      pipeline: { organization: 'acme', slug },
      commit: 'a'.repeat(40),
      branch: 'main',
      message: 'Fix <all> of it\n\nand more',
      ...fields,
    });
    return build;
  }

  /** Creates a pipeline, builds it and runs its jobs, each with an exit status. */
  async run(slug: string, yaml: string, status: number | ((job: { label: string | null }) => number) = 0) {
    await this.world.pipeline(yaml, { slug });
    const build = await this.build(slug);
    await this.runner.runAll(build.id, typeof status === 'number' ? () => status : (status as never));
    return build;
  }

  /** Sends what is due, until nothing is. */
  async deliver(): Promise<void> {
    for (let left = 100; left > 0; left -= 1) {
      const sender = new NotificationSender(this.services);
      const begun = await sender.begin();
      await sender.settle();
      if (begun === 0) return;
    }
    throw new Error('deliveries never come to rest');
  }

  bodies(): Record<string, unknown>[] {
    return this.requests.map(({ body }) => JSON.parse(bodyText(body)) as Record<string, unknown>);
  }

  /** What came of the entries of a build, in order. */
  outcomes(buildId: string) {
    return this.services.db
      .selectFrom('build_notifications')
      .select(['channel', 'target', 'event', 'outcome', 'detail'])
      .where('buildId', '=', buildId)
      .orderBy('id')
      .execute();
  }

  deliveries() {
    return this.services.db.selectFrom('notification_deliveries').selectAll().orderBy('id').execute();
  }
}

export const bodyText = (body: OutboundRequest['body']): string =>
  typeof body === 'string' ? body : Buffer.concat([...(body ?? [])]).toString('utf8');
