import { graphql, useFragment } from 'react-relay';
import type { archiveButton_pipeline$key } from '../../__generated__/archiveButton_pipeline.graphql';
import type { archiveButtonMutation } from '../../__generated__/archiveButtonMutation.graphql';
import type { archiveButtonUndoMutation } from '../../__generated__/archiveButtonUndoMutation.graphql';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';

const fragment = graphql`
  fragment archiveButton_pipeline on Pipeline {
    id
    archived
    permissions {
      pipelineUpdate {
        allowed
      }
    }
  }
`;

const archiveDocument = graphql`
  mutation archiveButtonMutation($input: PipelineArchiveInput!) {
    pipelineArchive(input: $input) {
      pipeline {
        id
        archived
      }
    }
  }
`;

const undoDocument = graphql`
  mutation archiveButtonUndoMutation($input: PipelineUnarchiveInput!) {
    pipelineUnarchive(input: $input) {
      pipeline {
        id
        archived
      }
    }
  }
`;

/** Archives a pipeline, or takes it back into use. */
export function ArchiveButton({ pipeline }: { pipeline: archiveButton_pipeline$key }) {
  const { id, archived, permissions } = useFragment(fragment, pipeline);
  const archive = useCommand<archiveButtonMutation>(archiveDocument);
  const undo = useCommand<archiveButtonUndoMutation>(undoDocument);
  if (!permissions.pipelineUpdate.allowed) return null;
  return (
    <button
      type="button"
      className="button"
      disabled={archive.pending || undo.pending}
      onClick={() => void (archived ? undo : archive).run({ input: { id } })}
    >
      {archived ? texts.settings.unarchive : texts.settings.archive}
    </button>
  );
}
