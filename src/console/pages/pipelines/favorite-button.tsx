import { graphql, useFragment } from 'react-relay';
import type { favoriteButton_pipeline$key } from '../../__generated__/favoriteButton_pipeline.graphql';
import type { favoriteButtonMutation } from '../../__generated__/favoriteButtonMutation.graphql';
import { useCommand } from '../../relay/use-command';
import { texts } from '../../texts/texts';
import { Icon } from '../../ui/icon';
import './pipelines.css';

const fragment = graphql`
  fragment favoriteButton_pipeline on Pipeline {
    id
    name
    favorite
  }
`;

const mutation = graphql`
  mutation favoriteButtonMutation($input: PipelineFavoriteInput!) {
    pipelineFavorite(input: $input) {
      pipeline {
        id
        favorite
      }
    }
  }
`;

/** The star of a pipeline. Shown at once as chosen: a refusal takes it back. */
export function FavoriteButton({ pipeline }: { pipeline: favoriteButton_pipeline$key }) {
  const { id, name, favorite } = useFragment(fragment, pipeline);
  const { run } = useCommand<favoriteButtonMutation>(mutation);
  const toggle = () =>
    void run(
      { input: { id, favorite: !favorite } },
      { optimisticResponse: { pipelineFavorite: { pipeline: { id, favorite: !favorite } } } },
    );
  return (
    <button
      type="button"
      className="button button-plain button-icon star"
      aria-pressed={favorite}
      aria-label={texts.pipelines.favorite(name)}
      onClick={toggle}
    >
      <Icon name="star" filled={favorite} />
    </button>
  );
}
