import { describe, expect, it } from '@jest/globals';
import { bothOf, directionOf, nextOrder, sortedRows, sortFrom } from './sort.js';

interface Row {
  readonly name: string;
  readonly count: number;
}

const name = { key: 'name', sort: (row: Row) => row.name };
const count = { key: 'count', sort: (row: Row) => row.count };
const when = { key: 'when', sort: { asc: 'oldest', desc: 'newest' } };
const number = { key: 'number', sort: { asc: 'number' } };
const rows: readonly Row[] = [
  { name: 'Ébano', count: 9 },
  { name: 'casa 10', count: 10 },
  { name: 'Casa 2', count: 10 },
];
const namesBy = (order: string | undefined) =>
  sortedRows(rows, [name, count, when], order, 'pt').map((row) => row.name);

describe('the order of a table', () => {
  it('sorts words as people do, and numbers by their value', () => {
    expect(namesBy('name')).toEqual(['Casa 2', 'casa 10', 'Ébano']);
    expect(namesBy('-name')).toEqual(['Ébano', 'casa 10', 'Casa 2']);
    expect(namesBy('count')).toEqual(['Ébano', 'casa 10', 'Casa 2']);
  });

  it('keeps the order of equal rows, and of rows that the server sorts', () => {
    expect(namesBy('-count')).toEqual(['casa 10', 'Casa 2', 'Ébano']);
    expect(namesBy('oldest')).toEqual(rows.map((row) => row.name));
    expect(namesBy(undefined)).toEqual(rows.map((row) => row.name));
    expect(namesBy('unknown')).toEqual(rows.map((row) => row.name));
  });

  it('turns around with each click on a head', () => {
    expect(nextOrder(name, undefined)).toBe('name');
    expect(nextOrder(name, 'name')).toBe('-name');
    expect(nextOrder(name, '-name')).toBe('name');
    expect(nextOrder(name, 'count')).toBe('name');
    expect(nextOrder(when, 'newest')).toBe('oldest');
    expect(nextOrder(number, 'number')).toBeUndefined();
    expect(nextOrder({ key: 'actions' }, undefined)).toBeUndefined();
  });

  it('is known of one column alone', () => {
    expect(directionOf(when, 'newest')).toBe('desc');
    expect(directionOf(name, 'newest')).toBeNull();
    expect(directionOf(number, undefined)).toBeNull();
  });

  it('is read from the URL', () => {
    expect(sortFrom({ sort: '-name' }, bothOf('name', 'count'))).toEqual({ sort: '-name' });
    expect(sortFrom({ sort: 'price' }, bothOf('name'))).toEqual({});
    expect(sortFrom({ sort: 5 }, ['newest'])).toEqual({});
  });
});
