import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { failure, UnreadableError } from '../../../failure.js';
import { CharacterMapFactory } from './character-maps.js';

/** What is used of pdf.js, whose own types are lost in the package. */
export interface PdfDocument {
  readonly numPages: number;
  /** Whether its pages are made from an XFA form. */
  readonly isPureXfa: boolean;
  getPage(number: number): Promise<PdfPage>;
  getMetadata(): Promise<{ readonly info: PdfInfo }>;
  destroy(): Promise<void>;
}

export interface PdfInfo {
  readonly Title?: unknown;
  readonly IsXFAPresent?: boolean;
  /** Whether it has form fields outside of XFA. */
  readonly IsAcroFormPresent?: boolean;
}

export interface PdfPage {
  getTextContent(options: { readonly disableNormalization: boolean }): Promise<PdfTextContent>;
  getAnnotations(): Promise<readonly PdfAnnotation[]>;
  getXfa(): Promise<PdfXfaElement | null>;
  getOperatorList(options: { readonly annotationMode: number }): Promise<PdfOperators>;
  cleanup(): boolean;
}

export interface PdfOperators {
  /** Numbers of {@link operatorNumbers}. */
  readonly fnArray: readonly number[];
  readonly argsArray: readonly (readonly unknown[] | null)[];
}

export interface PdfTextContent {
  readonly items: readonly PdfItem[];
  readonly styles: Readonly<Record<string, { readonly vertical?: boolean }>>;
}

/** A run of text; marked content has none, and the text of XFA forms has no place. */
export interface PdfItem {
  readonly str?: string;
  readonly width?: number;
  readonly height?: number;
  readonly transform?: readonly number[];
  readonly fontName?: string;
}

/** An annotation as far as it can hold text of the document. */
export interface PdfAnnotation {
  readonly subtype?: string;
  readonly rect?: readonly number[];
  readonly hidden?: boolean;
  readonly annotationFlags?: number;
  readonly fieldType?: string | null;
  readonly fieldValue?: unknown;
  readonly password?: boolean;
  readonly multiLine?: boolean;
  readonly checkBox?: boolean;
  readonly radioButton?: boolean;
  readonly exportValue?: string;
  readonly buttonValue?: string;
  readonly options?: readonly { readonly exportValue?: unknown; readonly displayValue?: unknown }[];
  readonly contentsObj?: { readonly str?: string };
}

/** An element of an XFA form, as pdf.js writes it for a browser. */
export interface PdfXfaElement {
  readonly name: string;
  readonly value?: string;
  readonly attributes?: {
    readonly value?: unknown;
    readonly textContent?: unknown;
    readonly xfaOn?: unknown;
  };
  readonly children?: readonly (PdfXfaElement | null)[];
}

const OPTIONS = {
  isEvalSupported: false,
  verbosity: 0,
  BinaryDataFactory: CharacterMapFactory,
  cMapUrl: 'cmaps/',
  cMapPacked: true,
  useWorkerFetch: false,
  useWasm: false,
  // Images are not looked at: none is decoded.
  maxImageSize: 0,
};

/**
 * @param options.asXfa its pages are made from its XFA form, if it has one
 * @throws UnreadableError
 */
export async function openPdf(bytes: Uint8Array, { asXfa = false } = {}): Promise<PdfDocument> {
  addMissingMethods();
  try {
    const pdf: unknown = await getDocumentProxy(bytes, { ...OPTIONS, enableXfa: asXfa });
    return pdf as PdfDocument;
  } catch (error) {
    const isEncrypted = error instanceof Error && error.name === 'PasswordException';
    const key = isEncrypted ? 'ingestion.encrypted' : 'ingestion.unreadable';
    throw new UnreadableError(failure(key), { cause: error });
  }
}

/** Node.js 20 lacks a method by which pdf.js hands fonts on; without it pages have neither operators nor a reason for it. */
function addMissingMethods(): void {
  const buffers: object = ArrayBuffer.prototype;
  if ('transferToFixedLength' in buffers) return;
  Object.defineProperty(buffers, 'transferToFixedLength', {
    configurable: true,
    writable: true,
    value(this: ArrayBuffer, length: number): ArrayBuffer {
      const copy = new Uint8Array(length);
      copy.set(new Uint8Array(this).subarray(0, length));
      return copy.buffer;
    },
  });
}

/** The operators of pages by their names. */
export async function operatorNumbers(): Promise<Readonly<Record<string, number>>> {
  const { OPS } = await getResolvedPDFJS();
  return OPS;
}
