import { Parser } from 'htmlparser2';
import { failure, UnreadableError } from '../../../failure.js';

/** Attributes by their local names. */
export type Attributes = Readonly<Record<string, string>>;

/** Names come without their prefix, which each program chooses for itself. */
export interface XmlHandler {
  open(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Pieces in which a part is given to the parser. */
const PIECE = 64 * 1024;

/**
 * Reads an XML part event by event, so that its depth and its size cost no memory.
 *
 * @throws UnreadableError when the part breaks off
 */
export function readXml(xml: string, handler: XmlHandler): void {
  let isEnding = false;
  let isCut = false;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => handler.open(localName(name), localNames(attributes)),
      ontext: (text) => handler.text?.(text),
      onclosetag: (name) => {
        // What is still open at the end has not been closed.
        isCut ||= isEnding;
        if (!isCut) handler.close?.(localName(name));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let start = 0; start < xml.length; start += PIECE) parser.write(xml.slice(start, start + PIECE));
  isEnding = true;
  parser.end();
  if (isCut) throw new UnreadableError(failure('ingestion.unreadable'), { cause: 'XML that breaks off' });
}

/** The value of an on/off property: on where it is there without a value. */
export function isOn({ val }: Attributes): boolean {
  return val === undefined || !/^(?:0|false|off|none)$/.test(val);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function localNames(attributes: Record<string, string>): Attributes {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [localName(name), value]));
}
