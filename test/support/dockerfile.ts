import { readFile } from 'node:fs/promises';

interface Instruction {
  readonly word: string;
  readonly text: string;
}

/** A COPY of one or more files. `stage` is null for files of the checkout. */
export interface Copy {
  readonly stage: string | null;
  readonly owner: string | null;
  readonly sources: readonly string[];
  readonly target: string;
}

interface Stage {
  readonly name: string;
  /** Another stage, or an image of a registry. */
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of docker/Dockerfile. There is no engine in tests, which run its steps in folders of their own. */
export class Dockerfile {
  private constructor(private readonly stages: readonly Stage[]) {}

  static async read(): Promise<Dockerfile> {
    const text = await readFile('docker/Dockerfile', 'utf8');
    const lines = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
    const stages: (Stage & { instructions: Instruction[] })[] = [];
    for (const [, word = '', rest = ''] of lines.matchAll(/^([A-Z]+) (.+)$/gm)) {
      const [, base = '', name = ''] = /^(\S+) AS (\S+)$/.exec(rest) ?? [];
      if (word === 'FROM') stages.push({ name, base, instructions: [] });
      else stages.at(-1)?.instructions.push({ word, text: rest });
    }
    return new Dockerfile(stages);
  }

  /** Images of registries that stages begin with. */
  get images(): readonly string[] {
    const names = new Set(this.stages.map(({ name }) => name));
    return this.stages.map(({ base }) => base).filter((base) => !names.has(base));
  }

  get stageNames(): readonly string[] {
    return this.stages.map(({ name }) => name);
  }

  /** Instructions of a stage, after those of the stages that it begins with. */
  instructionsOf(name: string): readonly Instruction[] {
    const stage = this.stages.find((each) => each.name === name);
    return stage ? [...this.instructionsOf(stage.base), ...stage.instructions] : [];
  }

  /** The texts of these instructions of a stage. */
  textsOf(name: string, word: string): readonly string[] {
    return this.instructionsOf(name)
      .filter((each) => each.word === word)
      .map(({ text }) => text);
  }

  copiesOf(name: string): readonly Copy[] {
    return this.textsOf(name, 'COPY').map(copyOf);
  }
}

export function copyOf(text: string): Copy {
  const words = text.split(' ');
  const option = (key: string) => words.find((word) => word.startsWith(`--${key}=`))?.split('=')[1] ?? null;
  const paths = words.filter((word) => !word.startsWith('--'));
  return {
    stage: option('from'),
    owner: option('chown'),
    sources: paths.slice(0, -1).map((path) => path.replace(/^\/app\//, '')),
    target: paths.at(-1) ?? '',
  };
}
