import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FileMissingError, type FileStorage } from '../../../providers/storage/file-storage.js';
import type { DocumentSource } from '../documents/document-source.entity.js';
import type { DocumentType } from '../documents/document.entity.js';
import type { Extraction, ExtractionRequest } from '../extraction/extraction.js';
import type { ExtractionProcess } from '../extraction/extraction-process.js';
import { sniff } from '../extraction/file-content.js';
import { failure, UnreadableError } from '../failure.js';
import { INGESTION_FOLDER_PREFIX } from '../documents/temporary-files.service.js';
import { isPageUrl, isSameSite, normalisedUrl } from './page-url.js';
import type { FetchedPage, SiteVisit } from './site-visit.js';

/** As many as a server may redirect. */
const MAX_REFRESHES = 5;

/** What a source says. */
export interface ReadSource extends Pick<Extraction, 'title' | 'passages' | 'unread'> {
  /** Pages: the address under which the page knows itself, on its own site. */
  readonly canonicalUrl: string | null;
  /** Pages: addresses of further pages of the same site. */
  readonly links: readonly string[];
}

/** Gets the sources of one document and has them read. */
export class SourceReader {
  private folder: string | null = null;

  constructor(
    private readonly storage: FileStorage,
    private readonly visit: SiteVisit,
    private readonly process: ExtractionProcess,
  ) {}

  /** @throws UnreadableError when the source cannot be read however often it is tried */
  async read(type: DocumentType, { url, fileKey }: DocumentSource): Promise<ReadSource> {
    if (url !== null) return this.readPage(url);
    if (fileKey === null || type === 'website') throw new Error('a source is a page or a file');
    const path = await this.temporaryPath();
    await this.download(fileKey, path);
    const { title, passages, unread } = await this.process.extract({ path, kind: type });
    return { title, passages, unread, canonicalUrl: null, links: [] };
  }

  async close(): Promise<void> {
    this.process.close();
    if (this.folder !== null) await rm(this.folder, { recursive: true, force: true });
  }

  private async readPage(address: string): Promise<ReadSource> {
    const { extraction, url } = await this.extractPage(address);
    const links = extraction.links
      .filter((link) => isPageUrl(link) && isSameSite(link, url))
      .map((link) => normalisedUrl(link));
    return {
      title: extraction.title,
      passages: extraction.passages,
      unread: extraction.unread,
      canonicalUrl: canonicalOf(extraction.canonicalUrl, url),
      links: [...new Set(links)],
    };
  }

  /** Follows pages that lead on by themselves, as a browser does, with the checks of each address. */
  private async extractPage(address: string): Promise<{ extraction: Extraction; url: string }> {
    const path = await this.temporaryPath();
    let next = address;
    for (let refreshes = 0; refreshes <= MAX_REFRESHES; refreshes++) {
      const page = await this.visit.fetch(next);
      await writeFile(path, page.bytes);
      const { url, charset } = page;
      const extraction = await this.process.extract({ path, kind: kindOf(page), url, charset });
      if (extraction.refreshUrl === null || !isPageUrl(extraction.refreshUrl)) return { extraction, url };
      next = extraction.refreshUrl;
    }
    throw new UnreadableError(failure('ingestion.too_many_redirects'));
  }

  private async download(fileKey: string, path: string): Promise<void> {
    try {
      await pipeline(await this.storage.get(fileKey), createWriteStream(path));
    } catch (error) {
      if (!(error instanceof FileMissingError)) throw error;
      throw new UnreadableError(failure('ingestion.file_missing'), { cause: error });
    }
  }

  private async temporaryPath(): Promise<string> {
    this.folder ??= await mkdtemp(join(tmpdir(), INGESTION_FOLDER_PREFIX));
    return join(this.folder, 'source');
  }
}

/** What a page claims about other sites is not believed: it could take their place. */
function canonicalOf(claimed: string | null, url: string): string {
  return normalisedUrl(claimed !== null && isPageUrl(claimed) && isSameSite(claimed, url) ? claimed : url);
}

/** What the server says counts only where the content leaves it open. */
function kindOf({ bytes, contentType }: FetchedPage): ExtractionRequest['kind'] {
  const content = sniff(bytes);
  if (content === 'pdf') return 'pdf';
  if (content !== 'text') throw new UnreadableError(failure('ingestion.not_a_page'));
  return contentType === 'text/plain' || contentType === 'text/markdown' ? 'txt' : 'html';
}
