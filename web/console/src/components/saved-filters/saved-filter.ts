/** Filters of a list with a name, as the URL has them. */
export interface SavedFilter {
  readonly name: string;
  readonly search: Readonly<Record<string, unknown>>;
}

export const MAX_NAME_LENGTH = 60;
export const MOST_FILTERS = 30;

/** What the browser keeps may be from another version, or not ours. */
export function savedFiltersFrom(stored: unknown): readonly SavedFilter[] {
  return Array.isArray(stored) ? stored.filter(isSavedFilter).slice(0, MOST_FILTERS) : [];
}

function isSavedFilter(item: unknown): item is SavedFilter {
  if (typeof item !== 'object' || item === null || !('name' in item) || !('search' in item)) return false;
  const { name, search } = item;
  return typeof name === 'string' && typeof search === 'object' && search !== null && !Array.isArray(search);
}

/** The filters of the URL: not the page and not what is open. */
export function filtersOf(search: object): SavedFilter['search'] {
  const others = ['page', 'call', 'id', 'lead'];
  return Object.fromEntries(
    Object.entries(search).filter(([name, value]) => value !== undefined && !others.includes(name)),
  );
}

export function isSame(one: SavedFilter['search'], other: SavedFilter['search']): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** With a filter, in place of one with the same name, and sorted by name. */
export function withFilter(filters: readonly SavedFilter[], filter: SavedFilter): readonly SavedFilter[] {
  const others = filters.filter(({ name }) => name !== filter.name);
  return [...others, filter].toSorted((one, other) => one.name.localeCompare(other.name));
}
