import { getMetadataStorage, type MetadataStorage } from 'class-validator';

type RulesOf = MetadataStorage['getTargetValidationMetadatas'];
type Rules = ReturnType<RulesOf>;

/**
 * Has class-validator remember the rules of a class, and which property each is of. By itself it goes through the rules of
 * every class there is, for each object it looks at. What a class is held to does not change once it is declared.
 */
export function rememberValidationRules(storage = getMetadataStorage()): void {
  const find: RulesOf = storage.getTargetValidationMetadatas.bind(storage);
  const group = storage.groupByPropertyName.bind(storage);
  const known = new WeakMap<Function, Rules>();
  const grouped = new WeakMap<Rules, ReturnType<typeof group>>();
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    // Nothing of ours has schemas or groups.
    if (schema || always || strictGroups || groups) return find(target, schema, always, strictGroups, groups);
    const rules = known.get(target) ?? find(target, schema, always, strictGroups, groups);
    known.set(target, rules);
    return rules;
  };
  storage.groupByPropertyName = (rules) => {
    const byProperty = grouped.get(rules) ?? group(rules);
    grouped.set(rules, byProperty);
    return byProperty;
  };
}
