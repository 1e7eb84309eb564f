import { defineEntity, p } from '@mikro-orm/core';
import type { CulpritVerdict } from '../../domain/builds/culprit/bisection.js';
import { at, atOrNull, textList, textOrNull } from '../columns.js';

/** A build of one commit for a search for a culprit. */
export const CulpritBuildSchema = defineEntity({
  name: 'CulpritBuild',
  tableName: 'culprit_builds',
  indexes: [{ properties: ['buildId'] }],
  properties: {
    searchId: p.uuid().primary(),
    /** Position of the commit in the search, from 1: a commit is built once. */
    position: p.integer().primary(),
    organizationId: p.uuid(),
    /** The build, which may be gone since. */
    buildId: p.uuid(),
    /** Ids of the steps in it whose jobs decide. */
    stepIds: textList(),
    /** Null while it runs. */
    verdict: p.text().$type<CulpritVerdict>().nullable(),
    /** Why the commit cannot be judged. */
    reason: textOrNull(),
    createdAt: at(),
    judgedAt: atOrNull(),
  },
});
