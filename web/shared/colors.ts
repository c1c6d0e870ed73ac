/** Ten steps from light to dark, as the component library wants them; step 8 carries white text. */
export type Shades = readonly [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];

/** The colour of Prosa: what can be pressed, and what an assistant does. */
export const iris: Shades = [
  '#f1f2fe',
  '#e3e5fd',
  '#c9cdfb',
  '#a9aff7',
  '#8d93f2',
  '#767aec',
  '#6265e2',
  '#5453d3',
  '#4846bb',
  '#37368f',
];

/** Neutral, slightly cool. Light pages take their greys here, */
export const gray: Shades = [
  '#f9f9fb',
  '#f3f4f6',
  '#e8e9ee',
  '#dcdee5',
  '#c5c8d2',
  '#9da1af',
  '#767b8a',
  '#5c606e',
  '#3f434f',
  '#1d1f27',
];

/** and dark pages here: step 0 is text, 7 the page. */
export const dark: Shades = [
  '#e9eaef',
  '#c8cad3',
  '#a3a6b3',
  '#7d8190',
  '#3a3d48',
  '#2d3039',
  '#23252d',
  '#17181d',
  '#121317',
  '#0d0e11',
];

/** What a person does: the operator who has taken over. */
export const amber: Shades = [
  '#fff8eb',
  '#fdeecf',
  '#fadc9e',
  '#f6c666',
  '#f0b03a',
  '#e0981b',
  '#bd7a0c',
  '#9a600a',
  '#7d4c09',
  '#5b3707',
];

/** Live, done, well. */
export const green: Shades = [
  '#ecfaf3',
  '#d5f3e3',
  '#a9e6c8',
  '#75d5a8',
  '#46bf88',
  '#2aa56f',
  '#1f8a5c',
  '#19734d',
  '#145e40',
  '#0e452f',
];

/** Failed, and what cannot be taken back. */
export const red: Shades = [
  '#fef1f1',
  '#fde0e0',
  '#fac4c5',
  '#f59c9f',
  '#ee7276',
  '#e34f55',
  '#cd363d',
  '#b1282f',
  '#932127',
  '#6c181d',
];
