import { readFile, stat } from 'node:fs/promises';

/** The names that a machine's hosts file gives addresses to. The file is read again when it has changed. */
export class HostsFile {
  static readonly ofMachine = new HostsFile('/etc/hosts');

  private names: ReadonlySet<string> = new Set();
  private version = '';

  constructor(private readonly path: string) {}

  async has(hostname: string): Promise<boolean> {
    const version = await this.currentVersion();
    if (version !== this.version) {
      this.names = namesOf(await readFile(this.path, 'utf8').catch(() => ''));
      this.version = version;
    }
    return this.names.has(normalised(hostname));
  }

  /** Empty where there is no file. */
  private async currentVersion(): Promise<string> {
    const file = await stat(this.path).catch(() => null);
    return file ? `${file.ino} ${file.size} ${file.mtimeMs}` : '';
  }
}

function namesOf(content: string): Set<string> {
  const lines = content.split('\n').map((line) => line.split('#', 1)[0] ?? '');
  return new Set(lines.flatMap((line) => line.trim().split(/\s+/).slice(1)).map(normalised));
}

/** With a dot at its end it is the same name. */
function normalised(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
