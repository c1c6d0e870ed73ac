/** Whose simulations are shown and which one is open, kept in the URL. */
export interface SimulationFilters {
  readonly assistant?: number;
  readonly page?: number;
  readonly simulation?: number;
}

export function simulationFiltersFrom(search: Record<string, unknown>): SimulationFilters {
  const names = ['assistant', 'page', 'simulation'] as const;
  const isNumber = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0;
  return Object.fromEntries(
    names.filter((name) => isNumber(search[name])).map((name) => [name, search[name]]),
  );
}
