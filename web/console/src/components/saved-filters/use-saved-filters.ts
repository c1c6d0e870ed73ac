import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../../session/me.js';
import { type SavedFilter, savedFiltersFrom, withFilter } from './saved-filter.js';

export type FilteredPage = 'calls' | 'inbox' | 'campaigns';

/**
 * Filters that the person has saved for a page. The browser keeps them, by the address that the person signs in with: the API has
 * no settings of a person, and a filter is shared by its URL.
 */
export function useSavedFilters(page: FilteredPage) {
  const { data: me } = useQuery(meQuery);
  const [stored, store] = useLocalStorage<unknown>({
    key: `prosa.filters.${page}.${me?.email ?? ''}`,
    defaultValue: [],
    // At once: the first drawing has the filters.
    getInitialValueInEffect: false,
  });
  const filters = savedFiltersFrom(stored);
  return {
    filters,
    save: (filter: SavedFilter) => store(withFilter(filters, filter)),
    rename: (filter: SavedFilter, name: string) =>
      store(
        withFilter(
          filters.filter((each) => each.name !== filter.name),
          { ...filter, name },
        ),
      ),
    remove: ({ name }: SavedFilter) => store(filters.filter((each) => each.name !== name)),
  };
}

export type SavedFiltersStore = ReturnType<typeof useSavedFilters>;
