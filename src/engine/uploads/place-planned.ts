import type { UploadPosition } from '../../domain/builds/upload-position.js';
import type { StepRow } from '../../entities/database.js';
import type { PlannedStep } from '../new-builds/build-plan.js';

/** Planned steps with their positions in the build, and how many of them join the uploading step's group. */
export interface PlacedUpload {
  planned: PlannedStep[];
  joining: number;
  following: number;
}

/**
 * Gives planned steps their positions. Where the upload begins with a group of the label of the uploading step's own
 * group, its steps join that group; everything else follows the group.
 */
export function placePlanned(
  planned: readonly PlannedStep[],
  place: UploadPosition,
  group: Pick<StepRow, 'id' | 'label'> | null,
): PlacedUpload {
  const [first] = planned;
  const joins =
    group !== null && first?.step.type === 'group' && group.label !== null && first.step.label === group.label;
  const joining = joins ? planned.filter((step) => step.groupId === first.id) : [];
  const following = joins ? planned.filter((step) => step !== first && step.groupId !== first.id) : [...planned];
  return {
    planned: [
      ...joining.map((step, index) => ({ ...step, groupId: group?.id ?? null, position: place.inGroup + 1 + index })),
      ...following.map((step, index) => ({ ...step, position: place.outside + joining.length + 1 + index })),
    ],
    joining: joining.length,
    following: following.length,
  };
}
