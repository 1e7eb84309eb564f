import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { texts } from '../../texts/texts';
import { isFiltered } from '../../ui/filter-values';
import { ChoiceFilter, Filters, TextFilter, useFilters } from '../../ui/filters';
import { stateName } from '../../ui/state';
import { CreatorFilter } from './creator-filter';

const route = getRouteApi('/$organization/$pipeline');
const states = ['RUNNING', 'SCHEDULED', 'BLOCKED', 'PASSED', 'FAILED', 'CANCELED', 'SKIPPED', 'NOT_RUN'];

/** Filters of a pipeline's builds; they live in the address. */
export function BuildFilters() {
  const { organization } = route.useParams();
  const filters = route.useSearch();
  const { change } = useFilters(filters);
  return (
    <Filters>
      <TextFilter label={texts.pipeline.branch} value={filters.branch} onChange={(branch) => change({ branch })} />
      <ChoiceFilter
        label={texts.pipeline.state}
        any={texts.pipeline.anyState}
        value={filters.state}
        onChange={(state) => change({ state })}
        choices={states.map((state) => ({ value: state, label: stateName(state) }))}
      />
      <Suspense>
        <CreatorFilter
          organization={organization}
          value={filters.creator}
          onChange={(creator) => change({ creator })}
        />
      </Suspense>
      {isFiltered(filters) && (
        <button
          type="button"
          className="button button-plain"
          onClick={() => change({ branch: undefined, state: undefined, creator: undefined })}
        >
          {texts.pipeline.clear}
        </button>
      )}
    </Filters>
  );
}
