/** Samples a second of the times in an Ogg/Opus file, whatever the sound was recorded with. */
const GRANULES_PER_SECOND = 48_000;
const MAGIC = 0x4f_67_67_53;
const HEADER_BYTES = 27;
const SEGMENTS_AT = 26;
const GRANULE_AT = 6;

/** A part of a recording that decodes by itself. */
export interface SoundPart {
  readonly bytes: ArrayBuffer;
  /** When its sound begins: a page earlier, as the first sound after a start in mid-stream can be a loud click. */
  readonly soundMs: number;
  readonly startMs: number;
  readonly endMs: number;
}

interface OggPage {
  readonly start: number;
  readonly end: number;
  /** Samples until the end of the page. */
  readonly granule: number;
}

/**
 * Splits an Ogg/Opus file into parts of about that length, each with the headers of the file. Decoded at once, half an
 * hour takes several hundred megabytes.
 *
 * @returns nothing when it is another kind of file
 */
export function partsOf(file: ArrayBuffer, partMs: number): readonly SoundPart[] {
  const pages = pagesOf(file);
  const first = pages.findIndex(({ granule }) => granule > 0);
  if (first < 1) return [];
  const headers = new Uint8Array(file, 0, pages[first]?.start);
  const parts: SoundPart[] = [];
  let from = pages[first]?.start ?? 0;
  let soundMs = 0;
  let startMs = 0;
  let lastMs = 0;
  for (const [index, page] of pages.entries()) {
    // A page in which no packet ends has no time.
    const endMs = Math.max(lastMs, (page.granule / GRANULES_PER_SECOND) * 1_000);
    if (index >= first && (endMs - startMs >= partMs || index === pages.length - 1)) {
      const bytes = joined(headers, new Uint8Array(file, from, page.end - from));
      parts.push({ bytes, soundMs, startMs, endMs });
      from = page.start;
      soundMs = lastMs;
      startMs = endMs;
    }
    lastMs = endMs;
  }
  return parts;
}

function pagesOf(file: ArrayBuffer): OggPage[] {
  const view = new DataView(file);
  const pages: OggPage[] = [];
  let start = 0;
  while (start + HEADER_BYTES <= file.byteLength && view.getUint32(start) === MAGIC) {
    const segments = view.getUint8(start + SEGMENTS_AT);
    const bodyAt = start + HEADER_BYTES + segments;
    if (bodyAt > file.byteLength) break;
    let end = bodyAt;
    for (let at = start + HEADER_BYTES; at < bodyAt; at++) end += view.getUint8(at);
    if (end > file.byteLength) break;
    pages.push({ start, end, granule: Number(view.getBigInt64(start + GRANULE_AT, true)) });
    start = end;
  }
  return pages;
}

function joined(one: Uint8Array, other: Uint8Array): ArrayBuffer {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both.buffer;
}
