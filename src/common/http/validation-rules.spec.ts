import { describe, expect, it, jest } from '@jest/globals';
import { getMetadataStorage, IsInt, IsString, MetadataStorage, validateSync } from 'class-validator';
import { rememberValidationRules } from './validation-rules.js';

class Named {
  @IsString()
  declare name: string;
}

class Counted extends Named {
  @IsInt()
  declare count: number;
}

const brokenBy = (object: object) =>
  validateSync(object, { whitelist: true }).map(({ property }) => property);

describe('the rules of class-validator, remembered', () => {
  it('stay those of each class, with what it inherits', () => {
    rememberValidationRules();
    for (let time = 0; time < 2; time++) {
      const counted = Object.assign(new Counted(), { name: 1, count: 'x', other: 1 });
      expect(brokenBy(counted).toSorted()).toEqual(['count', 'name']);
      expect(counted).not.toHaveProperty('other');
      expect(brokenBy(Object.assign(new Named(), { name: 1, count: 'x' }))).toEqual(['name']);
      expect(brokenBy(Object.assign(new Counted(), { name: 'a', count: 1 }))).toEqual([]);
    }
  });

  it('are looked for once a class, but for those that depend on groups', () => {
    const storage = new MetadataStorage();
    const rules = getMetadataStorage().getTargetValidationMetadatas(Counted, '', false, false);
    for (const rule of rules) storage.addValidationMetadata(rule);
    const find = jest.spyOn(storage, 'getTargetValidationMetadatas');
    const group = jest.spyOn(storage, 'groupByPropertyName');
    rememberValidationRules(storage);
    for (let time = 0; time < 3; time++) {
      const found = storage.getTargetValidationMetadatas(Counted, '', false, false);
      expect(found.map(({ propertyName }) => propertyName).toSorted()).toEqual(['count', 'name']);
      expect(Object.keys(storage.groupByPropertyName(found)).toSorted()).toEqual(['count', 'name']);
    }
    expect([find.mock.calls.length, group.mock.calls.length]).toEqual([1, 1]);
    for (let time = 0; time < 2; time++)
      storage.getTargetValidationMetadatas(Counted, '', false, false, ['a']);
    expect(find).toHaveBeenCalledTimes(3);
  });
});
