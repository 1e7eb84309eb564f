import { z } from 'zod';
import type { BuildNotificationRow } from '../../../entities/database.js';
import { buildAddress } from '../../../core/address.js';
import { findBuild } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Page, paginate, paging } from '../../../core/paging.js';
import type { BuildSubject } from '../../../core/subject.js';

/** Lists what came of each `notify` entry of a build and its steps at each moment, newest first. */
export const listBuildNotifications = defineOperation({
  name: 'build-notification.list',
  summary: 'Lists what came of the `notify` entries of a build.',
  kind: 'query',
  scope: 'read_builds',
  access: 'visible',
  refusal: 'sentence',
  input: z.object({ build: buildAddress, paging: paging.default(defaultPaging) }),
  subject: (context, { build }) => findBuild(context, build),
  run: async (context, { paging: page }, { build }: BuildSubject): Promise<Page<BuildNotificationRow>> =>
    paginate(
      context.db,
      context.db.selectFrom('build_notifications as n').selectAll('n').where('n.buildId', '=', build.id),
      newestFirst<BuildNotificationRow>('n.id'),
      page,
    ),
});
