import { posix } from 'node:path';
import { decodeText } from '#src/common/text/decode-text.js';
import { failure, UnreadableError } from '../../../failure.js';
import type { ZipParts } from '../zip-check.js';
import { readXml } from './xml-events.js';

export interface Relationship {
  /** The last word of its type, such as `hyperlink`. */
  readonly type: string;
  /** Name of a part, or an address where it is external. */
  readonly target: string;
  readonly isExternal: boolean;
}

export type Relationships = ReadonlyMap<string, Relationship>;

const PACKAGE_RELATIONSHIPS = '_rels/.rels';
const USUAL_MAIN_PART = 'word/document.xml';
const WORD_PART = /wordprocessingml\.(?:document|template)\.main|macroenabled(?:template)?\.main/i;

/** The parts of a Word document, found by their relationships: the format fixes no names. */
export class DocxPackage {
  private constructor(
    private readonly parts: ZipParts,
    readonly mainPart: string,
  ) {}

  /** @throws UnreadableError when the zip is no Word document */
  static async open(parts: ZipParts): Promise<DocxPackage> {
    const types = await partText(parts, '[Content_Types].xml');
    const rels = await relationshipsIn(parts, PACKAGE_RELATIONSHIPS, '');
    const named = [...rels.values()].find(({ type, isExternal }) => type === 'officeDocument' && !isExternal);
    const mainPart = named && parts.has(named.target) ? named.target : USUAL_MAIN_PART;
    if (!parts.has(mainPart) || !isWord(types ?? '', mainPart)) {
      throw new UnreadableError(failure('ingestion.wrong_type'));
    }
    return new DocxPackage(parts, mainPart);
  }

  relationshipsOf(part: string): Promise<Relationships> {
    const { dir, base } = posix.parse(part);
    return relationshipsIn(this.parts, posix.join(dir, '_rels', `${base}.rels`), dir);
  }

  /** Null for a part that is not there. */
  textOf(part: string): Promise<string | null> {
    return partText(this.parts, part);
  }
}

/** What the content types and the folder say of the main part. */
function isWord(types: string, mainPart: string): boolean {
  let type: string | null = null;
  if (types !== '') {
    readXml(types, {
      open: (name, { PartName, ContentType }) => {
        const isMain =
          name === 'Override' && PartName?.replace(/^\//, '').toLowerCase() === mainPart.toLowerCase();
        if (isMain) type = ContentType ?? null;
      },
    });
  }
  const isOther = /^(?:xl|ppt)\//i.test(mainPart);
  return !isOther && (type === null || WORD_PART.test(type));
}

async function relationshipsIn(parts: ZipParts, part: string, folder: string): Promise<Relationships> {
  const found = new Map<string, Relationship>();
  const xml = await partText(parts, part);
  if (xml === null) return found;
  readXml(xml, {
    open: (name, { Id, Type = '', Target = '', TargetMode }) => {
      if (name !== 'Relationship' || Id === undefined) return;
      const isExternal = TargetMode === 'External';
      const target = isExternal ? Target : partName(Target, folder);
      found.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target, isExternal });
    },
  });
  return found;
}

function partName(target: string, folder: string): string {
  const path = target.replaceAll('\\', '/');
  return path.startsWith('/') ? path.slice(1) : posix.join(folder, path);
}

async function partText(parts: ZipParts, part: string): Promise<string | null> {
  const bytes = await parts.read(part);
  return bytes && decodeText(bytes);
}
