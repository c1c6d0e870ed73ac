import type { PdfAnnotation, PdfXfaElement } from './pdf-document.js';
import type { PlacedRun } from './layout/text-run.js';

/** Flags of annotations that are not shown: hidden, and no view. */
const NOT_SHOWN = 2 | 32;
const MAX_LETTER_HEIGHT = 11;
const LETTER_SHARE = 0.7;
const LEADING = 1.2;

/**
 * What is filled into form fields and typed onto the page, at its place on it. Comments are not part of the document, and
 * passwords are for the reader of no answer.
 *
 * @param angle direction of the page's text in degrees
 */
export function annotationRuns(annotations: readonly PdfAnnotation[], angle: number): PlacedRun[] {
  return annotations.flatMap((annotation) => {
    const { rect, annotationFlags = 0, hidden = false } = annotation;
    const text = textOf(annotation).trim();
    if (!rect || text === '' || hidden || (annotationFlags & NOT_SHOWN) !== 0) return [];
    return runsIn(rect, text, angle);
  });
}

function textOf(annotation: PdfAnnotation): string {
  if (annotation.subtype === 'FreeText') return annotation.contentsObj?.str ?? '';
  if (annotation.subtype !== 'Widget' || annotation.password) return '';
  const { fieldType, fieldValue } = annotation;
  if (fieldType === 'Tx') return typeof fieldValue === 'string' ? fieldValue : '';
  if (fieldType === 'Ch') return chosen(annotation).join(', ');
  return fieldType === 'Btn' && isChecked(annotation) ? '[x]' : '';
}

function chosen({ fieldValue, options = [] }: PdfAnnotation): string[] {
  const values: unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return values.flatMap((value) => {
    const option = options.find(({ exportValue }) => exportValue === value);
    const shown = option?.displayValue ?? value;
    return typeof shown === 'string' && shown !== '' ? [shown] : [];
  });
}

function isChecked({ checkBox, radioButton, fieldValue, exportValue, buttonValue }: PdfAnnotation): boolean {
  if (typeof fieldValue !== 'string' || fieldValue === 'Off') return false;
  return (
    (checkBox === true && fieldValue === exportValue) || (radioButton === true && fieldValue === buttonValue)
  );
}

/** Lines of a text from the top of a rectangle; a single line is centred. */
function runsIn(rect: readonly number[], text: string, angle: number): PlacedRun[] {
  const radians = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = rect;
  const along = [x1 * cos + y1 * sin, x2 * cos + y2 * sin];
  const across = [y1 * cos - x1 * sin, y2 * cos - x2 * sin];
  const [start, bottom] = [Math.min(...along), Math.min(...across)];
  const boxHeight = Math.max(...across) - bottom;
  const lines = text.split(/\r\n|[\r\n]/);
  const height = Math.min(MAX_LETTER_HEIGHT, (boxHeight / lines.length) * LETTER_SHARE);
  const first = lines.length === 1 ? bottom + (boxHeight - height) / 2 : bottom + boxHeight - height;
  const width = Math.max(...along) - start;
  return lines.map((line, index) => {
    const y = first + height * 0.2 - index * height * LEADING;
    // Back from the direction of the text to the page.
    const place = { x: start * cos - y * sin, y: y * cos + start * sin };
    return { text: line, ...place, width, height, angle, followsSpace: true };
  });
}

/** Texts and values of an XFA form in its own order, a value behind its label. */
export function xfaLines(form: PdfXfaElement | null): string[] {
  const lines: string[] = [];
  const visit = (element: PdfXfaElement | null | undefined) => {
    if (!element || element.name === 'option') return;
    const { name, value, attributes = {}, children = [] } = element;
    const isField = name === 'input' || name === 'textarea' || name === 'select';
    const filled = isField ? (attributes.value ?? attributes.textContent) : undefined;
    if (typeof filled === 'string' && filled.trim() !== '') {
      if (lines.length > 0) lines.push(`${lines.pop() ?? ''} ${filled}`);
      else lines.push(filled);
    }
    if (name === '#text' && value !== undefined && value.trim() !== '') lines.push(value);
    for (const child of children) visit(child);
  };
  visit(form);
  return lines;
}
