/** One hundred numbers: the prefix with every pair of last digits. */
export interface NumberBlock {
  readonly countryCode: string;
  readonly prefix: string;
  readonly monthlyPriceMicros: number;
  readonly smsCapable: boolean;
}

const NUMBERS_PER_BLOCK = 100;

/**
 * The numbers that the sandbox rents out. Where a regulator sets numbers aside for fiction, they are these:
 *
 * - US, CA: 555-01xx of the North American plan; GB: Ofcom's 020 7946 0 and 0161 496 0
 * - AU: ACMA's 5550 and 7010; DE: the Bundesnetzagentur's 030 23125 and 089 99998
 *
 * The other plans set none aside. There the numbers are merely valid, and reach no phone because this carrier places
 * no real calls.
 */
export const NUMBER_BLOCKS: readonly NumberBlock[] = [
  ...blocks('AU', ['+612555000', '+613701000'], 4_500_000),
  ...blocks('BR', ['+5511555000', '+5521555000'], 4_500_000),
  ...blocks('CA', ['+141655501', '+160455501'], 3_990_000, true),
  ...blocks('DE', ['+4930231250', '+4989999980'], 4_250_000),
  ...blocks('DK', ['+45321234', '+45321235'], 4_750_000),
  ...blocks('FI', ['+358945550', '+358945551'], 4_750_000),
  ...blocks('GB', ['+4420794600', '+4416149600'], 3_990_000),
  ...blocks('IL', ['+972255500', '+972355500'], 4_990_000),
  ...blocks('IT', ['+390655500', '+390255500'], 4_500_000),
  ...blocks('NL', ['+312055500', '+311055500'], 4_250_000),
  ...blocks('PL', ['+482255500', '+481255500'], 4_500_000),
  ...blocks('US', ['+121255501', '+141555501'], 3_990_000, true),
];

/** The numbers of a block in E.164. */
export function numbersOf({ prefix }: NumberBlock): string[] {
  return Array.from({ length: NUMBERS_PER_BLOCK }, (_, index) => prefix + String(index).padStart(2, '0'));
}

function blocks(
  countryCode: string,
  prefixes: readonly string[],
  monthlyPriceMicros: number,
  smsCapable = false,
): NumberBlock[] {
  return prefixes.map((prefix) => ({ countryCode, prefix, monthlyPriceMicros, smsCapable }));
}
