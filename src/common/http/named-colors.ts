/** Colours that people choose from to tell things of a list apart. */
export const NAMED_COLORS = [
  'gray',
  'slate',
  'red',
  'orange',
  'amber',
  'green',
  'teal',
  'blue',
  'purple',
  'pink',
] as const;

export type NamedColor = (typeof NAMED_COLORS)[number];
