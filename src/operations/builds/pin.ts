import { z } from 'zod';
import { buildAddress } from '../../core/address.js';
import { findBuild } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';
import type { BuildSubject } from '../../core/subject.js';
import { text } from '../../domain/input-text.js';
import { limits } from '../../domain/limits/limits.js';
import { changeBuild } from '../../engine/state/builds.js';

/** PUT pin: keeps a build from retention, with its logs and artifacts. Repeating it changes author, time and reason. */
export const pinBuild = defineOperation({
  name: 'build.pin',
  summary: 'Keeps a build from being deleted by retention.',
  kind: 'command',
  scope: 'write_builds',
  access: 'build',
  input: z.object({ build: buildAddress, reason: text(limits.nameLength).nullish() }),
  subject: (context, { build }) => findBuild(context, build, { lock: true }),
  run: async (context, { reason }, subject): Promise<BuildSubject> => ({
    ...subject,
    build: await changeBuild(context, subject.build, {
      pinnedAt: context.now,
      pinnedById: context.userId,
      pinReason: reason || null,
    }),
  }),
});
