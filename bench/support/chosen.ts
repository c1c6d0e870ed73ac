/**
 * The scenarios whose names hold the text of `--only`; all without it.
 *
 * @throws when there is none: a run that measures nothing must not look like one that met its goals.
 */
export function chosen<Scenario extends { readonly name: string }>(
  scenarios: readonly Scenario[],
  only = '',
): readonly Scenario[] {
  const found = scenarios.filter(({ name }) => name.includes(only));
  if (found.length > 0) return found;
  throw new Error(`No scenario "${only}". There are: ${scenarios.map(({ name }) => name).join(', ')}`);
}
